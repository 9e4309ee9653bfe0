import { Failure } from "#contract/failures";
import { MAX_LISTED } from "#contract/limits";
import { compareBytes, join, nameOf } from "#contract/paths";
import { createYielder, inOrder } from "../lib/turns.ts";
import type { ResolvedPath } from "./access.ts";
import { type Entry, folderEntry, isFile, isMounted, type MountedLocation, namedFile } from "./entry.ts";
import { composed, folderKeyOf, isOneFile } from "./layout.ts";
import { arranged, isWithin } from "./list-page.ts";
import { storageOf } from "./lookup.ts";
import type { ShownMountRow } from "./mounts-table.ts";
import { describe } from "./read.ts";

/** A storage that did not answer, in a folder that shows others. */
interface Trouble {
  readonly mount: ShownMountRow;
  readonly failure: Failure;
}

/** What is in a folder. */
export interface Listing {
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
export interface ListOptions {
  /** Entries; all of them, as far as anybody lists them at once, unless said. */
  readonly limit?: number | undefined;
  /** What the page before answered as `next`. */
  readonly cursor?: string | undefined;
  /** Whether what is kept does not count. */
  readonly fresh?: boolean | undefined;
  /** Whether the pages behind this first one will be asked for too, so that a storage is better asked for all of them at once. */
  readonly more?: boolean | undefined;
}

/** Entries that are made without looking at the time. */
const SLICE = 1000;
/** Items of a link that are looked at side by side: a storage elsewhere takes its time for each. */
const LOOKS = 16;
/** The part of a folder that its own storage holds. */
async function stored({ deps }: ResolvedPath, location: MountedLocation, { limit, cursor, fresh, more }: ListOptions) {
  const { transfers, listings, search } = deps;
  const storage = await storageOf(transfers, location);
  const key = folderKeyOf(location);
  const ttl = fresh ? 0 : location.mount.cache_ttl;
  const after = cursor === undefined ? undefined : key + cursor;
  const whole = limit === undefined && after === undefined;
  const known = await (whole
    ? listings.get(storage, key, ttl)
    : listings.page(storage, key, ttl, { limit: limit ?? MAX_LISTED, after, more }));
  const sizes = await search.sizes({ storage: storage.config.id, key }, known.folders);
  const entries = known.folders.flatMap((folder) => {
    const name = nameOf(folder.slice(0, -1));
    // A key such as `a//b` has a folder without a name, which no path leads to.
    return name === "" ? [] : [folderEntry(join(location.path, name), sizes.get(folder))];
  });
  const yielder = createYielder();
  for (const head of known.files) {
    const name = head.key.slice(key.length);
    entries.push(namedFile(join(location.path, name), name, head));
    if (entries.length % SLICE === 0) await yielder.yieldIfDue();
  }
  return { there: known.there, entries, next: known.next?.slice(key.length) };
}

/** As `stored`, or why that is not known; a folder that shows nothing else has to be there. */
async function storedOr(at: ResolvedPath, wanted: ListOptions, leads: boolean) {
  const none = { entries: [] as Entry[], next: undefined, there: false, failure: undefined };
  if (!isMounted(at.location)) return none;
  try {
    const found = await stored(at, at.location, wanted);
    return { ...found, failure: undefined };
  } catch (error) {
    if (!leads || !(error instanceof Failure)) throw error;
    return { ...none, failure: error };
  }
}

/** A folder by the one name in it that leads on to a key's base path. */
function branched({ layout, location }: ResolvedPath, name: string, { cursor = "" }: ListOptions): Listing {
  const path = join(location.path, name);
  const child = layout.location(path);
  const there = child.mount !== undefined || layout.leadsOn(child);
  const mounts = new Map(layout.isMount(child) && child.mount ? [[name, child.mount]] : []);
  const entries =
    there && compareBytes(`${name}/`, cursor) > 0 ? [folderEntry(path, { virtual: child.mount === undefined })] : [];
  const entry = folderEntry(location.path, { virtual: location.mount === undefined });
  return { entry, mount: location.mount, entries, mounts, next: undefined, troubles: [] };
}

/** What stands in a folder beside what its storage holds. */
interface Leading {
  /** Undefined for an item of a link at which nothing is. */
  readonly entry?: Entry | undefined;
  readonly trouble?: Trouble;
}

/** A folder that is shown because it leads to mounts, or because one stands there; of a link an item. */
async function leadingTo(at: ResolvedPath, name: string, mount: ShownMountRow | undefined): Promise<Leading> {
  if (mount?.root !== undefined) return await itemAt(at, name, mount);
  const { deps, location } = at;
  const held = mount && (await deps.search.folder({ storage: mount.storage, key: "" }));
  const virtual = mount === undefined && location.mount === undefined;
  return { entry: folderEntry(join(location.path, name), { ...held, virtual }) };
}

/** An item of a link, as it is at this moment. Of one whose storage does not answer nobody knows whether it is there. */
async function itemAt({ at, deps, location }: ResolvedPath, name: string, mount: ShownMountRow): Promise<Leading> {
  try {
    const { entry } = await describe(at(join(location.path, name)));
    return { entry };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === "path.missing") return {};
    deps.log.warn("item of a link not shown", { storage: mount.storage, error: error.code });
    return { trouble: { mount, failure: error } };
  }
}

