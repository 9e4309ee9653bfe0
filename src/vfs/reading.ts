import { Failure } from "#contract/failures";
import { MAX_LISTED } from "#contract/limits";
import { join, nameOf, within } from "#contract/paths";
import type { Verb } from "../access/rights.ts";
import { compareBytes } from "../lib/byte-order.ts";
import type { ByteRange } from "../lib/range.ts";
import { createSlices } from "../lib/slices.ts";
import type { ObjectHead, StoredObject } from "../stores/store.ts";
import type { Place } from "../transfers/transfers.ts";
import { type Entry, fileEntry, folderEntry } from "./entry.ts";
import { type Found, type FoundFile, isFile, isMounted, storageOf } from "./finding.ts";
import { folderKeyOf, holds, type Layout, type MountedSpot, pathIn, type Span, type Spot } from "./layout.ts";
import type { ShownMountRow } from "./mounts-table.ts";
import type { Access } from "./tree-access.ts";

/** A storage that did not answer, in a folder that shows others. */
export interface Trouble {
  readonly mount: ShownMountRow;
  readonly failure: Failure;
}

/** What is in a folder. */
export interface Listing {
  readonly entry: Entry;
  /** Undefined above all mounts. */
  readonly mount: ShownMountRow | undefined;
  /** Folders and then files, each in the order of UTF-8 bytes. */
  readonly entries: readonly Entry[];
  /** Of entries where a mount stands. */
  readonly mounts: ReadonlyMap<string, ShownMountRow>;
  /** Where the next page begins; undefined at the end. */
  readonly next: string | undefined;
  readonly troubles: readonly Trouble[];
}

/** How much of a folder is wanted. */
export interface Wanted {
  /** Entries; all of them, as far as anybody lists them at once, unless said. */
  readonly limit?: number | undefined;
  /** What the page before answered as `next`. */
  readonly cursor?: string | undefined;
  /** Whether what is kept does not count. */
  readonly fresh?: boolean | undefined;
}

/** An object of the tree, met on a walk. */
export interface Walked {
  /** Its path below what is walked; empty for a file itself. */
  readonly below: string;
  readonly mount: ShownMountRow;
  readonly path: string;
  /** A folder's, which is empty or a mark of its own, ends in a slash. */
  readonly head: ObjectHead;
}

/** Where a walk goes on: behind an object that it has met. */
export interface Passed {
  readonly mount: Pick<ShownMountRow, "id" | "path">;
  readonly key: string;
}

/** What a file is wanted for. */
type FileVerb = "read" | "link" | "copy";

/** How a walk goes. */
export interface Walk {
  readonly after?: Passed | undefined;
  /** What it is for. */
  readonly verb?: "read" | "copy" | "move" | "remove";
}

/** Entries that are made without looking at the time. */
const SLICE = 1000;
/** What one asks a storage for at once on a walk. */
const WALKED_AT_ONCE = 1000;

