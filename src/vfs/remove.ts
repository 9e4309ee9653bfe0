import { Failure } from "#contract/failures";
import type { ObjectHead, Place, Recheck } from "../stores/store.ts";
import type { Storage } from "../stores/stores.ts";
import { removeEmptyFolders } from "../transfers/at-key.ts";
import { all, type ResolvedPath } from "./access.ts";
import { isFile, isMounted, type MountedLocation } from "./entry.ts";
import { folderKeyOf, pathIn } from "./layout.ts";
import { parentKey } from "./listing.ts";
import { storageOf } from "./lookup.ts";
import { type Discarded, discard, trashedUntil } from "./trash/discard.ts";
import { exclusively, keepFolder, noCondition } from "./write.ts";

/** What was removed: a file, or a folder of a storage that removes it at once. */
export interface Removed {
  readonly path: string;
  readonly bytes: number;
  /** Whether it is a folder with all that was below it. */
  readonly whole?: boolean;
  /** Files that it is; one unless said. */
  readonly files?: number;
}

/** What is about to be removed, as in Removed. */
type Begins = (removed: readonly Removed[]) => Promise<void>;

/** How something is removed. */
export interface Removal {
  /** Removes a file only in this version. */
  readonly ifMatch?: string | undefined;
  /** Whatever else must hold: asked right before the removal, and its error stops that. */
  readonly condition?: Recheck | undefined;
  /** Called right before something is removed, with what that is. */
  readonly begins?: Begins | undefined;
  /** Whether it goes for ever, also where a mount keeps what is deleted. */
  readonly forever?: boolean | undefined;
  /** Called with the id of what waits in the trash. */
  readonly trashed?: ((id: string) => void) | undefined;
}

const REMOVED_AT_ONCE = 1000;
/** How often in a row a storage may list what it has removed: some lists lag behind, and one that keeps it all would be asked for ever. */
const MAX_REPEATS = 5;

/** Counts the pages in a row that hold nothing but what the page before held. 502 storage.broken after so many. */
function createRepeats(): (page: readonly ObjectHead[]) => void {
  let before: ReadonlySet<string> = new Set();
  let repeats = 0;
  return (page) => {
    const versions = page.map(({ key, etag, modified }) => JSON.stringify([key, etag, modified]));
    repeats = versions.every((one) => before.has(one)) ? repeats + 1 : 0;
    if (repeats > MAX_REPEATS) throw new Failure("storage.broken", { answer: "endless list" });
    before = new Set(versions);
  };
}

/** Removes a folder with all below it: at once, or a thousand objects at a time where a storage has no folders. */
async function* removeFolder(
  at: ResolvedPath,
  storage: Storage,
  location: MountedLocation,
  { begins, condition = noCondition, ...how }: Removal,
): AsyncGenerator<Removed> {
  const { config, store } = storage;
  const { objects } = at.deps.transfers;
  const key = folderKeyOf(location);
  const mayRemove = at.recheck("remove", location, true);
  let beforeCommit = all(mayRemove, condition);
  const gone = { kind: "removed", at: { storage: config.id, key } } as const;
  const { tree } = store;
  const until = how.forever ? undefined : trashedUntil(at, location.mount);
  if (tree || until !== undefined) {
    const all = { path: location.path, bytes: 0, whole: true } as const;
    await begins?.([all]);
    if (until !== undefined) await toTrash(at, { storage, location, found: {}, beforeCommit, until }, how);
    else await objects.change([gone], async () => await tree?.remove(key, beforeCommit));
    return yield all;
  }
  const note = createRepeats();
  for (;;) {
    const page = await store.list({ prefix: key, limit: REMOVED_AT_ONCE });
    if (page.objects.length === 0) break;
    note(page.objects);
    const removed = page.objects.map(({ key: one, size: bytes }) => ({
      path: pathIn(location.mount, one),
      bytes,
      ...(one.endsWith("/") && { files: 0 }),
    }));
    await begins?.(removed);
    const keys = page.objects.map((one) => one.key);
    // Told one by one, so that everybody knows what is left when this breaks off.
    await objects.remove(storage, keys, beforeCommit);
    // What was to hold of the whole folder held when it began to go.
    beforeCommit = mayRemove;
    yield* removed;
  }
  await objects.tell(gone);
}

