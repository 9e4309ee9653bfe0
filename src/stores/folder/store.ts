import { realpathSync, watch } from "node:fs";
import { Failure } from "#contract/failures";
import { UPLOAD_LIFE } from "#contract/limits";
import { STAGING } from "#contract/paths";
import type { Database } from "../../database/database.ts";
import type { Clock } from "../../lib/clock.ts";
import type { ReadVolume } from "../../lib/data-folder.ts";
import type { FollowFile } from "../../lib/digests/digest-thread.ts";
import { createLocks } from "../../lib/locks.ts";
import { type Log, unforeseen } from "../../lib/log.ts";
import type { Modes, NamedFolder } from "../../lib/named-folders.ts";
import type { DiskBucket } from "../disk/bucket.ts";
import type { Cleanup } from "../disk/cleanup.ts";
import { orDenied } from "../disk/denied.ts";
import { diskTable, unfinishedMultiparts } from "../disk/disk-table.ts";
import type { Keeping } from "../disk/keeping.ts";
import { isMissing, pathOfKey, statNow } from "../disk/paths.ts";
import type { Reach } from "../disk/reach.ts";
import type { FlushFolders } from "../disk/rename.ts";
import { createDiskSpace } from "../disk/space.ts";
import { createFileStore } from "../disk/store.ts";
import type { ObjectStore, PresignRequest } from "../store.ts";
import { type AroundVerb, aroundTree, aroundVerbs } from "../verbs.ts";
import { withFailures } from "./failures.ts";
import { createReach } from "./reach.ts";
import { createStaging, type LeftBehind, type Staging } from "./staging.ts";

interface FolderStoreOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** Undefined on a server that has no folder of this id. */
  readonly named: NamedFolder | undefined;
  readonly modes: Modes;
  /** The real path of the data folder, which no folder may have to do with. */
  readonly own: string;
  readonly presign: (request: PresignRequest) => string;
  readonly cleanup: Pick<Cleanup, "begin">;
  readonly volume: ReadVolume | undefined;
  readonly follow: FollowFile;
  readonly flush?: FlushFolders | undefined;
  /** Whether what another process left behind may be removed. */
  readonly holdsDataFolder: boolean;
}

/** Files of a folder of the machine are in no backup: they are as they are without Satchel. */
const notKept: Keeping = { keep: () => undefined, moving: () => undefined, folderAside: () => undefined };

/**
 * Opens a folder of the machine as a store: its files stay as they are, others change them at any time, and nothing of ours stays among
 * them. Links are not followed, and sockets, pipes and devices are not opened; no list has them.
 */
export function createFolderStore(options: FolderStoreOptions): ObjectStore {
  const { named, presign } = options;
  let inside: Opened | undefined;

  /** 503 storage.notHere, 502 storage.unreachable for a folder that is missing, as that of a disk that is not mounted. */
  const open = (): Opened => {
    if (named === undefined) throw new Failure("storage.notHere");
    const root = realPathOf(named.path);
    if (root === undefined || !statNow(root)?.isDirectory()) throw new Failure("storage.unreachable");
    if (isWithin(root, options.own) || isWithin(options.own, root)) throw new Failure("storage.denied");
    if (inside?.root !== root) inside = openAt(root, options);
    return inside;
  };

  const around: AroundVerb = async (work, kind) => {
    if (kind !== "read" && named?.readOnly) throw new Failure("storage.readOnly");
    const entered = async () => {
      const { staging } = open();
      return await (kind === "read" ? work() : staging.during(work));
    };
    return await orDenied(withFailures(entered, kind));
  };

  const storeOf = () => open().store;
  const treeOf = () => {
    const { tree } = storeOf();
    if (tree === undefined) throw new Error("A store of files has the verbs of a tree.");
    return tree;
  };
  const unlessAway = async (ask: () => Promise<number | undefined>) => (isThere(named) ? await ask() : undefined);
  const verbs = aroundVerbs(storeOf, around);
  return {
    ...verbs,
    free: () => unlessAway(verbs.free),
    capacity: () => unlessAway(verbs.capacity),
    // There is none that could be forgotten.
    abortMultipart: async (name) => (named?.readOnly ? undefined : await verbs.abortMultipart(name)),
    abortMultiparts: async (key) => (named?.readOnly ? undefined : await verbs.abortMultiparts(key)),
    presign(request) {
      if (request.method === "PUT" && named?.readOnly) throw new Failure("storage.readOnly");
      return presign(request);
    },
    watch(folder, changed) {
      const { root, reach } = open();
      const path = folder === "" ? root : pathOfKey(root, folder);
      return unlessMissing(() => watchOnce(reach, path, changed));
    },
    tree: aroundTree(treeOf, around),
  };
}

