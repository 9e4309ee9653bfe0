import { Failure } from "#contract/failures";
import { within } from "#contract/paths";
import type { Verb } from "../access/rights.ts";
import { plainType, typeOfName } from "../lib/mime.ts";
import { unforeseen } from "../lib/unforeseen.ts";
import type { Incoming } from "../stores/store.ts";
import type { Storage } from "../stores/stores.ts";
import { type Entry, fileEntry } from "./entry.ts";
import { type Found, isFile, isMounted, storageOf } from "./finding.ts";
import { folderKeyOf, type MountedSpot, type Spot } from "./layout.ts";
import { parentKey } from "./listing.ts";
import { relocate } from "./relocate.ts";
import { createRemoving } from "./removing.ts";
import type { Access, Reached } from "./tree-access.ts";

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

export interface WrittenEntry {
  readonly entry: Entry;
  /** Of the object. */
  readonly key: string;
  readonly created: boolean;
}

/** What became of one file that was to be copied. */
export interface Copied {
  readonly outcome: "done" | "skipped";
  readonly bytes: number;
  /** Of what was copied. */
  readonly etag: string;
}

/** A place to write to, and what is there. */
export interface Target extends Reached {
  readonly spot: MountedSpot;
  readonly storage: Storage;
  readonly found: Found | undefined;
}

