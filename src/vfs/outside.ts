import { Failure } from "#contract/failures";
import { type Log, unforeseen } from "../lib/log.ts";
import type { Place } from "../stores/store.ts";
import type { Storage } from "../stores/stores.ts";

interface OutsideDeps {
  readonly log: Log;
  /**
   * Lists a folder in which something has changed; false for one that is too large to be listed at once, of which the index learns nothing.
   * Throws the failures of its storage.
   */
  readonly look: (folder: Place) => Promise<boolean>;
  /** Returns when the index knows what was listed. */
  readonly settled: () => Promise<void>;
}

/** Folders of a storage that are watched; each costs the system about a kilobyte. */
const MOST_WATCHED = 200;
/** Folders that are looked into because nobody knew them, until all is looked at that was due. */
const MOST_UNKNOWN = 100;
/** Milliseconds after a change: who changes one thing mostly changes more. */
const SOON = 100;
/** A folder that took long to list is followed by a rest of so many times as long, however much others change. */
const REST = 20;

/**
 * Sees what other programs change in folders of the machine: it watches those that were listed last, and has one in which something has
 * changed listed anew. Where the system watches no more folders, and on disks of other machines, lists and walks of the index see it.
 */
export function createOutside({ log, look, settled }: OutsideDeps) {
  const followers = new Set<(folder: Place) => void>();

  /** Returns the milliseconds that the list took. */
  const lookAt = async (folder: Place): Promise<number> => {
    const began = performance.now();
    let took = 0;
    try {
      if (!(await look(folder))) watches.end(folder);
      took = performance.now() - began;
      await settled();
      for (const tell of followers) tell(folder);
    } catch (error) {
      // Whoever lists a folder is told why that cannot be; from then on it is watched again.
      if (!(error instanceof Failure)) log.error("change from outside not seen", unforeseen(error));
    }
    return took;
  };

  const looks = createLooks(lookAt);
  const watches = createWatches(log, looks.add);

  return {
    /** Watches a folder. Call it right before it is read, so that no change falls in between. */
    watch: watches.begin,

    /** Looks into a folder of a watched storage that nobody knew; false where nobody does, or there are too many. */
    lookInto: (folder: Place): boolean => watches.has(folder.storage) && looks.addUnknown(folder),

    /** Ends what is watched in all other storages. */
    keepOnly: watches.keepOnly,

    /** Calls `tell` with each folder in which something has changed, after it was listed; returns what ends that. */
    follow(tell: (folder: Place) => void): () => void {
      followers.add(tell);
      return () => followers.delete(tell);
    },

    /** Watches nothing any more, and returns when nothing is looked at. */
    async close(): Promise<void> {
      watches.close();
      await looks.close();
    },
  };
}

/** The watches of each storage, those of the folders that were listed last. */
function createWatches(log: Log, changed: (folder: Place) => void) {
  const storages = new Map<string, Map<string, () => void>>();
  let closed = false;
  let isRefused = false;

  const end = ({ storage, key }: Place): void => {
    const folders = storages.get(storage);
    folders?.get(key)?.();
    folders?.delete(key);
  };

  /** Undefined where there is nothing to watch, or the system refuses. */
  const watchOrNot = (watch: NonNullable<Storage["store"]["watch"]>, folder: Place): (() => void) | undefined => {
    try {
      return watch(folder.key, () => {
        storages.get(folder.storage)?.delete(folder.key);
        changed(folder);
      });
    } catch (error) {
      if (error instanceof Failure || isRefused) return undefined;
      isRefused = true;
      log.warn("folders not watched", { ...unforeseen(error), effect: "search learns of some changes later" });
      return undefined;
    }
  };

  const forget = (storage: string): void => {
    for (const endOne of storages.get(storage)?.values() ?? []) endOne();
    storages.delete(storage);
  };

  const keepOnly = (kept: ReadonlySet<string>): void => {
    for (const storage of storages.keys()) if (!kept.has(storage)) forget(storage);
  };

  return {
    end,
    has: (storage: string): boolean => storages.has(storage),
    keepOnly,

    begin({ config: { id: storage }, store }: Storage, key: string): void {
      if (closed || !store.watch) return;
      const folders = storages.get(storage) ?? new Map<string, () => void>();
      storages.set(storage, folders);
      // Another folder may be at this path by now, which the runtime (Bun 1.4.5) takes for the one before while that is watched.
      end({ storage, key });
      const begun = watchOrNot(store.watch, { storage, key });
      if (!begun) return;
      folders.set(key, begun);
      const [oldest] = folders.keys();
      if (folders.size > MOST_WATCHED && oldest !== undefined) end({ storage, key: oldest });
    },

    close(): void {
      closed = true;
      keepOnly(new Set());
    },
  };
}

/** Looks at folders one after the other, with rests. */
function createLooks(lookAt: (folder: Place) => Promise<number>) {
  const due = new Map<string, Place>();
  /** How many folders of each storage were looked into because nobody knew them. */
  const unknown = new Map<string, number>();
  let timer: Timer | undefined;
  let looking: Promise<void> | undefined;
  let closed = false;

  const lookAtNext = async (): Promise<void> => {
    const [next] = due;
    timer = undefined;
    if (!next) return unknown.clear();
    due.delete(next[0]);
    schedule(REST * (await lookAt(next[1])));
  };

  const schedule = (milliseconds: number): void => {
    if (closed) return;
    timer = setTimeout(() => {
      looking = lookAtNext().finally(() => {
        looking = undefined;
      });
    }, milliseconds);
    timer.unref();
  };

  const add = (folder: Place): void => {
    due.set(`${folder.storage} ${folder.key}`, folder);
    if (!timer && !looking) schedule(SOON);
  };

  return {
    add,

    addUnknown(folder: Place): boolean {
      const count = unknown.get(folder.storage) ?? 0;
      if (closed || count >= MOST_UNKNOWN) return false;
      unknown.set(folder.storage, count + 1);
      add(folder);
      return true;
    },

    async close(): Promise<void> {
      closed = true;
      clearTimeout(timer);
      due.clear();
      await looking;
    },
  };
}
