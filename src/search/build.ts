import { Failure } from "#contract/failures";
import { compareBytes } from "#contract/paths";
import type { Cluster } from "../cluster/cluster.ts";
import type { Clock } from "../lib/clock.ts";
import { createLocks } from "../lib/locks.ts";
import { type Log, unforeseen } from "../lib/log.ts";
import { createPace } from "../lib/turns.ts";
import type { ObjectStore } from "../stores/store.ts";
import type { Stores } from "../stores/stores.ts";
import { type FileStat, type Listing, nameBelow, namesOf, type Outdated, type Recent } from "./changes.ts";
import type { NodesTable } from "./nodes-table.ts";
import type { Queue } from "./queue.ts";
import type { Folder, Writer } from "./writer.ts";

interface BuildDeps {
  readonly table: NodesTable;
  readonly writer: Writer;
  readonly queue: Queue;
  readonly recent: Recent;
  readonly reconcile: Reconcile;
  readonly stores: Pick<Stores, "configs" | "of">;
  readonly clock: Clock;
  readonly log: Log;
  readonly cluster: Pick<Cluster, "shared" | "leases">;
  /** Runs a generator to its end, one slice after the other between other work, unless the index closes. */
  readonly inSlices: (slices: AsyncGenerator<void>) => Promise<void>;
}

/** Keys in one request to a storage. */
const PAGE = 1000;
/** Milliseconds after which an index is built anew. */
const DAILY = 24 * 60 * 60_000;

/** Makes the index match whole storages, page by page, while other changes are recorded. */
export function createBuilds(deps: BuildDeps) {
  const { table, writer, queue, recent, reconcile, stores, clock, log, cluster, inSlices } = deps;
  /** Storages that changed since their last build started. */
  const outdatedStorages = new Set<string>();
  /** How often each was marked. */
  const marks = new Map<string, number>();
  const oneByOne = createLocks();

  async function* reconcileAll(page: KeyPage, since: number) {
    const { storage, objects } = page;
    const outdated = () => recent.since(since, storage);
    for (const listed of foldersOf(page)) yield* reconcile(listed, { outdated });
    if (!outdated()) throw new Failure("storage.busy");
    for (const { key, modified } of objects) if (key.endsWith("/")) await writer.setTime({ storage, key }, modified);
  }

  /** Reports whether it came to the end. */
  const walk = async (storage: string, store: ObjectStore): Promise<boolean> => {
    let next: string | undefined = "";
    for (let after = ""; next !== undefined; ) {
      const since = recent.moment();
      const page = await store.list({ prefix: "", after: next === "" ? undefined : next, limit: PAGE });
      const { objects } = page;
      await inSlices(reconcileAll({ storage, objects, after, last: page.next === undefined }, since));
      if (queue.isClosed()) return false;
      after = page.objects.at(-1)?.key ?? after;
      next = page.next;
    }
    return true;
  };

  const builtAt = async (storage: string): Promise<number | null> =>
    outdatedStorages.has(storage) ? null : await table.builtAt(storage);

  const buildNow = async (storage: string): Promise<void> => {
    const { store } = stores.of(await stores.configs.get(storage));
    outdatedStorages.delete(storage);
    const before = marks.get(storage);
    const whole = await walk(storage, store);
    if (whole && marks.get(storage) === before)
      await queue.run(async () => void (await table.setBuilt(storage, clock())));
  };

  /** Reports whether the storage was due when its turn came and could be built. */
  const buildWhenDue = async (storage: string): Promise<boolean> => {
    try {
      const at = queue.isClosed() ? clock() : await builtAt(storage);
      if (at !== null && at > clock() - DAILY) return false;
      await buildNow(storage);
      return true;
    } catch (error) {
      log.warn("index not built", { storage, ...unforeseen(error) });
      return false;
    }
  };

  /** Forgets storages that are no longer configured. */
  const forgetOthers = async (configured: ReadonlySet<string>): Promise<void> => {
    for (const root of await table.roots()) {
      if (configured.has(root.name)) continue;
      await queue.run(() => writer.run(async () => writer.remove(root)));
      await table.forgetBuild(root.name);
    }
  };

  return {
    build: (storage: string): Promise<void> => oneByOne("build", () => buildNow(storage)),

    /** When the index of a storage was last complete, in epoch milliseconds; null when it has to be built. */
    builtAt,

    /** Marks the index of a storage as outdated, so that it is built anew. */
    setOutdated(storage: string): void {
      marks.set(storage, (marks.get(storage) ?? 0) + 1);
      if (outdatedStorages.has(storage)) return;
      outdatedStorages.add(storage);
      queue
        .run(async () => {
          await table.setBuilt(storage, null);
          // From now on the database knows, and another server may build it.
          if (cluster.shared) outdatedStorages.delete(storage);
        })
        .catch((error: unknown) => log.error("index not marked", { storage, ...unforeseen(error) }));
    },

    /** Builds the due storages of these, one after the other; returns how many. */
    async due(wanted: ReadonlySet<string>): Promise<number> {
      const lease = await cluster.leases.take("index builds");
      return lease ? await buildAll(wanted).finally(lease.release) : 0;
    },
  };

  async function buildAll(wanted: ReadonlySet<string>): Promise<number> {
    await forgetOthers(new Set((await stores.configs.all()).map(({ id }) => id)));
    let built = 0;
    for (const storage of wanted) {
      if (await oneByOne("build", () => buildWhenDue(storage))) built += 1;
    }
    queue.wake();
    return built;
  }
}