/**
 * Watches what is directly in a folder (inotify(7)). A watch is good for one change: programs that write all the time then cost nothing, and
 * one that was moved, removed or unmounted meanwhile is not taken for what is there later.
 */
function watchOnce(reach: Reach, path: string, changed: () => void): () => void {
  let ended = false;
  const watcher = reach.folder(path, (at) => watch(at, { persistent: false }));
  const end = (): void => {
    ended = true;
    watcher.close();
  };
  const tell = (name: unknown): void => {
    // What was on its way is told after the end, too; and what is not complete is no change.
    if (ended || String(name).startsWith(STAGING)) return;
    end();
    changed();
  };
  watcher.on("change", (_, name) => tell(name));
  // What can be watched no longer has to be looked at.
  watcher.on("error", () => tell(""));
  return end;
}

const isWithin = (path: string, folder: string): boolean => `${path}/`.startsWith(`${folder}/`);

const isThere = (named: NamedFolder | undefined): boolean =>
  named !== undefined && realPathOf(named.path) !== undefined;

const realPathOf = (path: string): string | undefined => unlessMissing(() => realpathSync(path));

function unlessMissing<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** A folder that is there. */
interface Opened {
  readonly root: string;
  readonly reach: Reach;
  readonly staging: Staging;
  readonly store: ObjectStore;
}

function openAt(root: string, options: FolderStoreOptions): Opened {
  const { db, log, named, modes, volume, cleanup, flush = async () => undefined } = options;
  const name = `folder:${named?.id}`;
  const space = createDiskSpace({ folder: root, volume });
  const reach = createReach(root, modes);
  const mayTidy = options.holdsDataFolder && !named?.readOnly;
  const notTidied = (error: unknown): void => log.warn("half-written files not removed", unforeseen(error));
  const staging: Staging = createStaging({
    root,
    reach: createReach(root, { ...modes, folder: OWN }),
    volume,
    found(top, left) {
      if (mayTidy) void tidy({ top, left, staging, removed }, options).catch(notTidied);
    },
  });
  const bucket: DiskBucket = {
    ...{ name, folder: root, root, reach, flush, space },
    table: diskTable(db, name),
    locks: createLocks(),
    keeping: notKept,
    besideSpool: false,
  };
  /** What is removed in the background is where it is only as long as that is entered. */
  const removed: Pick<Cleanup, "begin"> = {
    begin(path, ended) {
      staging.enter();
      cleanup.begin(path, () => {
        staging.leave();
        ended?.();
      });
    },
  };
  const store = createFileStore(bucket, { ...options, areaOf: staging.areaOf, cleanup: removed });
  if (mayTidy) void staging.lookAround().catch(notTidied);
  return { root, reach, staging, store };
}

/** Permissions of folders that nobody else has to look into. */
const OWN = 0o700;

interface Leftovers {
  readonly top: string;
  readonly left: readonly LeftBehind[];
  readonly staging: Staging;
  readonly removed: Pick<Cleanup, "begin">;
}

/** Removes what a killed process has left on a file system. */
async function tidy({ top, left, staging, removed }: Leftovers, { db, clock }: FolderStoreOptions): Promise<void> {
  // Another server may have the same folder.
  const oldest = db.engine === "postgres" ? clock() - UPLOAD_LIFE : Number.POSITIVE_INFINITY;
  const unfinished = await unfinishedMultiparts(db);
  const gone = left.filter(
    ({ kind, name, modified }) => modified < oldest && !(kind === "parts" && unfinished.has(name)),
  );
  await staging.during(async () => {
    const area = staging.areaAt(top);
    for (const { kind, name } of gone) removed.begin(`${area[kind]}/${name}`);
  });
}
