import { Failure } from "#contract/failures";
import type { ObjectHead } from "../stores/store.ts";
import type { Storage } from "../stores/stores.ts";
import type { Transfers } from "../transfers/transfers.ts";
import { type Entry, fileEntry, folderEntry } from "./entry.ts";
import { folderKeyOf, type Layout, type MountedSpot, type Spot } from "./layout.ts";

/** What is at a spot. */
export interface Found {
  readonly entry: Entry;
  /** Where it was found, in the letters of its storage. */
  readonly spot: Spot;
  /** What its storage says of a file. */
  readonly head?: ObjectHead;
}

/** A file at a spot. */
export interface FoundFile extends Found {
  readonly spot: MountedSpot;
  readonly head: ObjectHead;
}

export const isFile = (found: Found): found is FoundFile => found.head !== undefined;

export const isMounted = (spot: Spot): spot is MountedSpot => spot.mount !== undefined;

/** The storage of a mount. */
export const storageOf = (transfers: Pick<Transfers, "storage">, { mount }: MountedSpot): Promise<Storage> =>
  transfers.storage(mount.storage);

/** A name in the forms of Unicode: letters may have been composed on their way to the storage, or on the way to us. */
const spellings = (name: string): Set<string> => new Set([name, name.normalize("NFC"), name.normalize("NFD")]);

/** Whether a folder of this key is in a storage. */
async function hasFolder({ store }: Storage, key: string): Promise<boolean> {
  if (key === "" || (await store.head(key))) return true;
  if (store.tree) return false;
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

/** Looks for what is at spots; a file goes before a folder of the same name, unless the path ends in a slash. */
export function createFinding(transfers: Pick<Transfers, "storage">) {
  const findIn = async (storage: Storage, spot: MountedSpot): Promise<Found | undefined> => {
    const head = spot.folder || spot.key === "" ? undefined : await storage.store.head(spot.key);
    if (head) return { spot, head, entry: fileEntry(spot.path, head) };
    if (await hasFolder(storage, folderKeyOf(spot))) return { spot, entry: folderEntry(spot.path) };
    return undefined;
  };

  /** What is above a spot, and what is at it, in the letters of its storage as far as it is there. Mostly nothing is asked. */
  const spell = async (spot: MountedSpot): Promise<MountedSpot> => {
    if (spellings(spot.key).size === 1) return spot;
    const storage = await storageOf(transfers, spot);
    const segments = spot.key.split("/");
    let key = "";
    for (const [index, segment] of segments.entries()) {
      const name = await spelledIn(storage, key, segment);
      if (name === undefined) {
        key += segments.slice(index).join("/");
        break;
      }
      key += index < segments.length - 1 ? `${name}/` : name;
    }
    return { ...spot, path: spot.path.slice(0, spot.path.length - spot.key.length) + key, key };
  };

  const findStored = async (spot: MountedSpot): Promise<Found | undefined> => {
    const storage = await storageOf(transfers, spot);
    const found = await findIn(storage, spot);
    if (found) return found;
    const spelled = await spell(spot);
    return spelled.key === spot.key ? undefined : await findIn(storage, spelled);
  };

  const find = async (layout: Layout, spot: Spot): Promise<Found | undefined> => {
    if (!layout.leadsOn(spot)) return isMounted(spot) ? await findStored(spot) : undefined;
    const virtual = { spot, entry: folderEntry(spot.path, { virtual: true }) };
    if (!isMounted(spot)) return virtual;
    try {
      return (await findStored(spot)) ?? virtual;
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
    async get(layout: Layout, spot: Spot): Promise<Found> {
      const found = await find(layout, spot);
      if (!found) throw new Failure(spot.mount ? "path.missing" : "mount.none");
      return found;
    },
  };
}

export type Finding = ReturnType<typeof createFinding>;
