import { Failure } from "#contract/failures";
import { join, nameOf, parentOf } from "#contract/paths";
import { bearerOf } from "../access/callers.ts";
import type { Verb } from "../access/rights.ts";
import type { Digesting } from "../lib/digests/digests.ts";
import type { KeptHeaders } from "../lib/kept-headers.ts";
import { unforeseen } from "../lib/log.ts";
import { plainType, typeOfName } from "../lib/mime.ts";
import {
  type FindPlace,
  type Incoming,
  isBelowFile,
  type ObjectHead,
  type Recheck,
  type TakeTurn,
} from "../stores/store.ts";
import type { Storage } from "../stores/stores.ts";
import type { SenderDetails } from "../transfers/arrivals.ts";
import { all, type ResolvedPath, type TreeDeps } from "./access.ts";
import { type Entry, type Found, fileEntry, isFile, isMounted, type Location, type MountedLocation } from "./entry.ts";
import { folderKeyOf } from "./layout.ts";
import { parentKey } from "./listing.ts";
import { storageOf } from "./lookup.ts";

/** What is written into a file. */
export interface Content {
  readonly body: Incoming;
  /** Undefined is what the name says. */
  readonly type?: string | undefined;
  /** Bytes; undefined when nobody knows. */
  readonly length: number | undefined;
  /** Writes only in place of this version: an ETag without quotes, or `*` for any. */
  readonly ifMatch?: string | undefined;
  /** Writes only where no file is. */
  readonly ifNone?: boolean | undefined;
  /** Whatever else must hold of what is there: asked right before the file becomes visible, and its error stops that. */
  readonly condition?: Recheck | undefined;
  /** Whether a storage elsewhere gets a long file in parts; else in one piece. */
  readonly inParts?: boolean | undefined;
  /** Kept with the file. */
  readonly headers?: KeptHeaders | undefined;
  /** Of the file, as `x-amz-tagging` writes them; none unless said. */
  readonly tags?: string | undefined;
  /** Checked before the file becomes visible. */
  readonly digesting?: Digesting | undefined;
  /** Where it goes when all of it has come, for what takes no place of something. */
  readonly findPlace?: FindPlace | undefined;
  /** What whoever sends it by a link says. */
  readonly said?: SenderDetails | undefined;
}

export interface WrittenEntry {
  readonly entry: Entry;
  /** Of the object. */
  readonly key: string;
  readonly created: boolean;
}

/** A place to write to, and what is there. */
export interface Target {
  /** In the letters of what is there. */
  readonly location: MountedLocation;
  readonly storage: Storage;
  readonly found: Found | undefined;
}

/** Says what is where a file may be written. 403 path.root, path.mount; 404 mount.none; 409 path.conflict below a file; 423 path.locked. */
export async function targetOf(at: ResolvedPath, verb: Verb): Promise<Target> {
  const location = at.requireWritable(verb, false);
  const { lookup, transfers } = at.deps;
  const storage = await storageOf(transfers, location);
  const found = await lookup.find(at.layout, location);
  const spelled = found && isMounted(found.location) ? found.location : await lookup.spellAbove(location);
  if (!found) {
    await at.requireNameFree();
    await requireFolderAbove(storage, spelled);
  }
  return { location: spelled, storage, found };
}

/** Most stores know no folders and would let a file be one; and an upload that cannot be is best refused before its bytes. */
export async function requireFolderAbove({ store }: Storage, { key }: MountedLocation): Promise<void> {
  if (await isBelowFile(store, key)) throw new Failure("path.conflict");
}

/**
 * Of two that saw the same version only one may write, and of two that go to one place only one may get there, also by another
 * mount, and by another storage on the same bucket.
 */
export function exclusively<Result>(
  { deps, signal }: Pick<ResolvedPath, "deps" | "signal">,
  locations: readonly Location[],
  task: () => Promise<Result>,
): Promise<Result> {
  const names = locations.map(({ mount, key }) => `${mount?.bucket} ${key.normalize("NFC")}`);
  return deps.inTurn(names, task, { signal });
}

/** As `exclusively`, for what a store publishes when all of its bytes are there: however slowly they came, nobody had to wait for them. */
export const turnAt =
  (at: ResolvedPath): TakeTurn =>
  () =>
    new Promise((resolve, reject) => {
      const publish = () => new Promise<void>((over) => resolve(over));
      exclusively(at, [at.location], publish).catch(reject);
    });

/** Keeps a folder of a storage that only knows keys, where it would vanish with the last thing in it. */
export async function keepFolder({ transfers, log }: TreeDeps, storage: Storage, key: string): Promise<void> {
  if (key === "" || storage.store.tree) return;
  try {
    const { objects, folders } = await storage.store.list({ prefix: key, delimiter: "/", limit: 1 });
    if (objects.length + folders.length === 0) await transfers.objects.makeFolder(storage, key, noCondition);
  } catch (error) {
    // What was to be done is done: a folder that vanishes must not make it a failure.
    log.warn("empty folder not kept", { storage: storage.config.id, ...unforeseen(error) });
  }
}