/** The verbs that only read. */
export function createReading({ room, at, touch }: Access) {
  const { transfers, finding, listings, search } = room;

  /** The part of a folder that its own storage holds. */
  const stored = async (spot: MountedSpot, { limit, cursor, fresh }: Wanted) => {
    const storage = await storageOf(transfers, spot);
    const key = folderKeyOf(spot);
    const ttl = fresh ? 0 : spot.mount.cache_ttl;
    const after = cursor === undefined ? undefined : key + cursor;
    const whole = limit === undefined && after === undefined;
    const known = await (whole
      ? listings.get(storage, key, ttl)
      : listings.page(storage, key, ttl, { limit: limit ?? MAX_LISTED, after }));
    const sizes = await search.sizes({ storage: storage.config.id, key }, known.folders);
    const entries = known.folders.flatMap((folder) => {
      const name = nameOf(folder.slice(0, -1));
      // A key such as `a//b` has a folder without a name, which no path leads to.
      return name === "" ? [] : [folderEntry(join(spot.path, name), { size: sizes.get(folder) ?? 0 })];
    });
    const slices = createSlices();
    for (const head of known.files) {
      entries.push(fileEntry(join(spot.path, nameOf(head.key)), head));
      if (entries.length % SLICE === 0) await slices.next();
    }
    return { there: known.there, entries, next: known.next?.slice(key.length) };
  };

  /** As `stored`, or why that is not known; a folder that shows nothing else has to be there. */
  const storedOr = async (spot: Spot, wanted: Wanted, leads: boolean) => {
    const none = { entries: [] as Entry[], next: undefined, there: false, failure: undefined };
    if (!isMounted(spot)) return none;
    try {
      const found = await stored(spot, wanted);
      return { ...found, failure: undefined };
    } catch (error) {
      if (!leads || !(error instanceof Failure)) throw error;
      return { ...none, failure: error };
    }
  };

  /** A folder by the one name in it that leads on to a key's base path. */
  const branched = (layout: Layout, spot: Spot, name: string): Listing => {
    const path = join(spot.path, name);
    const child = layout.spot(path);
    const there = child.mount !== undefined || layout.leadsOn(child);
    const mounts = new Map(layout.isMount(child) && child.mount ? [[name, child.mount]] : []);
    const entries = there ? [folderEntry(path, { virtual: child.mount === undefined })] : [];
    const entry = folderEntry(spot.path, { virtual: spot.mount === undefined });
    return { entry, mount: spot.mount, entries, mounts, next: undefined, troubles: [] };
  };

  /** A folder that is shown because it leads to mounts, or because one stands there. */
  const leadingTo = async (spot: Spot, name: string, mount: ShownMountRow | undefined): Promise<Entry> => {
    const held = mount && (await search.folder({ storage: mount.storage, key: "" }));
    const virtual = mount === undefined && spot.mount === undefined;
    return folderEntry(join(spot.path, name), { size: held?.size ?? 0, virtual });
  };

  const list = async (path: string, wanted: Wanted = {}): Promise<Listing> => {
    const { layout, spot } = await at("list", path);
    const branch = layout.branch(spot);
    if (branch !== undefined) return branched(layout, spot, branch);
    const children = layout.children(spot);
    const leads = children.size > 0 || spot.path === "/";
    const found = await storedOr(spot, wanted, leads);
    if (!found.there && !leads) return await otherSpelling(layout, spot, wanted);
    const hidden = layout.hidden(spot);
    const isShown = ({ name }: Entry) => !children.has(name) && !hidden.has(name);
    const shown = children.size + hidden.size === 0 ? found.entries : found.entries.filter(isShown);
    const first = wanted.cursor === undefined;
    const leading = await Promise.all([...children].map(([name, mount]) => leadingTo(spot, name, mount)));
    const entries = first && leading.length > 0 ? withLeading(leading, shown) : shown;
    const mounts = new Map([...children].flatMap(([name, mount]) => (mount ? [[name, mount] as const] : [])));
    const troubles = spot.mount && found.failure ? [{ mount: spot.mount, failure: found.failure }] : [];
    const entry = folderEntry(spot.path, { virtual: spot.mount === undefined });
    return { entry, mount: spot.mount, entries, mounts, next: found.next, troubles };
  };

  /** A folder whose storage spells it otherwise. 404 path.missing; 400 path.isFile. */
  const otherSpelling = async (layout: Layout, spot: Spot, wanted: Wanted): Promise<Listing> => {
    const found = await finding.get(layout, spot);
    if (isFile(found)) throw new Failure("path.isFile");
    if (found.spot.path === spot.path) throw new Failure("path.missing");
    return await list(found.spot.path, wanted);
  };

  const get = async (verb: "stat" | FileVerb, path: string): Promise<Found> => {
    const { layout, spot } = await at(verb, path);
    const branch = layout.branch(spot);
    if (branch !== undefined && verb !== "stat") throw new Failure("path.forbidden");
    if (branch !== undefined) return { spot, entry: folderEntry(spot.path, { virtual: spot.mount === undefined }) };
    return await finding.get(layout, spot);
  };

  /** 404 path.missing, 400 path.isFolder. */
  const file = async (verb: FileVerb, path: string): Promise<FoundFile> => {
    const found = await get(verb, path);
    if (!isFile(found)) throw new Failure("path.isFolder");
    return found;
  };

  async function* walkSpan(
    root: string,
    { mount, folder, except }: Span,
    after: string | undefined,
  ): AsyncGenerator<Walked> {
    const { store } = await transfers.storage(mount.storage);
    let from = after;
    do {
      const page = await store.list({ prefix: folder, after: from, limit: WALKED_AT_ONCE });
      for (const head of page.objects) {
        if (head.key === "" || except.some((shadowed) => head.key.startsWith(shadowed))) continue;
        const path = pathIn(mount, head.key);
        yield { mount, path, below: path.slice(root === "/" ? 1 : root.length + 1), head };
      }
      from = page.next;
    } while (from !== undefined);
  }

  return {
    list,

    /** What is at a path. 404 path.missing, mount.none. */
    stat: (path: string): Promise<Found> => get("stat", path),

    file,

    /** The bytes of a file that was found, or a range of them; undefined when it has changed since. */
    read: async ({ spot, head }: FoundFile, range?: ByteRange): Promise<StoredObject["body"] | undefined> =>
      (await transfers.read({ storage: spot.mount.storage, key: head.key }, range, head))?.body,

    /** The mount that a path is in; undefined above all mounts. 403 path.forbidden. */
    mountAt: async (verb: Verb, path: string): Promise<ShownMountRow | undefined> =>
      (await touch(verb, path)).spot.mount,

    /**
     * Refuses what would be copied into itself, also where a storage is shown twice: there would be no end to it. 400 path.into.
     */
    async demandApart(verb: Verb, source: string, target: string): Promise<void> {
      const [from, { spot: to }] = [await touch(verb, source), await touch(verb, target)];
      const there = isMounted(from.spot) ? await finding.spell(from.spot) : from.spot;
      const key = folderKeyOf(isMounted(to) ? await finding.spell(to) : to);
      const isInside = from.layout
        .spans(there)
        .some((span) => span.mount.bucket === to.mount?.bucket && holds(span, key));
      if (isInside || within(from.spot.path, to.path)) throw new Failure("path.into");
    },

    /** A path like this one at which nothing is: `name(1).txt` of a file, `name(1)` of a folder, and so on. 409 path.taken after a thousand. */
    async freePath(verb: Verb, path: string): Promise<string> {
      const { layout, spot } = await touch(verb, path);
      const found = await finding.find(layout, spot);
      const dot = found && isFile(found) ? nameOf(spot.path).lastIndexOf(".") : 0;
      const end = dot > 0 ? spot.path.length - nameOf(spot.path).length + dot : spot.path.length;
      for (let number = 1; number <= 1000; number++) {
        const free = `${spot.path.slice(0, end)}(${number})${spot.path.slice(end)}`;
        if (!(await finding.find(layout, layout.spot(free)))) return free;
      }
      throw new Failure("path.taken");
    },

    /** Whether something is at a path. */
    async holds(verb: Verb, path: string): Promise<boolean> {
      const { layout, spot } = await touch(verb, path);
      return (await finding.find(layout, spot)) !== undefined;
    },

    /** The one place in a storage that a folder is, unless mounts stand in it; undefined for a file. */
    async whole(verb: Verb, path: string): Promise<Place | undefined> {
      const { layout, spot } = await touch(verb, path);
      const found = await finding.get(layout, spot);
      if (isFile(found) || !isMounted(found.spot) || layout.spans(found.spot).length > 1) return undefined;
      return { storage: found.spot.mount.storage, key: folderKeyOf(found.spot) };
    },

    /**
     * Everything below a folder, or the file itself, storage by storage in the order of keys; goes on behind a path that it
     * gave before. Folders only where they are empty.
     */
    async *walk(path: string, { after, verb = "read" }: Walk = {}): AsyncGenerator<Walked> {
      const { layout, spot } = await touch(verb, path);
      const found = await finding.get(layout, spot);
      if (isFile(found)) {
        const { spot: at, head } = found;
        if (after === undefined) yield { mount: at.mount, path: at.path, below: "", head };
        return;
      }
      for (const span of layout.spans(found.spot)) {
        if (after && compareBytes(span.mount.path, after.mount.path) < 0) continue;
        yield* walkSpan(found.spot.path, span, after?.mount.id === span.mount.id ? after.key : undefined);
      }
    },
  };
}

export type Reading = ReturnType<typeof createReading>;

/** Folders that lead to mounts among those of the storage. */
function withLeading(leading: readonly Entry[], shown: readonly Entry[]): Entry[] {
  const isFolder = ({ kind }: Entry) => kind === "folder";
  const folders = [...leading, ...shown.filter(isFolder)].sort((one, other) => compareBytes(one.name, other.name));
  return [...folders, ...shown.filter((entry) => !isFolder(entry))];
}
