import { Failure } from "#contract/failures";
import { MAX_LISTED } from "#contract/limits";
import { compareBytes, join, nameOf, within } from "#contract/paths";
import type { Verb } from "../access/rights.ts";
import type { ByteRange } from "../lib/range.ts";
import { createSlices } from "../lib/turns.ts";
import type { ObjectHead, Place, StoredObject } from "../stores/store.ts";
import type { Access } from "./access.ts";
import { type Entry, fileEntry, folderEntry } from "./entry.ts";
import { folderKeyOf, holds, type Layout, type Location, type MountedLocation, pathIn, type Span } from "./layout.ts";
import { arranged, isWithin } from "./list-page.ts";
import { type Found, type FoundFile, isFile, isMounted, storageOf } from "./lookup.ts";
import type { ShownMountRow } from "./mounts-table.ts";

/** A storage that did not answer, in a folder that shows others. */
interface Trouble {
  readonly mount: ShownMountRow;
  readonly failure: Failure;
}

/** What is in a folder. */
interface Listing {
  readonly entry: Entry;
  /** Undefined above all mounts. */
  readonly mount: ShownMountRow | undefined;
  /**
   * Of all of a folder its folders and then its files; of a page both together. Each in the order of the UTF-8 bytes of their
   * keys, which end in a slash for folders.
   */
  readonly entries: readonly Entry[];
  /** Of entries where a mount stands. */
  readonly mounts: ReadonlyMap<string, ShownMountRow>;
  /** Where the next page begins; undefined at the end. */
  readonly next: string | undefined;
  readonly troubles: readonly Trouble[];
}

/** How much of a folder is wanted. */
interface Wanted {
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
interface Walk {
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
  const { transfers, lookup, listings, search } = room;

  /** The part of a folder that its own storage holds. */
  const stored = async (location: MountedLocation, { limit, cursor, fresh }: Wanted) => {
    const storage = await storageOf(transfers, location);
    const key = folderKeyOf(location);
    const ttl = fresh ? 0 : location.mount.cache_ttl;
    const after = cursor === undefined ? undefined : key + cursor;
    const whole = limit === undefined && after === undefined;
    const known = await (whole
      ? listings.get(storage, key, ttl)
      : listings.page(storage, key, ttl, { limit: limit ?? MAX_LISTED, after }));
    const sizes = await search.sizes({ storage: storage.config.id, key }, known.folders);
    const entries = known.folders.flatMap((folder) => {
      const name = nameOf(folder.slice(0, -1));
      // A key such as `a//b` has a folder without a name, which no path leads to.
      return name === "" ? [] : [folderEntry(join(location.path, name), sizes.get(folder))];
    });
    const slices = createSlices();
    for (const head of known.files) {
      entries.push(fileEntry(join(location.path, nameOf(head.key)), head));
      if (entries.length % SLICE === 0) await slices.next();
    }
    return { there: known.there, entries, next: known.next?.slice(key.length) };
  };

  /** As `stored`, or why that is not known; a folder that shows nothing else has to be there. */
  const storedOr = async (location: Location, wanted: Wanted, leads: boolean) => {
    const none = { entries: [] as Entry[], next: undefined, there: false, failure: undefined };
    if (!isMounted(location)) return none;
    try {
      const found = await stored(location, wanted);
      return { ...found, failure: undefined };
    } catch (error) {
      if (!leads || !(error instanceof Failure)) throw error;
      return { ...none, failure: error };
    }
  };

  /** A folder by the one name in it that leads on to a key's base path. */
  const branched = (layout: Layout, location: Location, name: string, { cursor = "" }: Wanted): Listing => {
    const path = join(location.path, name);
    const child = layout.location(path);
    const there = child.mount !== undefined || layout.leadsOn(child);
    const mounts = new Map(layout.isMount(child) && child.mount ? [[name, child.mount]] : []);
    const entries =
      there && compareBytes(`${name}/`, cursor) > 0 ? [folderEntry(path, { virtual: child.mount === undefined })] : [];
    const entry = folderEntry(location.path, { virtual: location.mount === undefined });
    return { entry, mount: location.mount, entries, mounts, next: undefined, troubles: [] };
  };

  /** A folder that is shown because it leads to mounts, or because one stands there. */
  const leadingTo = async (location: Location, name: string, mount: ShownMountRow | undefined): Promise<Entry> => {
    const held = mount && (await search.folder({ storage: mount.storage, key: "" }));
    const virtual = mount === undefined && location.mount === undefined;
    return folderEntry(join(location.path, name), { ...held, virtual });
  };

  const list = async (path: string, wanted: Wanted = {}): Promise<Listing> => {
    const { layout, location } = await at("list", path);
    const branch = layout.branch(location);
    if (branch !== undefined) return branched(layout, location, branch, wanted);
    const children = layout.children(location);
    const leads = children.size > 0 || location.path === "/";
    const found = await storedOr(location, wanted, leads);
    if (!found.there && !leads) return await otherSpelling(layout, location, wanted);
    const hidden = layout.hidden(location);
    const isShown = ({ name }: Entry) => !children.has(name) && !hidden.has(name);
    const shown = children.size + hidden.size === 0 ? found.entries : found.entries.filter(isShown);
    const due = [...children].filter(([name]) => isWithin(`${name}/`, wanted.cursor, found.next));
    const leading = await Promise.all(due.map(([name, mount]) => leadingTo(location, name, mount)));
    const { entries, next } = arranged(leading, { entries: shown, next: found.next }, wanted);
    const mounts = new Map([...children].flatMap(([name, mount]) => (mount ? [[name, mount] as const] : [])));
    const troubles = location.mount && found.failure ? [{ mount: location.mount, failure: found.failure }] : [];
    const entry = folderEntry(location.path, { virtual: location.mount === undefined });
    return { entry, mount: location.mount, entries, mounts, next, troubles };
  };