/** Writes a whole file in place of what is there, or makes it. 400 path.isFolder, 409 path.conflict, 412 path.changed, 413, 507. */
export async function put(at: ResolvedPath, content: Content): Promise<WrittenEntry> {
  const { ifMatch, ifNone, condition, body, type, length, inParts, headers, tags = "", digesting } = content;
  const { location, storage, found } = await targetOf(at, "write");
  if (location.folder || (found && !isFile(found) && !content.findPlace)) throw new Failure("path.isFolder");
  if (!content.findPlace) requireNew(at, found);
  const before = !content.findPlace && found && isFile(found) ? found.head : undefined;
  requireVersion(content, before?.etag);
  await at.deps.properties.requireTags(storage.config.id, tags);
  const request = {
    policy: "replace",
    storage,
    key: location.key,
    type: plainType(type) ?? typeOfName(location.key),
    size: length,
    headers,
    tags,
    found: before,
    by: bearerOf(at.caller),
  } as const;
  const newCheck = recheckNew(at);
  const mayWrite = all(at.recheck("write", location), ...[condition, newCheck].filter((one) => one !== undefined));
  const isOfVersion = ifMatch !== undefined || ifNone === true;
  const versionCheck: Recheck = async () => requireVersion(content, await etagAt(at));
  const beforeCommit = isOfVersion ? all(mayWrite, versionCheck) : mayWrite;
  const turn = isOfVersion || condition || newCheck ? turnAt(at) : undefined;
  const findPlace = withCondition(content.findPlace, condition);
  const how = { body, signal: at.signal, beforeCommit, turn, findPlace, inParts, digesting };
  const head = await at.deps.transfers.uploads.put(request, how);
  return { entry: entryNear(location, head), key: head.key, created: before === undefined };
}

const withCondition = (findPlace: FindPlace | undefined, condition: Recheck | undefined): FindPlace | undefined =>
  findPlace && condition
    ? async () => {
        const place = await findPlace();
        return { ...place, beforeCommit: all(place.beforeCommit, condition) };
      }
    : findPlace;

/** A file that has come to a location, or beside it where that was taken. */
export const entryNear = ({ path, key }: Pick<MountedLocation, "path" | "key">, head: ObjectHead): Entry =>
  fileEntry(head.key === key ? path : join(parentOf(path), nameOf(head.key)), head);

/** Refuses to write in place of a file, or of none, that the writer does not mean. 412 path.changed. */
function requireVersion({ ifMatch, ifNone }: Pick<Content, "ifMatch" | "ifNone">, etag: string | undefined): void {
  const isMet = ifMatch === undefined || (etag !== undefined && (ifMatch === "*" || ifMatch === etag));
  if (!isMet || (ifNone && etag !== undefined)) throw new Failure("path.changed");
}

async function etagAt({ deps, layout, location }: ResolvedPath): Promise<string | undefined> {
  const found = await deps.lookup.find(layout, location);
  return found && isFile(found) ? found.head.etag : undefined;
}

/** What comes by a link never takes the place of what is there. 409 path.taken. */
export function requireNew({ caller }: Pick<ResolvedPath, "caller">, found: Found | undefined): void {
  if (caller.kind === "link" && found) throw new Failure("path.taken");
}

/** As `requireNew`, right before something becomes visible; undefined for those who may replace what is there. */
export const recheckNew = (at: ResolvedPath): Recheck | undefined =>
  at.caller.kind === "link"
    ? async () => requireNew(at, await at.deps.lookup.find(at.layout, { ...at.location, folder: false }))
    : undefined;

/** Refuses to replace what somebody without conditions has written meanwhile. 412 path.changed. */
export const recheckVersion =
  (at: ResolvedPath, etag: string | undefined): Recheck =>
  async () => {
    if ((await etagAt(at)) !== etag) throw new Failure("path.changed");
  };

/** Makes a folder and those above it; reports whether it was missing. `copy` is the verb where a folder is copied to. 409 path.taken. */
export async function mkdir(at: ResolvedPath, verb: "mkdir" | "copy"): Promise<boolean> {
  at.requireInBasePath(verb);
  const { location } = at;
  if (location.path === "/") throw new Failure("path.root");
  // Of several that make one folder one has made it, also where a storage only knows keys and would take it from each.
  return await exclusively(at, [location], () => makeMissing(at, verb));
}

async function makeMissing(
  { layout, location, deps, tokens = [], recheck }: ResolvedPath,
  verb: "mkdir" | "copy",
): Promise<boolean> {
  const found = await deps.lookup.find(layout, { ...location, folder: false });
  if (found && !isFile(found)) return false;
  if (found) throw new Failure("path.taken");
  if (!isMounted(location)) throw new Failure("mount.none");
  deps.locks.requireFree({ paths: layout.paths(location), deep: false, member: true, tokens });
  const storage = await storageOf(deps.transfers, location);
  const spelled = await deps.lookup.spellAbove(location);
  await requireFolderAbove(storage, spelled);
  await makeFolders(deps, storage, folderKeyOf(spelled), recheck(verb, spelled));
  return true;
}

/** Makes folders above that are not there too, so that they stay when this one goes. */
async function makeFolders(deps: TreeDeps, storage: Storage, key: string, beforeCommit: Recheck): Promise<void> {
  const above = parentKey(key);
  const known = above === "" || storage.store.tree !== undefined || (await storage.store.head(above)) !== undefined;
  if (!known) await makeFolders(deps, storage, above, beforeCommit);
  await deps.transfers.objects.makeFolder(storage, key, beforeCommit);
}

/** Asks nothing: there is no condition, or what is done only follows from an effect that was confirmed. */
export const noCondition: Recheck = async () => undefined;
