import { Failure } from "#contract/failures";
import { within } from "#contract/paths";
import type { Verb } from "../access/rights.ts";
import { bearerOf } from "../access/standing.ts";
import { unforeseen } from "../lib/log.ts";
import { plainType, typeOfName } from "../lib/mime.ts";
import type { Confirm, Incoming, ObjectHead } from "../stores/store.ts";
import type { Storage } from "../stores/stores.ts";
import type { Access, Writable } from "./access.ts";
import { type Entry, fileEntry } from "./entry.ts";
import { folderKeyOf, type Location, type MountedLocation } from "./layout.ts";
import { parentKey } from "./listing.ts";
import { type Found, type FoundFile, isFile, isMounted, storageOf } from "./lookup.ts";
import { relocate } from "./relocate.ts";
import { createRemoving } from "./removing.ts";

/** What is written into a file. */
export interface Content {
  readonly body: Incoming;
  /** Undefined is what the name says. */
  readonly type?: string | undefined;
  /** Bytes; undefined when nobody knows. */
  readonly length: number | undefined;
  /** Writes only in place of this version: an ETag without quotes, or `*` for any. */
  readonly ifMatch?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface WrittenEntry {
  readonly entry: Entry;
  /** Of the object. */
  readonly key: string;
  readonly created: boolean;
}

/** How one file is copied. */
interface Copying {
  readonly overwrite: boolean;
  /** Called right before the copy, unless the file is skipped. */
  readonly begins?: (bytes: number) => Promise<void>;
  /** What was found at its path a moment ago, which is not looked for again where the storage makes the copy. */
  readonly met?: ObjectHead;
}

/** What became of one file that was to be copied. */
interface Copied {
  readonly outcome: "done" | "skipped";
  readonly bytes: number;
  /** Of what was copied. */
  readonly etag: string;
}

/** A place to write to, and what is there. */
export interface Target extends Writable {
  readonly storage: Storage;
  readonly found: Found | undefined;
}

/** The verbs that change the tree. Mounts themselves are nothing that they touch. */
export function createWriting(access: Access) {
  const { room, touch, reach, confirm, tokens = [] } = access;
  const { transfers, lookup, locks } = room;
  const by = bearerOf(access.caller);

  /** A place that a file may be written to; in the letters of what is there. 409 path.conflict for a place below a file. */
  const target = async (verb: Verb, path: string): Promise<Target> => {
    const { layout, location } = await reach(verb, path, false);
    const storage = await storageOf(transfers, location);
    const found = await lookup.find(layout, location);
    const spelled = found && isMounted(found.location) ? found.location : await lookup.spell(location);
    if (!found) await demandFolderAbove(storage, spelled);
    return { layout, location: spelled, storage, found };
  };

  /** Most stores know no folders and would let a file be one; and an upload that cannot be is best refused before its bytes. */
  const demandFolderAbove = async ({ store }: Storage, { key }: MountedLocation): Promise<void> => {
    const names = key.split("/").slice(0, -1);
    const above = names.map((_, index) => names.slice(0, index + 1).join("/"));
    const files = await Promise.all(above.map((one) => store.head(one)));
    if (files.some((one) => one !== undefined)) throw new Failure("path.conflict");
  };

  /**
   * Of two that saw the same version only one may write, and of two that go to one place only one may get there, also by another
   * mount of the storage.
   */
  const alone = <Result>(locations: readonly Location[], task: () => Promise<Result>): Promise<Result> => {
    const names = locations.map(({ mount, key }) => `${mount?.storage} ${key.normalize("NFC")}`);
    return room.inTurn(names, task);
  };

  /** A folder of a storage that only knows keys would vanish with the last thing in it. */
  const keepFolder = async (storage: Storage, key: string): Promise<void> => {
    if (key === "" || storage.store.tree) return;
    try {
      const { objects, folders } = await storage.store.list({ prefix: key, delimiter: "/", limit: 1 });
      if (objects.length + folders.length === 0) await transfers.objects.makeFolder(storage, key, allowed);
    } catch (error) {
      // What was to be done is done: a folder that vanishes must not make it a failure.
      room.log.warn("empty folder not kept", { storage: storage.config.id, ...unforeseen(error) });
    }
  };

  const write = async (path: string, content: Content): Promise<WrittenEntry> => {
    const { location, storage, found } = await target("write", path);
    if (location.folder || (found && !isFile(found))) throw new Failure("path.isFolder");
    const before = found && isFile(found) ? found.head : undefined;
    const { ifMatch, body, type, length, signal } = content;
    if (ifMatch !== undefined && (!before || (ifMatch !== "*" && ifMatch !== before.etag)))
      throw new Failure("path.changed");
    const request = {
      policy: "replace",
      storage,
      key: location.key,
      type: plainType(type) ?? typeOfName(location.key),
      size: length,
      found: before,
      by,
    } as const;
    const head = await transfers.uploads.put(request, { body, signal, confirm: confirm("write", location) });
    return { entry: fileEntry(location.path, head), key: head.key, created: before === undefined };
  };

  /** Folders above that are not there are made too, so that they stay when this one goes. */
  const makeFolders = async (storage: Storage, key: string, mayMake: Confirm): Promise<void> => {
    const above = parentKey(key);
    const known = above === "" || storage.store.tree !== undefined || (await storage.store.head(above)) !== undefined;
    if (!known) await makeFolders(storage, above, mayMake);
    await transfers.objects.makeFolder(storage, key, mayMake);
  };

  const mkdir = async (verb: "mkdir" | "copy", path: string): Promise<boolean> => {
    const { layout, location } = await touch(verb, path);
    if (location.path === "/") throw new Failure("path.root");
    const found = await lookup.find(layout, { ...location, folder: false });
    if (found && !isFile(found)) return false;
    if (found) throw new Failure("path.taken");
    if (!isMounted(location)) throw new Failure("mount.none");
    locks.demandFree({ path: location.path.normalize("NFC"), deep: false, tokens });
    const storage = await storageOf(transfers, location);
    const spelled = await lookup.spell(location);
    await demandFolderAbove(storage, spelled);
    await makeFolders(storage, folderKeyOf(spelled), confirm(verb, spelled));
    return true;
  };

  const move = async (from: string, to: string): Promise<void> => {
    const source = await reach("move", from, true);
    const found = await lookup.get(source.layout, source.location);
    const there = await reach("move", to, true);
    if (!isMounted(found.location) || found.location.mount.id !== there.location.mount.id)
      throw new Failure("path.otherMount");
    const [before, after] = [found.location.path, there.location.path];
    if (within(before, after)) throw new Failure("path.into");
    if (await lookup.find(there.layout, { ...there.location, folder: false })) throw new Failure("path.taken");
    const storage = await storageOf(transfers, there.location);
    const spelled = await lookup.spell(there.location);
    await demandFolderAbove(storage, spelled);
    const { objects } = transfers;
    const target = isFile(found) ? spelled.key : folderKeyOf(spelled);
    const both = all(confirm("move", found.location, true), confirm("move", spelled, true));
    await objects.writing(storage, target, () =>
      relocate({ storage, objects, forget: room.listings.follow, found, to: spelled.key, confirm: both }),
    );
    await keepFolder(storage, parentKey(found.location.key));
    locks.drop(before.normalize("NFC"));
  };

  /** Asks once more whether the caller may copy from a path. */
  const confirmCopied =
    (path: string): Confirm =>
    async () =>
      void (await (await access.again()).touch("copy", path));

  return {
    /** Says what stands where one might write. 403 path.root, path.mount; 404 mount.none; 423 path.locked. */
    target,

    /**
     * Writes a whole file in place of what is there, or makes it. 400 path.isFolder, 409 path.conflict, 412 path.changed,
     * 413 file.tooLarge, 507 storage.full; 400 upload.length when less arrives than was said.
     */
    async write(path: string, content: Content): Promise<WrittenEntry> {
      if (content.ifMatch === undefined) return await write(path, content);
      const { location } = await touch("write", path);
      return await alone([location], () => write(path, content));
    },

    /** Makes a folder and those above it; answers whether it was not there before. 409 path.taken where a file is. */
    mkdir: (path: string): Promise<boolean> => mkdir("mkdir", path),

    /** As `mkdir`, where a folder is copied to. */
    copyFolder: (path: string): Promise<boolean> => mkdir("copy", path),

    /** Refuses what the caller, with the rights of this moment, could not do to a path. 401, 403, 404, 423. */
    async demand(verb: Verb, path: string): Promise<void> {
      await (await access.again()).reach(verb, path, false);
    },

    /**
     * Moves a file or a folder within its mount, never in place of anything. 404 path.missing; 409 path.taken; 400 path.into,
     * path.otherMount.
     */
    async move(from: string, to: string): Promise<void> {
      const [source, there] = [await touch("move", from), await touch("move", to)];
      await alone([source.location, there.location], () => move(from, to));
    },

    /**
     * Copies one file, over what is there or not. What was `met` at its path a moment ago is not looked for again where the storage
     * makes the copy. 404 path.missing; 400 path.isFolder, path.into; 413, 507.
     */
    async copyFile(from: string, to: string, { overwrite, begins, met }: Copying): Promise<Copied> {
      const source = await touch("copy", from);
      const known = met && sameFile(source.location, (await touch("copy", to)).location, met);
      const found = known ?? (await lookup.get(source.layout, source.location));
      if (!isFile(found)) throw new Failure("path.isFolder");
      const { location, storage, found: before } = await target("copy", to);
      if (before && !isFile(before)) throw new Failure("path.taken");
      const { head } = found;
      const { etag, size: bytes } = head;
      if (found.location.mount.bucket === location.mount.bucket && head.key === location.key)
        throw new Failure("path.into");
      if (before && !overwrite) return { outcome: "skipped", bytes: 0, etag };
      const replaced = before && isFile(before) ? before.head : undefined;
      const both = all(confirmCopied(found.location.path), confirm("copy", location));
      await begins?.(bytes);
      if (found.location.mount.storage === location.mount.storage) {
        const copy = { from: head, to: location.key, replaces: replaced?.size ?? 0, confirm: both };
        if (!(await transfers.objects.copy(storage, copy))) throw new Failure("path.missing");
        return { outcome: "done", bytes, etag };
      }
      const read = await transfers.read({ storage: found.location.mount.storage, key: head.key }, undefined, head);
      if (!read) throw new Failure("path.missing");
      const { key } = location;
      const request = { policy: "replace", storage, key, type: head.type, size: bytes, found: replaced, by } as const;
      await transfers.uploads.put(request, { body: new Response(read.body), confirm: both });
      return { outcome: "done", bytes, etag };
    },

    ...createRemoving({ room, reach, confirm, keepFolder }),
  };
}

/** One after the other. */
const all =
  (...confirms: readonly Confirm[]): Confirm =>
  async () => {
    for (const confirm of confirms) await confirm();
  };

/** Of what only follows from an effect that was confirmed. */
const allowed: Confirm = async () => undefined;

/** What was met at a location, if that is still where it is and a copy to the other location stays in its storage. */
function sameFile(location: Location, other: Location, head: ObjectHead): FoundFile | undefined {
  if (!isMounted(location) || location.key !== head.key || location.mount.storage !== other.mount?.storage)
    return undefined;
  return { location, head, entry: fileEntry(location.path, head) };
}

export type Writing = ReturnType<typeof createWriting>;