/** Removes a file or a folder with all below it, and yields what is gone piece by piece. 412 path.changed. */
export async function* removal(at: ResolvedPath, how: Removal = {}): AsyncGenerator<Removed> {
  const { ifMatch, begins, condition = noCondition } = how;
  const { lookup, transfers, locks } = at.deps;
  const found = await lookup.find(at.layout, at.requireWritable("remove", true));
  if (!found || !isMounted(found.location)) return;
  const storage = await storageOf(transfers, found.location);
  const { key, path } = found.location;
  if (isFile(found)) {
    if (ifMatch !== undefined && ifMatch !== found.head.etag) throw new Failure("path.changed");
    const removed = { path, bytes: found.head.size };
    await begins?.([removed]);
    const mayRemove = all(at.recheck("remove", found.location, true), condition);
    const beforeCommit = ifMatch === undefined ? mayRemove : all(mayRemove, isThisVersion(storage, found.head));
    const until = how.forever ? undefined : trashedUntil(at, found.location.mount);
    if (until === undefined) await transfers.objects.remove(storage, [key], beforeCommit);
    else await toTrash(at, { storage, location: found.location, found, beforeCommit, until }, how);
    yield removed;
  } else yield* removeFolder(at, storage, found.location, how);
  await keepFolder(at.deps, storage, parentKey(key));
  await locks.drop(at.layout.paths(found.location));
}

async function toTrash(at: ResolvedPath, discarded: Discarded, { trashed }: Pick<Removal, "trashed">): Promise<void> {
  const id = await discard(at, discarded);
  if (id !== undefined) trashed?.(id);
}

/** Refuses to remove what somebody has written meanwhile; what is gone needs no removal. 412 path.changed. */
export const isThisVersion =
  ({ store }: Storage, { key, etag }: ObjectHead): Recheck =>
  async () => {
    const now = await store.head(key);
    if (now && now.etag !== etag) throw new Failure("path.changed");
  };

/** Returns the place of what `remove` would remove, whether anything is there or not. 404 mount.none. */
export function removalTarget({ requireInBasePath, location }: ResolvedPath): Place {
  requireInBasePath("remove");
  if (!isMounted(location)) throw new Failure("mount.none");
  const { mount, key, folder } = location;
  return { storage: mount.storage, key: folder ? folderKeyOf(location) : key };
}

/** Removes a file or a folder with all below it; reports whether it was there. 412 path.changed. */
export async function remove(at: ResolvedPath, how: Removal = {}): Promise<boolean> {
  if (how.ifMatch === undefined && !how.condition) return await removeAll(at, how);
  at.requireInBasePath("remove");
  return await exclusively(at, [at.location], () => removeAll(at, how));
}

async function removeAll(at: ResolvedPath, how: Removal): Promise<boolean> {
  let removed = false;
  for await (const _ of removal(at, how)) removed = true;
  return removed;
}

/** Removes a folder, and those in it, as far as they hold no files: what a move leaves behind. */
export async function removeEmpty(at: ResolvedPath): Promise<void> {
  const { lookup, transfers } = at.deps;
  const found = await lookup.find(at.layout, at.requireWritable("move", true));
  if (!found || isFile(found) || !isMounted(found.location)) return;
  const storage = await storageOf(transfers, found.location);
  const key = folderKeyOf(found.location);
  const beforeCommit = at.recheck("move", found.location, true);
  await removeEmptyFolders(storage.store, key, (empty) => transfers.objects.remove(storage, empty, beforeCommit));
}