/** The verbs that change the tree. Mounts themselves are nothing that they touch. */
export function createWriting(access: Access) {
  const { room, touch, tokens = [] } = access;
  const { transfers, finding, locks } = room;

  /** Somewhere in a mount, free of locks. 403 path.root, path.mount; 404 mount.none; 423 path.locked. */
  const reach = async (verb: Verb, path: string, deep: boolean): Promise<Reached & { readonly spot: MountedSpot }> => {
    const { layout, spot } = await touch(verb, path);
    if (spot.path === "/") throw new Failure("path.root");
    if (layout.holdsMounts(spot)) throw new Failure("path.mount");
    if (!isMounted(spot)) throw new Failure("mount.none");
    locks.demandFree({ path: spot.path.normalize("NFC"), deep, tokens });
    return { layout, spot };
  };

  /** A place that a file may be written to; in the letters of what is there. 409 path.conflict for a place below a file. */
  const target = async (verb: Verb, path: string): Promise<Target> => {
    const { layout, spot } = await reach(verb, path, false);
    const storage = await storageOf(transfers, spot);
    const found = await finding.find(layout, spot);
    const spelled = found && isMounted(found.spot) ? found.spot : await finding.spell(spot);
    if (!found) await demandFolderAbove(storage, spelled);
    return { layout, spot: spelled, storage, found };
  };

  /** Most stores know no folders and would let a file be one; and an upload that cannot be is best refused before its bytes. */
  const demandFolderAbove = async ({ store }: Storage, { key }: MountedSpot): Promise<void> => {
    const names = key.split("/").slice(0, -1);
    const above = names.map((_, index) => names.slice(0, index + 1).join("/"));
    const files = await Promise.all(above.map((one) => store.head(one)));
    if (files.some((one) => one !== undefined)) throw new Failure("path.conflict");
  };

  /**
   * Of two that saw the same version only one may write, and of two that go to one place only one may get there, also by another
   * mount of the storage.
   */
  const alone = <Result>(spots: readonly Spot[], task: () => Promise<Result>): Promise<Result> => {
    const names = new Set(spots.map(({ mount, key }) => `${mount?.storage} ${key.normalize("NFC")}`));
    const inTurn = (inner: () => Promise<Result>, name: string) => () => room.inTurn(name, inner);
    return [...names].sort().reduceRight(inTurn, task)();
  };

  /** A folder of a storage that only knows keys would vanish with the last thing in it. */
  const keepFolder = async (storage: Storage, key: string): Promise<void> => {
    if (key === "" || storage.store.tree) return;
    try {
      const { objects, folders } = await storage.store.list({ prefix: key, delimiter: "/", limit: 1 });
      if (objects.length + folders.length === 0) await transfers.placing.makeFolder(storage, key);
    } catch (error) {
      // What was to be done is done: a folder that vanishes must not make it a failure.
      room.log.warn("empty folder not kept", { storage: storage.config.id, ...unforeseen(error) });
    }
  };

  const write = async (path: string, content: Content): Promise<WrittenEntry> => {
    const { spot, storage, found } = await target("write", path);
    if (spot.folder || (found && !isFile(found))) throw new Failure("path.isFolder");
    const before = found && isFile(found) ? found.head : undefined;
    const { ifMatch, body, type, length, signal } = content;
    if (ifMatch !== undefined && (!before || (ifMatch !== "*" && ifMatch !== before.etag)))
      throw new Failure("path.changed");
    const placed = {
      key: spot.key,
      type: plainType(type) ?? typeOfName(spot.key),
      length,
      signal,
      replaces: before?.size ?? 0,
    };
    const head = await transfers.placing.place(storage, body, placed);
    return { entry: fileEntry(spot.path, head), key: head.key, created: before === undefined };
  };

  /** Folders above that are not there are made too, so that they stay when this one goes. */
  const makeFolders = async (storage: Storage, key: string): Promise<void> => {
    const above = parentKey(key);
    const known = above === "" || storage.store.tree !== undefined || (await storage.store.head(above)) !== undefined;
    if (!known) await makeFolders(storage, above);
    await transfers.placing.makeFolder(storage, key);
  };

  const mkdir = async (verb: "mkdir" | "copy", path: string): Promise<boolean> => {
    const { layout, spot } = await touch(verb, path);
    if (spot.path === "/") throw new Failure("path.root");
    const found = await finding.find(layout, { ...spot, folder: false });
    if (found && !isFile(found)) return false;
    if (found) throw new Failure("path.taken");
    if (!isMounted(spot)) throw new Failure("mount.none");
    locks.demandFree({ path: spot.path.normalize("NFC"), deep: false, tokens });
    const storage = await storageOf(transfers, spot);
    const spelled = await finding.spell(spot);
    await demandFolderAbove(storage, spelled);
    await makeFolders(storage, folderKeyOf(spelled));
    return true;
  };

  const move = async (from: string, to: string): Promise<void> => {
    const source = await reach("move", from, true);
    const found = await finding.get(source.layout, source.spot);
    const there = await reach("move", to, true);
    if (!isMounted(found.spot) || found.spot.mount.id !== there.spot.mount.id) throw new Failure("path.otherMount");
    const [before, after] = [found.spot.path, there.spot.path];
    if (within(before, after)) throw new Failure("path.into");
    if (await finding.find(there.layout, { ...there.spot, folder: false })) throw new Failure("path.taken");
    const storage = await storageOf(transfers, there.spot);
    const spelled = await finding.spell(there.spot);
    await demandFolderAbove(storage, spelled);
    const { placing } = transfers;
    const target = isFile(found) ? spelled.key : folderKeyOf(spelled);
    await placing.taking(storage, target, () =>
      relocate({ storage, placing, forget: room.listings.follow, found, to: spelled.key }),
    );
    await keepFolder(storage, parentKey(found.spot.key));
    locks.drop(before.normalize("NFC"));
  };

  return {
    /** Says what stands where one might write. 403 path.root, path.mount; 404 mount.none; 423 path.locked. */
    target,

    /**
     * Writes a whole file in place of what is there, or makes it. 400 path.isFolder, 409 path.conflict, 412 path.changed,
     * 413 file.tooLarge, 507 storage.full; 400 upload.length when less arrives than was said.
     */
    async write(path: string, content: Content): Promise<WrittenEntry> {
      if (content.ifMatch === undefined) return await write(path, content);
      const { spot } = await touch("write", path);
      return await alone([spot], () => write(path, content));
    },

    /** Makes a folder and those above it; answers whether it was not there before. 409 path.taken where a file is. */
    mkdir: (path: string): Promise<boolean> => mkdir("mkdir", path),

    /** As `mkdir`, where a folder is copied to. */
    copyFolder: (path: string): Promise<boolean> => mkdir("copy", path),

    /** Refuses what the caller could not do to a path at all. 403 auth.forbidden, path.forbidden, path.root, path.mount. */
    async demand(verb: Verb, path: string): Promise<void> {
      await reach(verb, path, false);
    },

    /**
     * Moves a file or a folder within its mount, never in place of anything. 404 path.missing; 409 path.taken; 400 path.into,
     * path.otherMount.
     */
    async move(from: string, to: string): Promise<void> {
      const [source, there] = [await touch("move", from), await touch("move", to)];
      await alone([source.spot, there.spot], () => move(from, to));
    },

    /** Copies one file, over what is there or not. 404 path.missing; 400 path.isFolder, path.into; 413, 507. */
    async copyFile(from: string, to: string, overwrite: boolean): Promise<Copied> {
      const source = await touch("copy", from);
      const found = await finding.get(source.layout, source.spot);
      if (!isFile(found)) throw new Failure("path.isFolder");
      const { spot, storage, found: before } = await target("copy", to);
      if (before && !isFile(before)) throw new Failure("path.taken");
      const { head } = found;
      const { etag, size: bytes } = head;
      if (found.spot.mount.bucket === spot.mount.bucket && head.key === spot.key) throw new Failure("path.into");
      if (before && !overwrite) return { outcome: "skipped", bytes: 0, etag };
      const replaces = before && isFile(before) ? before.head.size : 0;
      if (found.spot.mount.storage === spot.mount.storage) {
        if (!(await transfers.placing.copy(storage, head, spot.key, replaces))) throw new Failure("path.missing");
        return { outcome: "done", bytes, etag };
      }
      const read = await transfers.read({ storage: found.spot.mount.storage, key: head.key }, undefined, head);
      if (!read) throw new Failure("path.missing");
      const placed = { key: spot.key, type: head.type, length: head.size, replaces };
      await transfers.placing.place(storage, new Response(read.body), placed);
      return { outcome: "done", bytes, etag };
    },

    ...createRemoving({ room, reach, keepFolder }),
  };
}

export type Writing = ReturnType<typeof createWriting>;
