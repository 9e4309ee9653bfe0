import { Failure } from "#contract/failures";
import { join, nameOf, nameWith, parentOf, within } from "#contract/paths";
import { bearerOf } from "../access/callers.ts";
import { ownerName } from "../access/principal.ts";
import type { Verb } from "../access/rights.ts";
import { bodyStream, responseOf } from "../lib/open-file.ts";
import type { Described, ObjectHead, Recheck } from "../stores/store.ts";
import { objectName } from "../transfers/reservations.ts";
import { all, type ResolvedPath } from "./access.ts";
import { type FoundFile, fileEntry, isFile, isMounted, type Location } from "./entry.ts";
import { folderKeyOf, holds } from "./layout.ts";
import { storageOf } from "./lookup.ts";
import { exclusively, noCondition, recheckVersion, type Target, targetOf } from "./write.ts";

/** How one file is copied. */
export interface Copying {
  readonly overwrite: boolean;
  /** Replaces only this version: an ETag without quotes, or `*` for any. 412 path.changed. */
  readonly ifMatch?: string | undefined;
  /** Called right before the copy, unless the file is skipped. */
  readonly begins?: ((bytes: number) => Promise<void>) | undefined;
  /** What was found at its path a moment ago, which is not looked for again where the storage makes the copy. */
  readonly met?: ObjectHead | undefined;
  /** What is said of the copy in place of what is said of the file, which may then be its own copy. */
  readonly described?: Described | undefined;
  /** Tags of the copy in place of those of the file. */
  readonly tags?: string | undefined;
  /** Whatever else must hold: asked right before the copy is there, and its error stops that. */
  readonly condition?: Recheck | undefined;
  /** What must hold of the file: asked of the very version that is copied, and its error stops that. */
  readonly requireSource?: ((head: ObjectHead) => void) | undefined;
}

/** What became of one file that was to be copied. */
export interface Copied {
  readonly outcome: "done" | "skipped";
  readonly bytes: number;
  /** Of what was copied. */
  readonly etag: string;
  /** The copy, unless it was skipped. */
  readonly made?: ObjectHead;
}

/** Random names that are tried for one copy. */
const SUFFIX_TRIES = 5;
/** Times that a file is looked for again because it has changed before it was copied. */
const CHANGED_TRIES = 3;
/** Numbers that are tried for one copy. */
const NUMBER_TRIES = 1000;

/** Copies one file, over what is there or not. 404 path.missing; 400 path.isFolder, path.into; 409 path.taken; 413, 507. */
export async function copyFile(from: ResolvedPath, to: ResolvedPath, how: Copying): Promise<Copied> {
  from.requireInBasePath("copy");
  to.requireInBasePath("copy");
  // Who may copy brings bytes along with what is said of them; to say something else of them is to write.
  if (saysMore(how)) to.requireInBasePath("write");
  if (how.overwrite && how.ifMatch === undefined && !how.condition) return await copy(from, to, how);
  return await exclusively(from, [to.location], () => copy(from, to, how));
}

/** Whether a copy gets anything that its source has not. */
const saysMore = ({ described, tags }: Copying): boolean => described !== undefined || tags !== undefined;

/** 409 path.conflict for a file that changes faster than it is copied. */
async function copy(from: ResolvedPath, to: ResolvedPath, how: Copying): Promise<Copied> {
  const again = { ...how, met: undefined, begins: undefined };
  for (let tries = 0; tries < CHANGED_TRIES; tries++) {
    if (tries > 0) await how.condition?.();
    const copied = await copyVersion(from, to, tries === 0 ? how : again);
    if (copied) return copied;
  }
  throw new Failure("path.conflict");
}

