import { Failure } from "#contract/failures";
import type { Storage } from "../stores/stores.ts";
import type { Transfers } from "../transfers/transfers.ts";
import { type Found, fileEntry, folderEntry, isMounted, type Location, type MountedLocation } from "./entry.ts";
import { folderKeyOf, isOneFile, type Layout, pathIn } from "./layout.ts";
import type { ShownMountRow } from "./mounts-table.ts";

/** The storage of a mount. 404 storage.missing. */
export const storageOf = (
  transfers: Pick<Transfers, "storage">,
  { mount }: Pick<MountedLocation, "mount">,
): Promise<Storage> => transfers.storage(mount.storage);

/** A name in the forms of Unicode: letters may have been composed on their way to the storage, or on the way to us. */
const spellings = (name: string): Set<string> => new Set([name, name.normalize("NFC"), name.normalize("NFD")]);

/** Whether a folder of this key is in a storage. */
async function hasFolder({ store }: Storage, key: string): Promise<boolean> {
  if (key === "") return true;
  if (store.tree) return (await store.head(key)) !== undefined;
  const { objects, folders } = await store.list({ prefix: key, delimiter: "/", limit: 1 });
  return objects.length + folders.length > 0;
}

/** Whether a file or a folder is at a key; what it more likely is, is asked for first. */
async function isThere(storage: Storage, key: string, asFolder: boolean): Promise<boolean> {
  if (asFolder && (await hasFolder(storage, `${key}/`))) return true;
  if (await storage.store.head(key)) return true;
  return !asFolder && (await hasFolder(storage, `${key}/`));
}

/** The first of some keys at which something is. Nothing is at one that the storage refuses: composed names may fit where longer forms do not. */
async function firstThere(storage: Storage, keys: readonly string[], asFolder: boolean): Promise<string | undefined> {
  for (const key of keys) {
    try {
      if (await isThere(storage, key, asFolder)) return key;
    } catch (error) {
      if (!(error instanceof Failure && error.code === "path.invalid")) throw error;
    }
  }
  return undefined;
}

/**
 * A key in the letters of its storage as far as it is there, where nothing is at the key as it was sent. What a mount stands on is
 * spelled as its storage does already.
 */
async function respelled(storage: Storage, key: string, { root = "" }: ShownMountRow): Promise<string> {
  if (key.length <= root.length) return key;
  const segments = key.slice(root.length).split("/");
  let folder = root;
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1;
    const keys = [...spellings(segment)].map((name) => folder + name);
    const others = keys.filter((one) => one !== key);
    const found = keys.length === 1 ? folder + segment : await firstThere(storage, others, !isLast);
    if (found === undefined) return folder + segments.slice(index).join("/");
    if (isLast) return found;
    folder = `${found}/`;
  }
  return key;
}

/** A key in the letters of its storage as far as it is there. Mostly it is there as it was sent, which one question tells. */
const spelledKey = async (
  storage: Storage,
  { mount, key }: Pick<MountedLocation, "mount" | "key">,
  asFolder: boolean,
): Promise<string> => ((await isThere(storage, key, asFolder)) ? key : await respelled(storage, key, mount));

/** Whether there is one way to spell a key. */
const isPlain = (key: string): boolean => spellings(key).size === 1;

/** A location whose key is spelled like this. */
const withKey = (location: MountedLocation, key: string): MountedLocation =>
  key === location.key ? location : { ...location, path: pathIn(location.mount, key), key };

/** How names are looked for: as they are spelled, as S3 does, or in every form of Unicode, of which people do not know. */
type Spelling = "exact" | "any";

/** Looks for what is at locations; a file goes before a folder of the same name, unless the path ends in a slash. */
export function createLookup(transfers: Pick<Transfers, "storage">, spelling: Spelling) {
  const findIn = async (storage: Storage, location: MountedLocation): Promise<Found | undefined> => {
    const head = location.folder || location.key === "" ? undefined : await storage.store.head(location.key);
    if (head) return { location, head, entry: fileEntry(location.path, head) };
    if (isOneFile(location.mount)) return undefined;
    if (await hasFolder(storage, folderKeyOf(location))) return { location, entry: folderEntry(location.path) };
    return undefined;
  };

  const findStored = async (location: MountedLocation): Promise<Found | undefined> => {
    const storage = await storageOf(transfers, location);
    const found = await findIn(storage, location);
    if (found || spelling === "exact" || isPlain(location.key)) return found;
    const spelled = withKey(location, await respelled(storage, location.key, location.mount));
    return spelled === location ? undefined : await findIn(storage, spelled);
  };

  const find = async (layout: Layout, location: Location): Promise<Found | undefined> => {
    if (!layout.leadsOn(location)) return isMounted(location) ? await findStored(location) : undefined;
    const virtual = { location, entry: folderEntry(location.path, { virtual: true }) };
    if (!isMounted(location)) return virtual;
    try {
      return (await findStored(location)) ?? virtual;
    } catch (error) {
      // What leads to other mounts is there, although its own storage does not answer.
      if (!(error instanceof Failure)) throw error;
      return virtual;
    }
  };

  return {
    find,

    /** What is above a location, and what is at it, in the letters of its storage as far as it is there, however it is looked for. */
    async spell(location: MountedLocation): Promise<MountedLocation> {
      if (isPlain(location.key)) return location;
      const storage = await storageOf(transfers, location);
      return withKey(location, await spelledKey(storage, location, location.folder));
    },

    /** Where something comes to be at a location at which nothing was found: below folders that are there. */
    async spellAbove(location: MountedLocation): Promise<MountedLocation> {
      const folder = location.key.slice(0, location.key.lastIndexOf("/") + 1);
      if (spelling === "exact" || isPlain(folder)) return location;
      const storage = await storageOf(transfers, location);
      const spelled = await spelledKey(storage, { ...location, key: folder.slice(0, -1) }, true);
      return withKey(location, `${spelled}/${location.key.slice(folder.length)}`);
    },

    /** 404 path.missing; mount.none where nothing could be. */
    async get(layout: Layout, location: Location): Promise<Found> {
      const found = await find(layout, location);
      if (!found) throw new Failure(location.mount ? "path.missing" : "mount.none");
      return found;
    },
  };
}

export type Lookup = ReturnType<typeof createLookup>;