/** All that stands in a folder beside what its storage holds, or as much of it as a page takes. */
async function leadingIn(at: ResolvedPath, wanted: ListOptions, last: string | undefined) {
  const keyOf = ([name, mount]: Child) => (mount && isOneFile(mount) ? name : `${name}/`);
  const due = [...at.layout.children(at.location)]
    .filter((child) => isWithin(keyOf(child), wanted.cursor, last))
    .sort((one, other) => compareBytes(keyOf(one), keyOf(other)));
  const entries: Entry[] = [];
  const troubles: Trouble[] = [];
  for await (const { entry, trouble } of inOrder(due, LOOKS, ([name, mount]) => leadingTo(at, name, mount))) {
    if (entry) entries.push(entry);
    if (trouble) troubles.push(trouble);
    if (wanted.limit !== undefined && entries.length > wanted.limit) break;
  }
  return { entries, troubles };
}

type Child = [name: string, mount: ShownMountRow | undefined];

/** Lists the direct content of a folder. 404 path.missing, 400 path.isFile. */
export async function list(at: ResolvedPath, wanted: ListOptions = {}): Promise<Listing> {
  at.requireRight("list");
  const { layout, location } = at;
  const branch = layout.branch(location);
  if (branch !== undefined) return branched(at, branch, wanted);
  const children = layout.children(location);
  const leads = children.size > 0 || location.path === "/";
  const found = await storedOr(at, wanted, leads);
  const spelled = found.there || found.failure ? undefined : await otherSpelling(at, leads);
  if (spelled) return await list(spelled, wanted);
  const hidden = layout.hidden(location);
  const isShown = ({ name }: Entry) => !children.has(composed(name)) && !hidden.has(composed(name));
  const shown = children.size + hidden.size === 0 ? found.entries : found.entries.filter(isShown);
  const leading = children.size === 0 ? NOTHING_LEADS : await leadingIn(at, wanted, found.next);
  const [folders, files] = [ofKind(leading.entries, "folder"), ofKind(leading.entries, "file")];
  const { entries, next } = arranged(folders, { entries: [...shown, ...files], next: found.next }, wanted);
  const mounts = new Map(
    [...children].flatMap(([name, mount]) => (mount && mount.root === undefined ? [[name, mount] as const] : [])),
  );
  const own = location.mount && found.failure ? [{ mount: location.mount, failure: found.failure }] : [];
  const troubles = [...own, ...leading.troubles];
  const entry = folderEntry(location.path, { virtual: location.mount === undefined });
  return { entry, mount: location.mount, entries, mounts, next, troubles };
}

const NOTHING_LEADS = { entries: [] as Entry[], troubles: [] as Trouble[] };

const ofKind = (entries: readonly Entry[], wanted: Entry["kind"]): Entry[] =>
  entries.filter(({ kind }) => kind === wanted);

/** A folder whose storage spells it otherwise; undefined for one that is only there because it leads on. 404 path.missing; 400 path.isFile. */
async function otherSpelling(at: ResolvedPath, leads: boolean): Promise<ResolvedPath | undefined> {
  const found = await at.get("list");
  if (isFile(found)) throw new Failure("path.isFile");
  if (found.location.path !== at.location.path) return at.at(found.location.path);
  if (!leads) throw new Failure("path.missing");
  return undefined;
}