/** Copies the version that is there now; undefined when it has changed before that. */
async function copyVersion(from: ResolvedPath, to: ResolvedPath, how: Copying): Promise<Copied | undefined> {
  const { overwrite, ifMatch, met, described } = how;
  const { lookup } = from.deps;
  const known = met && sameFile(from.location, to.location, met);
  const found = known ?? (await lookup.get(from.layout, from.location));
  if (!isFile(found)) throw new Failure("path.isFolder");
  const { location, storage, found: before } = await targetOf(to, "copy");
  if (before && !isFile(before)) throw new Failure("path.taken");
  const { head } = found;
  how.requireSource?.(head);
  const isSame = found.location.mount.bucket === location.mount.bucket && head.key === location.key;
  if (isSame && !described) throw new Failure("path.into");
  const skipped = { outcome: "skipped", bytes: 0, etag: head.etag } as const;
  if (before && !overwrite) return skipped;
  const replaced = before && isFile(before) ? before.head : undefined;
  if (ifMatch !== undefined && (!replaced || (ifMatch !== "*" && ifMatch !== replaced.etag)))
    throw new Failure("path.changed");
  const mayWrite = saysMore(how) ? [to.recheck("write", location)] : [];
  const sourceCheck = await unchanged(from.at(found.location.path), found, {
    storage: storage.config.id,
    isConditional: how.condition !== undefined || how.requireSource !== undefined,
  });
  const others = [how.condition ?? noCondition, sourceCheck];
  const mayCopy = all(mayStillCopy(from.at(found.location.path)), to.recheck("copy", location), ...mayWrite, ...others);
  const isConditional = ifMatch !== undefined || !overwrite;
  const beforeCommit = isConditional ? all(mayCopy, recheckVersion(to, replaced?.etag)) : mayCopy;
  const tags = how.tags ?? (await from.deps.properties.tags({ storage: found.location.mount.storage, key: head.key }));
  await from.deps.properties.requireTags(storage.config.id, tags);
  await how.begins?.(head.size);
  try {
    const made = await make({ found, to, location, storage, replaced, described, tags, beforeCommit });
    return made && { outcome: "done", bytes: head.size, etag: head.etag, made };
  } catch (error) {
    // What was read may have been another file then.
    if (error instanceof Failure && !(await isMet(sourceCheck))) return undefined;
    // Somebody else's file got there first.
    if (!overwrite && error instanceof Failure && error.code === "path.changed") return skipped;
    throw error;
  }
}

/**
 * Asks whether a file is still what was found: a disk opens it later than it is found where it is read for another storage, and Ceph copies
 * whatever is there, although it is told the version.
 */
async function unchanged(from: ResolvedPath, { location, head }: FoundFile, how: Unchanged): Promise<Recheck> {
  const versionCheck = recheckVersion(from, head.etag);
  if (location.mount.storage === how.storage) return how.isConditional ? versionCheck : noCondition;
  const { store } = await storageOf(from.deps.transfers, location);
  return store.tree ? versionCheck : noCondition;
}

interface Unchanged {
  /** Where the copy goes. */
  readonly storage: string;
  /** Whether anything must hold of the file. */
  readonly isConditional: boolean;
}

