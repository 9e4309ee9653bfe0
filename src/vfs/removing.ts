import { Failure } from "#contract/failures";
import type { Confirm, ObjectHead, Place } from "../stores/store.ts";
import type { Storage } from "../stores/stores.ts";
import { removeEmptyFolders } from "../transfers/at-key.ts";
import { all, type Reached } from "./access.ts";
import { folderKeyOf, type MountedLocation, pathIn } from "./layout.ts";
import { parentKey } from "./listing.ts";
import { isFile, isMounted, storageOf } from "./lookup.ts";
import { allowed, alone, keepFolder } from "./writing.ts";

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
  readonly condition?: Confirm | undefined;
  /** Called right before something is removed, with what that is. */
  readonly begins?: Begins | undefined;
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
  at: Reached,
  storage: Storage,
  location: MountedLocation,
  { begins, condition = allowed }: Removal,
): AsyncGenerator<Removed> {
  const { config, store } = storage;
  const { objects } = at.deps.transfers;
  const key = folderKeyOf(location);
  const mayRemove = at.confirm("remove", location, true);
  let confirm = all(mayRemove, condition);
  const gone = { kind: "removed", at: { storage: config.id, key } } as const;
  const { tree } = store;
  if (tree) {
    const all = { path: location.path, bytes: 0, whole: true } as const;
    await begins?.([all]);
    await objects.change([gone], () => tree.remove(key, confirm));
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
    await objects.remove(storage, keys, confirm);
    // What was to hold of the whole folder held when it began to go.
    confirm = mayRemove;
    yield* removed;
  }
  await objects.tell(gone);
}

/** As Node.removal. */
export async function* removal(at: Reached, how: Removal = {}): AsyncGenerator<Removed> {
  const { ifMatch, begins, condition = allowed } = how;
  const { lookup, transfers, locks } = at.deps;
  const found = await lookup.find(at.layout, at.demandChange("remove", true));
  if (!found || !isMounted(found.location)) return;
  const storage = await storageOf(transfers, found.location);
  const { key, path } = found.location;
  if (isFile(found)) {
    if (ifMatch !== undefined && ifMatch !== found.head.etag) throw new Failure("path.changed");
    const removed = { path, bytes: found.head.size };
    await begins?.([removed]);
    const mayRemove = all(at.confirm("remove", found.location, true), condition);
    const confirm = ifMatch === undefined ? mayRemove : all(mayRemove, isThisVersion(storage, found.head));
    await transfers.objects.remove(storage, [key], confirm);
    yield removed;
  } else yield* removeFolder(at, storage, found.location, how);
  await keepFolder(at.deps, storage, parentKey(key));
  await locks.drop(at.layout.paths(found.location));
}

/** Refuses to remove what somebody has written meanwhile; what is gone needs no removal. 412 path.changed. */
export const isThisVersion =
  ({ store }: Storage, { key, etag }: ObjectHead): Confirm =>
  async () => {
    const now = await store.head(key);
    if (now && now.etag !== etag) throw new Failure("path.changed");
  };

/** As Node.doomed. */
export function doomed({ demandTouch, location }: Reached): Place {
  demandTouch("remove");
  if (!isMounted(location)) throw new Failure("mount.none");
  const { mount, key, folder } = location;
  return { storage: mount.storage, key: folder ? folderKeyOf(location) : key };
}

/** As Node.remove. */
export async function remove(at: Reached, how: Removal = {}): Promise<boolean> {
  if (how.ifMatch === undefined && !how.condition) return await removeAll(at, how);
  at.demandTouch("remove");
  return await alone(at.deps, [at.location], () => removeAll(at, how));
}

async function removeAll(at: Reached, how: Removal): Promise<boolean> {
  let removed = false;
  for await (const _ of removal(at, how)) removed = true;
  return removed;
}

/** Removes a folder, and those in it, as far as they hold no files: what a move leaves behind. */
export async function removeEmpty(at: Reached): Promise<void> {
  const { lookup, transfers } = at.deps;
  const found = await lookup.find(at.layout, at.demandChange("move", true));
  if (!found || isFile(found) || !isMounted(found.location)) return;
  const storage = await storageOf(transfers, found.location);
  const key = folderKeyOf(found.location);
  const confirm = at.confirm("move", found.location, true);
  await removeEmptyFolders(storage.store, key, (empty) => transfers.objects.remove(storage, empty, confirm));
}
