import { Failure } from "#contract/failures";
import type { ObjectHead } from "../stores/store.ts";
import type { Storage } from "../stores/stores.ts";
import type { Transfers } from "../transfers/transfers.ts";
import { type Entry, fileEntry, folderEntry } from "./entry.ts";
import { folderKeyOf, type Layout, type Location, type MountedLocation } from "./layout.ts";

/** What is at a location. */
export interface Found {
  readonly entry: Entry;
  /** Where it was found, in the letters of its storage. */
  readonly location: Location;
  /** What its storage says of a file. */
  readonly head?: ObjectHead;
}

/** A file at a location. */
export interface FoundFile extends Found {
  readonly location: MountedLocation;
  readonly head: ObjectHead;
}

export const isFile = (found: Found): found is FoundFile => found.head !== undefined;

export const isMounted = (location: Location): location is MountedLocation => location.mount !== undefined;

/** The storage of a mount. */
export const storageOf = (transfers: Pick<Transfers, "storage">, { mount }: MountedLocation): Promise<Storage> =>
  transfers.storage(mount.storage);

/** A name in the forms of Unicode: letters may have been composed on their way to the storage, or on the way to us. */
const spellings = (name: string): Set<string> => new Set([name, name.normalize("NFC"), name.normalize("NFD")]);

/** Whether a folder of this key is in a storage. */
async function hasFolder({ store }: Storage, key: string): Promise<boolean> {
  if (key === "") return true;
  if (store.tree) return (await store.head(key)) !== undefined;
  const { objects, folders } = await store.list({ prefix: key, delimiter: "/", limit: 1 });
  return objects.length + folders.length > 0;
}

/** How a storage spells what is in a folder; undefined when it is not there. */
async function spelledIn(storage: Storage, folder: string, segment: string): Promise<string | undefined> {
  for (const name of spellings(segment)) {
    if ((await storage.store.head(folder + name)) || (await hasFolder(storage, `${folder}${name}/`))) return name;
  }
  return undefined;
}

/** Looks for what is at locations; a file goes before a folder of the same name, unless the path ends in a slash. */
export function createLookup(transfers: Pick<Transfers, "storage">) {
  const findIn = async (storage: Storage, location: MountedLocation): Promise<Found | undefined> => {
    const head = location.folder || location.key === "" ? undefined : await storage.store.head(location.key);
    if (head) return { location, head, entry: fileEntry(location.path, head) };
    if (await hasFolder(storage, folderKeyOf(location))) return { location, entry: folderEntry(location.path) };
    return undefined;
  };

  /** What is above a location, and what is at it, in the letters of its storage as far as it is there. Mostly nothing is asked. */
  const spell = async (location: MountedLocation): Promise<MountedLocation> => {
    if (spellings(location.key).size === 1) return location;
    const storage = await storageOf(transfers, location);
    const segments = location.key.split("/");
    let key = "";
    for (const [index, segment] of segments.entries()) {
      const name = await spelledIn(storage, key, segment);
      if (name === undefined) {
        key += segments.slice(index).join("/");
        break;
      }
      key += index < segments.length - 1 ? `${name}/` : name;
    }
    return { ...location, path: location.path.slice(0, location.path.length - location.key.length) + key, key };
  };

  const findStored = async (location: MountedLocation): Promise<Found | undefined> => {
    const storage = await storageOf(transfers, location);
    const found = await findIn(storage, location);
    if (found) return found;
    const spelled = await spell(location);
    return spelled.key === location.key ? undefined : await findIn(storage, spelled);
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

    spell,

    /** 404 path.missing; mount.none where nothing could be. */
    async get(layout: Layout, location: Location): Promise<Found> {
      const found = await find(layout, location);
      if (!found) throw new Failure(location.mount ? "path.missing" : "mount.none");
      return found;
    },
  };
}

export type Lookup = ReturnType<typeof createLookup>;