async function isMet(condition: Recheck): Promise<boolean> {
  try {
    await condition();
    return true;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}

/** A copy of what was found that may be made. */
interface Making extends Pick<Copying, "described">, Pick<Target, "location" | "storage"> {
  readonly found: FoundFile;
  readonly to: ResolvedPath;
  readonly replaced: ObjectHead | undefined;
  readonly tags: string;
  readonly beforeCommit: Recheck;
}

/** By the storage itself, or through this server to another one. Undefined when what was found is not there any more. */
async function make(making: Making): Promise<ObjectHead | undefined> {
  const { found, to, location, storage, replaced, described, tags, beforeCommit } = making;
  const { transfers } = to.deps;
  const { head } = found;
  const { mount } = found.location;
  const { key } = location;
  if (mount.storage === location.mount.storage) {
    const owner = ownerName(to.caller);
    const copy = { from: head, to: key, replaces: replaced?.size ?? 0, beforeCommit, described, tags, owner };
    return await transfers.objects.copy(storage, copy);
  }
  const read = await transfers.read({ storage: mount.storage, key: head.key }, undefined, head);
  if (!read) return undefined;
  const by = bearerOf(to.caller);
  const { type, headers } = described ?? head;
  const request = {
    policy: "replace",
    storage,
    key,
    type,
    headers,
    tags,
    size: head.size,
    found: replaced,
    by,
  } as const;
  return await transfers.uploads.put(request, { body: responseOf(read.body), beforeCommit });
}

/** Asks once more whether the caller may copy from a path. */
const mayStillCopy =
  (from: ResolvedPath): Recheck =>
  async () =>
    (await from.again()).requireInBasePath("copy");

/** What was met at a location, if that is still where it is and a copy to the other location stays in its storage. */
function sameFile(location: Location, other: Location, head: ObjectHead): FoundFile | undefined {
  if (!isMounted(location) || location.key !== head.key || location.mount.storage !== other.mount?.storage)
    return undefined;
  return { location, head, entry: fileEntry(location.path, head) };
}

/**
 * Refuses to copy or move something into itself, also where a storage is shown twice: there would be no end to it. 400 path.into.
 */
export async function requireDisjoint(verb: Verb, from: ResolvedPath, to: ResolvedPath): Promise<void> {
  from.requireInBasePath(verb);
  to.requireInBasePath(verb);
  const { lookup } = from.deps;
  const spelled = (location: Location) => (isMounted(location) ? lookup.spell(location) : location);
  const key = folderKeyOf(await spelled(to.location));
  const isInside = from.layout
    .spans(await spelled(from.location))
    .some((span) => span.mount.bucket === to.location.mount?.bucket && holds(span, key));
  if (isInside || within(from.location.path, to.location.path)) throw new Failure("path.into");
}

/** A path like this one at which nothing is: `name(1).txt` of a file, `name(1)` of a folder, and so on. 409 path.taken after a thousand. */
export async function numberedPath(at: ResolvedPath, verb: Verb): Promise<string> {
  const { path } = at.location;
  const found = await at.find(verb);
  const kind = found && isFile(found) ? "file" : "folder";
  for (let number = 1; number <= NUMBER_TRIES; number++) {
    const free = join(parentOf(path), nameWith(nameOf(path), `(${number})`, kind));
    if (!(await at.at(free).find(verb))) return free;
  }
  throw new Failure("path.taken");
}

/**
 * Where a copy of a file goes: the path itself, or one like it with a random suffix when a file is there and the setting
 * file_naming_strategy says that none is replaced. WebDAV and S3 have rules of their own and always get the path. 409 path.taken.
 */
export async function copyTarget(at: ResolvedPath): Promise<ResolvedPath> {
  const { path } = at.location;
  if (at.protocol !== "mount" || at.deps.settings.get("file_naming_strategy") !== "random_suffix") return at;
  const found = await at.find("copy");
  if (!found || !isFile(found)) return at;
  for (let attempt = 1; attempt <= SUFFIX_TRIES; attempt++) {
    const free = at.at(join(parentOf(path), objectName(nameOf(path), attempt)));
    if (!(await free.find("copy"))) return free;
  }
  throw new Failure("path.taken");
}

/** Whether there are files with the same bytes at two paths; mostly both are read for it. */
export async function areSame(one: ResolvedPath, other: ResolvedPath): Promise<boolean> {
  const [first, second] = [await fileAt(one), await fileAt(other)];
  if (!first || !second || first.head.size !== second.head.size) return false;
  if (first.head.etag === second.head.etag) return true;
  const [digest, another] = await Promise.all([digestOf(one, first), digestOf(other, second)]);
  return digest !== undefined && digest === another;
}

async function fileAt(at: ResolvedPath): Promise<FoundFile | undefined> {
  const found = await at.find("copy");
  return found && isFile(found) ? found : undefined;
}

/** The digest of a file's bytes; undefined when it has changed since it was found. */
async function digestOf({ deps }: ResolvedPath, { location, head }: FoundFile): Promise<string | undefined> {
  const read = await deps.transfers.read({ storage: location.mount.storage, key: head.key }, undefined, head);
  if (!read) return undefined;
  const hash = new Bun.CryptoHasher("sha256");
  for await (const chunk of bodyStream(read.body)) hash.update(chunk);
  return hash.digest("hex");
}
