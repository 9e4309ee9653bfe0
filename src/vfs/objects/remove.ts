import { Failure } from "#contract/failures";
import { createYielder, inOrder } from "../../lib/turns.ts";
import type { ObjectHead, Recheck } from "../../stores/store.ts";
import type { Storage } from "../../stores/stores.ts";
import { all, type ResolvedPath } from "../access.ts";
import type { MountedLocation } from "../entry.ts";
import { parentKey } from "../listing.ts";
import type { ShownMountRow } from "../mounts-table.ts";
import { isThisVersion } from "../remove.ts";
import { discard, trashedUntil } from "../trash/discard.ts";
import { exclusively } from "../write.ts";

/** What became of a key that was to be removed. */
export interface KeyOutcome {
  readonly key: string;
  /** Why it is still there. */
  readonly failure?: Failure;
}

/** What must hold of an object, or it stays. */
export interface KeyCondition {
  /** Without quotes, or `*` for any. */
  readonly etag?: string | undefined;
  /** Bytes. */
  readonly size?: number | undefined;
  /** Epoch milliseconds, of which whole seconds count. */
  readonly modified?: number | undefined;
}

interface Removing {
  readonly root: ResolvedPath;
  readonly resolved: (key: string) => ResolvedPath & { readonly location: MountedLocation };
  readonly storage: Storage;
  readonly mount: ShownMountRow;
}

/** Keys that are looked for at the same time. */
const AT_ONCE = 8;
/** Keys that are removed before followers are told: what another server writes there meanwhile is taken for what was removed. */
const TOLD_TOGETHER = 100;

/** A key that may be removed. */
interface RemovalTarget {
  readonly key: string;
  readonly at: ResolvedPath;
  readonly location: MountedLocation;
  /** The only version that may be removed; undefined for any. */
  readonly version: ObjectHead | undefined;
}

/**
 * Removes exactly these keys: files, and folders that are empty (DeleteObjects). Folders that this leaves empty go as well where a
 * storage has real ones: to S3 they were never there.
 */
export async function removeKeys(
  removing: Removing,
  keys: readonly string[],
  condition?: KeyCondition,
): Promise<KeyOutcome[]> {
  if (!condition) return await removeEach(removing, keys, condition);
  const { location } = removing.root;
  const locations = keys.map((key) => ({ ...location, key }));
  return await exclusively(removing.root, locations, () => removeEach(removing, keys, condition));
}

async function removeEach(
  removing: Removing,
  keys: readonly string[],
  condition: KeyCondition | undefined,
): Promise<KeyOutcome[]> {
  const failures = new Map<string, Failure>();
  const targets: RemovalTarget[] = [];
  const yielder = createYielder();
  const admit = async (key: string) => {
    await yielder.yieldIfDue();
    return { key, one: await orFailure(() => admitted(removing, key, condition)) };
  };
  for await (const { key, one } of inOrder(new Set(keys), AT_ONCE, admit)) {
    if (one instanceof Failure) failures.set(key, one);
    else targets.push(one);
  }
  for (const [key, failure] of await removeTargets(removing, targets)) failures.set(key, failure);
  return keys.map((key) => {
    const failure = failures.get(key);
    return failure ? { key, failure } : { key };
  });
}

/** Removes what may be: files to the trash, each by itself, where the mount has one. Answers what is still there, and why. */
async function removeTargets(removing: Removing, targets: readonly RemovalTarget[]): Promise<Map<string, Failure>> {
  const { root, storage, mount } = removing;
  const failures = new Map<string, Failure>();
  const until = trashedUntil(root, mount);
  const kept = until === undefined ? [] : targets.filter(isFile);
  const gone = targets.filter((one) => !kept.includes(one));
  const discardOne = async (target: RemovalTarget) => ({
    ...target,
    failed: await orFailure(() => toTrash(removing, target, until ?? 0)),
  });
  for await (const { key, failed } of inOrder(kept, AT_ONCE, discardOne)) if (failed) failures.set(key, failed);
  for (const [key, failure] of await removeAll(removing, gone)) failures.set(key, failure);
  const left = targets.filter(({ key }) => !failures.has(key));
  const unpruned = storage.store.tree && (await orFailure(() => prune(root, storage, left)));
  if (unpruned) for (const { key } of left) failures.set(key, unpruned);
  return failures;
}

/** Nothing lies below another key, and so nothing has to be asked of it. */
const isFolderKey = (key: string): boolean => key.endsWith("/");

const isFile = ({ key }: RemovalTarget): boolean => !isFolderKey(key);

/** Moves a file to the trash; one that is not there is no failure. */
async function toTrash({ root, storage }: Removing, target: RemovalTarget, until: number): Promise<undefined> {
  const { key, location, version } = target;
  const head = version ?? (await storage.store.head(key));
  if (!head) return;
  const beforeCommit = mayRemoveAll(root, storage, [target]);
  await discard(root, { storage, location, found: { head }, beforeCommit, until });
}

async function orFailure<Result>(work: () => Promise<Result>): Promise<Result | Failure> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