/** Files and folders by name; a folder's name ends in a slash. */
type Entries = Map<string, FileStat | undefined>;

/** The content of one folder: all of it, or all between two names. */
interface Listed {
  readonly storage: string;
  /** The folder's key. */
  readonly key: string;
  /** Used up by comparing. */
  readonly entries: Entries;
  /** Names up to this one were not listed. */
  readonly after?: string | undefined;
  /** Names after this one were not listed. */
  readonly upTo?: string | undefined;
}

/** The nodes of a folder behind a name, except for those that have changed since it was listed. */
interface Part extends Pick<Listed, "entries" | "upTo"> {
  readonly after: string;
  readonly changed: ReadonlySet<string>;
}

interface CompareOptions {
  /** The part of the answer that later changes outdate; undefined when the index no longer knows them. */
  readonly outdated: () => Outdated | undefined;
  /** Called for a folder that no change named: its content is unknown, too. */
  readonly unknownFolder?: () => void;
}

/** Entries of a listing that are read between two pauses. */
const SLICE = 500;

/** Makes folders of the index match listings, and writes only the differences. */
export function createReconciler(table: NodesTable, writer: Writer) {
  const reading = createPace({ first: 200, least: 50, most: 1000 });

  /**
   * Compares a folder, slice by slice; the index may change between two of them. Reports whether it came to the end,
   * if it had begun.
   */
  return async function* reconcile(
    listed: Listed,
    { outdated, unknownFolder }: CompareOptions,
  ): AsyncGenerator<void, boolean> {
    const { storage, key, entries, after: begin = "", upTo } = listed;
    if (outdated()?.whole(key) !== false) return true;
    const folder = await folderOf(listed);
    if (!folder) return true;

    /** Names of which the listing says nothing by now; undefined when it says nothing at all. */
    const changedSince = async (): Promise<ReadonlySet<string> | undefined> => {
      const since = outdated();
      if (!since || since.whole(key)) return undefined;
      return (await writer.locate({ storage, key }))?.id === folder.id ? since.names(key) : undefined;
    };

    entries.delete(begin);
    for (let after: string | undefined = begin; after !== undefined; ) {
      const changed = await changedSince();
      if (!changed) return false;
      after = await compare(folder, { entries, after, upTo, changed });
      if (after !== undefined) yield;
    }
    const left = entries.entries();
    for (let more = entries.size > 0; more; ) {
      const changed = await changedSince();
      if (!changed) return false;
      const limit = writer.batchOfNames();
      const some = [...left.take(limit)];
      const added = some.filter(([name]) => !changed.has(name));
      writer.add(folder, added);
      if (added.some(([name]) => name.endsWith("/"))) unknownFolder?.();
      await writer.pause();
      more = some.length === limit;
      if (more) yield;
    }
    return true;
  };

  /** A folder that the index does not know is only added if it has entries. */
  async function folderOf({ storage, key, entries }: Listed): Promise<Folder | undefined> {
    if (entries.size > 0) return await writer.makeFolder(storage, namesOf(key));
    const root = await writer.locate({ storage, key: "" });
    const folder = await writer.locate({ storage, key });
    return root && folder && { id: folder.id, storage: root.id };
  }

  /** Compares some nodes after a name, and leaves the entries without a node; returns the last of these nodes. */
  async function compare(folder: Folder, { entries, after, upTo, changed }: Part): Promise<string | undefined> {
    const limit = reading.count();
    const rows = await reading.measure(limit, () => table.children(folder.id, after, limit));
    const asked = rows.filter(({ name }) => upTo === undefined || compareBytes(name, upTo) <= 0);
    for (const row of asked.filter(({ name }) => !changed.has(name))) {
      const file = entries.get(row.name);
      if (!entries.has(row.name)) writer.remove(row);
      else if (file && (file.size !== row.size || file.modified !== row.modified)) writer.replace(row, file);
      await writer.pause();
    }
    for (const { name } of rows) entries.delete(name);
    return rows.length === limit && asked.length === rows.length ? rows.at(-1)?.name : undefined;
  }
}