  /** A folder whose storage spells it otherwise. 404 path.missing; 400 path.isFile. */
  const otherSpelling = async (layout: Layout, location: Location, wanted: Wanted): Promise<Listing> => {
    const found = await lookup.get(layout, location);
    if (isFile(found)) throw new Failure("path.isFile");
    if (found.location.path === location.path) throw new Failure("path.missing");
    return await list(found.location.path, wanted);
  };

  const get = async (verb: "stat" | FileVerb, path: string): Promise<Found> => {
    const { layout, location } = await at(verb, path);
    const branch = layout.branch(location);
    if (branch !== undefined && verb !== "stat") throw new Failure("path.forbidden");
    if (branch !== undefined)
      return { location, entry: folderEntry(location.path, { virtual: location.mount === undefined }) };
    return await lookup.get(layout, location);
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
    async stat(path: string): Promise<Found> {
      const found = await get("stat", path);
      const { location, entry } = found;
      if (isFile(found) || !isMounted(location)) return found;
      const held = await search.folder({ storage: location.mount.storage, key: folderKeyOf(location) });
      return { location, entry: { ...entry, modified: held?.newest ?? null } };
    },

    file,

    /** The bytes of a file that was found, or a range of them; undefined when it has changed since. */
    read: async ({ location, head }: FoundFile, range?: ByteRange): Promise<StoredObject["body"] | undefined> =>
      (await transfers.read({ storage: location.mount.storage, key: head.key }, range, head))?.body,

    /** The mount that a path is in; undefined above all mounts. 403 path.forbidden. */
    mountAt: async (verb: Verb, path: string): Promise<ShownMountRow | undefined> =>
      (await touch(verb, path)).location.mount,

    /**
     * Refuses what would be copied into itself, also where a storage is shown twice: there would be no end to it. 400 path.into.
     */
    async demandApart(verb: Verb, source: string, target: string): Promise<void> {
      const [from, { location: to }] = [await touch(verb, source), await touch(verb, target)];
      const there = isMounted(from.location) ? await lookup.spell(from.location) : from.location;
      const key = folderKeyOf(isMounted(to) ? await lookup.spell(to) : to);
      const isInside = from.layout
        .spans(there)
        .some((span) => span.mount.bucket === to.mount?.bucket && holds(span, key));
      if (isInside || within(from.location.path, to.path)) throw new Failure("path.into");
    },

    /** A path like this one at which nothing is: `name(1).txt` of a file, `name(1)` of a folder, and so on. 409 path.taken after a thousand. */
    async freePath(verb: Verb, path: string): Promise<string> {
      const { layout, location } = await touch(verb, path);
      const found = await lookup.find(layout, location);
      const dot = found && isFile(found) ? nameOf(location.path).lastIndexOf(".") : 0;
      const end = dot > 0 ? location.path.length - nameOf(location.path).length + dot : location.path.length;
      for (let number = 1; number <= 1000; number++) {
        const free = `${location.path.slice(0, end)}(${number})${location.path.slice(end)}`;
        if (!(await lookup.find(layout, layout.location(free)))) return free;
      }
      throw new Failure("path.taken");
    },

    /** Whether something is at a path. */
    async holds(verb: Verb, path: string): Promise<boolean> {
      const { layout, location } = await touch(verb, path);
      return (await lookup.find(layout, location)) !== undefined;
    },

    /** The one place in a storage that a folder is, unless mounts stand in it; undefined for a file. */
    async whole(verb: Verb, path: string): Promise<Place | undefined> {
      const { layout, location } = await touch(verb, path);
      const found = await lookup.get(layout, location);
      if (isFile(found) || !isMounted(found.location) || layout.spans(found.location).length > 1) return undefined;
      return { storage: found.location.mount.storage, key: folderKeyOf(found.location) };
    },

    /**
     * Everything below a folder, or the file itself, storage by storage in the order of keys; goes on behind a path that it
     * gave before. Folders only where they are empty.
     */
    async *walk(path: string, { after, verb = "read" }: Walk = {}): AsyncGenerator<Walked> {
      const { layout, location } = await touch(verb, path);
      const found = await lookup.get(layout, location);
      if (isFile(found)) {
        const { location: at, head } = found;
        if (after === undefined) yield { mount: at.mount, path: at.path, below: "", head };
        return;
      }
      for (const span of layout.spans(found.location)) {
        if (after && compareBytes(span.mount.path, after.mount.path) < 0) continue;
        yield* walkSpan(found.location.path, span, after?.mount.id === span.mount.id ? after.key : undefined);
      }
    },
  };
}