const wholeSeconds = (instant: number): number => Math.floor(instant / 1000);

const isMet = ({ etag, size, modified }: KeyCondition, head: ObjectHead): boolean =>
  (etag === undefined || etag === "*" || etag === head.etag) &&
  (size === undefined || size === head.size) &&
  (modified === undefined || wholeSeconds(modified) === wholeSeconds(head.modified));

const isOfAny = ({ etag, size, modified }: KeyCondition): boolean =>
  etag === "*" && size === undefined && modified === undefined;

/** 412 path.changed beside what `requireWritable` says. */
async function admitted(
  { resolved, storage }: Removing,
  key: string,
  condition: KeyCondition | undefined,
): Promise<RemovalTarget> {
  const at = resolved(key);
  const location = at.requireWritable("remove", isFolderKey(key));
  const stored = isFolderKey(key) ? `${location.key}/` : location.key;
  const head = condition && (await storage.store.head(stored));
  if (condition && (!head || !isMet(condition, head))) throw new Failure("path.changed");
  return { key: stored, at, location, version: condition && isOfAny(condition) ? undefined : head };
}

/** Asks of all of them what `admitted` asked. */
function mayRemoveAll(root: ResolvedPath, storage: Storage, targets: readonly RemovalTarget[]): Recheck {
  const mayRemove: Recheck = async () => {
    const now = await root.again();
    const yielder = createYielder();
    for (const { key, location } of targets) {
      await yielder.yieldIfDue();
      const there = now.at(location.path).requireWritable("remove", isFolderKey(key));
      if (there.mount.storage !== location.mount.storage || there.key !== location.key) throw new Failure("mount.none");
    }
  };
  const versions = targets.flatMap(({ version }) => (version ? [isThisVersion(storage, version)] : []));
  return all(mayRemove, ...versions);
}

/** Removes these for ever; of those that are still there answers why. */
async function removeAll(removing: Removing, targets: readonly RemovalTarget[]): Promise<Map<string, Failure>> {
  const files = targets.filter(isFile);
  const failures = new Map<string, Failure>();
  let failed: Failure | undefined;
  const remove = async (some: readonly RemovalTarget[], how: typeof removeFiles): Promise<void> => {
    failed ??= await orFailure(() => how(removing, some));
    if (failed) for (const { key } of some) failures.set(key, failed);
  };
  for (let from = 0; from < files.length; from += TOLD_TOGETHER)
    await remove(files.slice(from, from + TOLD_TOGETHER), removeFiles);
  await remove(
    targets.filter((one) => !isFile(one)),
    removeFolders,
  );
  return failures;
}

async function removeFiles({ root, storage }: Removing, files: readonly RemovalTarget[]): Promise<undefined> {
  const keys = files.map(({ key }) => key);
  await root.deps.transfers.objects.remove(storage, keys, mayRemoveAll(root, storage, files));
}

async function removeFolders({ root, storage }: Removing, folders: readonly RemovalTarget[]): Promise<undefined> {
  const beforeCommit = mayRemoveAll(root, storage, folders);
  for (const { key } of folders) await removeFolder(root, storage, key, beforeCommit);
}

/** Removes a folder without anything in it, or the object that marks one; says whether it is gone with all that was in it. */
async function removeFolder(
  { deps }: ResolvedPath,
  storage: Storage,
  key: string,
  beforeCommit: Recheck,
): Promise<boolean> {
  const { tree } = storage.store;
  const remove = () => (tree ? tree.removeEmpty(key, beforeCommit) : removeMark(storage, key, beforeCommit));
  // Only what is gone is told, because it is told with all below it.
  return await deps.transfers.objects.removeEmpty(storage, key, remove);
}

async function removeMark({ store }: Storage, key: string, beforeCommit: Recheck): Promise<boolean> {
  await store.remove([key], { beforeCommit });
  return (await store.list({ prefix: key, limit: 1 })).objects.length === 0;
}

/** Removes the folders above what was removed as far as they are empty, but not the caller's own base path. */
async function prune(root: ResolvedPath, storage: Storage, targets: readonly RemovalTarget[]): Promise<undefined> {
  /** Folders that are gone, or hold something: those are tried again when a folder in them has gone. */
  const tried = new Set<string>();
  for (const { key, at, location } of targets) {
    for (let folder = parentKey(key); folder !== "" && !tried.has(folder); folder = parentKey(folder)) {
      const path = `${location.mount.path}/${folder.slice(0, -1)}`;
      const beforeCommit: Recheck = async () => void (await root.again()).at(path).requireWritable("remove", true);
      tried.add(folder);
      if (!isPrunable(at.at(path)) || !(await removeFolder(root, storage, folder, beforeCommit))) break;
      tried.delete(parentKey(folder));
    }
  }
}

function isPrunable(at: ResolvedPath): boolean {
  try {
    at.requireWritable("remove", true);
    return at.caller.kind !== "key" || at.caller.basePath !== at.location.path.normalize("NFC");
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}