type Reconcile = ReturnType<typeof createReconciler>;

/** The entries of a listing by name, removed slice by slice as they are compared. */
export async function* listedOf({ storage, key, files, folders }: Listing): AsyncGenerator<void, Listed> {
  const entries: Entries = new Map();
  for (const file of files) {
    entries.set(file.key.slice(key.length), file);
    if (entries.size % SLICE === 0) yield;
  }
  for (const folder of folders) {
    entries.set(folder.slice(key.length), undefined);
    if (entries.size % SLICE === 0) yield;
  }
  return { storage, key, entries };
}

/** A page of all keys of a storage, in order: everything behind one key up to its last. */
interface KeyPage {
  readonly storage: string;
  readonly objects: readonly (FileStat & { readonly key: string })[];
  readonly after: string;
  /** Whether nothing follows it. */
  readonly last: boolean;
}

/** The entries of a page in each folder that it passes through, outer ones first. */
function foldersOf({ storage, objects, after, last }: KeyPage): Listed[] {
  const folders = new Map<string, Entries>();
  const entriesOf = (folder: string): Entries => {
    const entries: Entries = folders.get(folder) ?? new Map();
    folders.set(folder, entries);
    return entries;
  };
  // Names after the last key of the page before belong to this one, even if none are left.
  for (const { key, file } of [{ key: after, file: undefined }, ...objects.map((file) => ({ key: file.key, file }))]) {
    let folder = "";
    for (const name of namesOf(key)) {
      const isFolder = name.endsWith("/");
      const entries = entriesOf(folder);
      if (file) entries.set(name, isFolder ? undefined : file);
      if (isFolder) folder += name;
    }
    entriesOf(folder);
  }
  const end = last ? undefined : objects.at(-1)?.key;
  return [...folders]
    .filter(([folder]) => folder !== end)
    .map(([key, entries]) => ({
      storage,
      key,
      entries,
      after: after !== key && after.startsWith(key) ? nameBelow(key, after) : undefined,
      upTo: end?.startsWith(key) ? nameBelow(key, end) : undefined,
    }));
}
