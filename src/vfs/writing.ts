import { Failure } from "#contract/failures";
import { bearerOf } from "../access/callers.ts";
import type { Verb } from "../access/rights.ts";
import type { Digesting } from "../lib/digests.ts";
import type { KeptHeaders } from "../lib/kept-headers.ts";
import { unforeseen } from "../lib/log.ts";
import { plainType, typeOfName } from "../lib/mime.ts";
import { type Confirm, type Incoming, isBelowFile } from "../stores/store.ts";
import type { Storage } from "../stores/stores.ts";
import { all, type Reached, type TreeDeps } from "./access.ts";
import { type Entry, fileEntry } from "./entry.ts";
import { folderKeyOf, type Location, type MountedLocation } from "./layout.ts";
import { parentKey } from "./listing.ts";
import { type Found, isFile, isMounted, storageOf } from "./lookup.ts";

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
  readonly condition?: Confirm | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whether a storage elsewhere gets a long file in parts; else in one piece. */
  readonly inParts?: boolean | undefined;
  /** Kept with the file. */
  readonly headers?: KeptHeaders | undefined;
  /** Of the file, as `x-amz-tagging` writes them; none unless said. */
  readonly tags?: string | undefined;
  /** Checked before the file becomes visible. */
  readonly digesting?: Digesting | undefined;
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
export async function targetOf(at: Reached, verb: Verb): Promise<Target> {
  const location = at.demandChange(verb, false);
  const { lookup, transfers } = at.deps;
  const storage = await storageOf(transfers, location);
  const found = await lookup.find(at.layout, location);
  const spelled = found && isMounted(found.location) ? found.location : await lookup.spellAbove(location);
  if (!found) {
    await at.demandName();
    await demandFolderAbove(storage, spelled);
  }
  return { location: spelled, storage, found };
}

/** Most stores know no folders and would let a file be one; and an upload that cannot be is best refused before its bytes. */
export async function demandFolderAbove({ store }: Storage, { key }: MountedLocation): Promise<void> {
  if (await isBelowFile(store, key)) throw new Failure("path.conflict");
}

/**
 * Of two that saw the same version only one may write, and of two that go to one place only one may get there, also by another
 * mount of the storage.
 */
export function alone<Result>({ inTurn }: TreeDeps, locations: readonly Location[], task: () => Promise<Result>) {
  const names = locations.map(({ mount, key }) => `${mount?.storage} ${key.normalize("NFC")}`);
  return inTurn(names, task);
}

/** Keeps a folder of a storage that only knows keys, where it would vanish with the last thing in it. */
export async function keepFolder({ transfers, log }: TreeDeps, storage: Storage, key: string): Promise<void> {
  if (key === "" || storage.store.tree) return;
  try {
    const { objects, folders } = await storage.store.list({ prefix: key, delimiter: "/", limit: 1 });
    if (objects.length + folders.length === 0) await transfers.objects.makeFolder(storage, key, allowed);
  } catch (error) {
    // What was to be done is done: a folder that vanishes must not make it a failure.
    log.warn("empty folder not kept", { storage: storage.config.id, ...unforeseen(error) });
  }
}

/** As Node.put. */
export async function put(at: Reached, content: Content): Promise<WrittenEntry> {
  if (content.ifMatch === undefined && !content.ifNone && !content.condition) return await write(at, content);
  at.demandTouch("write");
  return await alone(at.deps, [at.location], () => write(at, content));
}

async function write(
  at: Reached,
  { ifMatch, ifNone, condition, body, type, length, signal, inParts, headers, tags = "", digesting }: Content,
): Promise<WrittenEntry> {
  const { location, storage, found } = await targetOf(at, "write");
  if (location.folder || (found && !isFile(found))) throw new Failure("path.isFolder");
  const before = found && isFile(found) ? found.head : undefined;
  if (ifMatch !== undefined && (!before || (ifMatch !== "*" && ifMatch !== before.etag)))
    throw new Failure("path.changed");
  if (ifNone && before) throw new Failure("path.changed");
  await at.deps.properties.demandTags(storage.config.id, tags);
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
  const mayWrite = condition ? all(at.confirm("write", location), condition) : at.confirm("write", location);
  const isConditional = ifMatch !== undefined || ifNone === true;
  const confirm = isConditional ? all(mayWrite, isStill(at, before?.etag)) : mayWrite;
  const head = await at.deps.transfers.uploads.put(request, { body, signal, confirm, inParts, digesting });
  return { entry: fileEntry(location.path, head), key: head.key, created: before === undefined };
}

/** Refuses to replace what somebody without conditions has written meanwhile. 412 path.changed. */
export const isStill =
  ({ deps, layout, location }: Reached, etag: string | undefined): Confirm =>
  async () => {
    const found = await deps.lookup.find(layout, location);
    const now = found && isFile(found) ? found.head.etag : undefined;
    if (now !== etag) throw new Failure("path.changed");
  };

/** As Node.mkdir; `copy` is the verb where a folder is copied to. */
export async function mkdir(at: Reached, verb: "mkdir" | "copy"): Promise<boolean> {
  at.demandTouch(verb);
  const { location, deps } = at;
  if (location.path === "/") throw new Failure("path.root");
  // Of several that make one folder one has made it, also where a storage only knows keys and would take it from each.
  return await alone(deps, [location], () => makeMissing(at, verb));
}

async function makeMissing(
  { layout, location, deps, tokens = [], confirm }: Reached,
  verb: "mkdir" | "copy",
): Promise<boolean> {
  const found = await deps.lookup.find(layout, { ...location, folder: false });
  if (found && !isFile(found)) return false;
  if (found) throw new Failure("path.taken");
  if (!isMounted(location)) throw new Failure("mount.none");
  deps.locks.demandFree({ paths: layout.paths(location), deep: false, member: true, tokens });
  const storage = await storageOf(deps.transfers, location);
  const spelled = await deps.lookup.spellAbove(location);
  await demandFolderAbove(storage, spelled);
  await makeFolders(deps, storage, folderKeyOf(spelled), confirm(verb, spelled));
  return true;
}

/** Makes folders above that are not there too, so that they stay when this one goes. */
async function makeFolders(deps: TreeDeps, storage: Storage, key: string, confirm: Confirm): Promise<void> {
  const above = parentKey(key);
  const known = above === "" || storage.store.tree !== undefined || (await storage.store.head(above)) !== undefined;
  if (!known) await makeFolders(deps, storage, above, confirm);
  await deps.transfers.objects.makeFolder(storage, key, confirm);
}

/** Of what only follows from an effect that was confirmed. */
export const allowed: Confirm = async () => undefined;
