import { Failure } from "#contract/failures";
import { MAX_LISTED } from "#contract/limits";
import { compareBytes, join, nameOf } from "#contract/paths";
import type { Verb } from "../access/rights.ts";
import type { ByteRange } from "../lib/conditional.ts";
import { createYielder, inOrder } from "../lib/turns.ts";
import type { ObjectHead, Place, StoredObject } from "../stores/store.ts";
import type { ResolvedPath } from "./access.ts";
import {
  type Entry,
  type Found,
  type FoundFile,
  fileEntry,
  folderEntry,
  isFile,
  isMounted,
  type MountedLocation,
} from "./entry.ts";
import { composed, folderKeyOf, holds, isOneFile, pathIn, type Span } from "./layout.ts";
import { arranged, isWithin } from "./list-page.ts";
import { storageOf } from "./lookup.ts";
import type { ShownMountRow } from "./mounts-table.ts";

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

/** Reads the bytes of a file as it was found, or a range of them; undefined when it has changed since. */
export type Read = (range?: ByteRange) => Promise<StoredObject["body"] | undefined>;

/** A file whose bytes somebody may have. */
export interface OpenFile extends FoundFile {
  readonly read: Read;
}

/** An object of the tree, met on a walk. */
export interface Walked {
  /** Its path below what is walked; empty for a file itself. */
  readonly below: string;
  readonly mount: ShownMountRow;
  readonly path: string;
  /** A folder's, which is empty or a mark of its own, ends in a slash. */
  readonly head: ObjectHead;
  readonly read: Read;
}

/** Where a walk goes on: behind an object that it has met. */
export interface WalkCursor {
  readonly mount: Pick<ShownMountRow, "id" | "path">;
  readonly key: string;
}

/** What a file is wanted for. */
export type FileVerb = "read" | "download" | "link" | "copy";

/** How a walk goes. */
export interface WalkOptions {
  readonly after?: WalkCursor | undefined;
  /** What it is for. */
  readonly verb?: "read" | "copy" | "move" | "remove";
}

/** Entries that are made without looking at the time. */
const SLICE = 1000;
/** Items of a link that are looked at side by side: a storage elsewhere takes its time for each. */
const LOOKS = 16;
/** What one asks a storage for at once on a walk. */
const WALKED_AT_ONCE = 1000;

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
    entries.push(fileEntry(join(location.path, nameOf(head.key)), head));
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

/** Returns what is at the path, without the size of a folder's content. 404 path.missing, mount.none. */
export async function stat(at: ResolvedPath): Promise<Found> {
  at.requireRight("stat");
  const { deps, layout, location } = at;
  if (layout.branch(location) !== undefined)
    return { location, entry: folderEntry(location.path, { virtual: location.mount === undefined }) };
  return await deps.lookup.get(layout, location);
}

/** The path in the letters of its storage, as far as it is there. */
export async function spelledPath({ deps, location, requireInBasePath }: ResolvedPath, verb: Verb): Promise<string> {
  requireInBasePath(verb);
  return isMounted(location) ? (await deps.lookup.spell(location)).path : location.path;
}

/** Returns what is at the path; a folder with the size of all below it, once the index is up to date. 404 path.missing, mount.none. */
export async function describe(at: ResolvedPath): Promise<Found> {
  const found = await stat(at);
  if (isFile(found) || !isMounted(found.location) || at.layout.branch(at.location) !== undefined) return found;
  const place = { storage: found.location.mount.storage, key: folderKeyOf(found.location) };
  const held = await at.deps.search.folder(place);
  return { location: found.location, entry: { ...found.entry, size: held?.size ?? 0, modified: held?.newest ?? null } };
}

/** Opens a file for reading; `known` is what `stat` has just found there. 404 path.missing, 400 path.isFolder. */
export async function open(at: ResolvedPath, verb: FileVerb = "read", known?: Found): Promise<OpenFile> {
  at.requireInBasePath(verb);
  const found = known ?? (await at.get(verb));
  if (!isFile(found)) throw new Failure("path.isFolder");
  return { ...found, read: readerOf(at, found.location.mount, found.head) };
}

const readerOf =
  ({ deps }: ResolvedPath, mount: ShownMountRow, head: ObjectHead): Read =>
  async (range) =>
    (await (await storageOf(deps.transfers, { mount })).store.get(head.key, range, head))?.body;

/** The one place in a storage that a folder is, unless mounts stand in it; undefined for a file. 404 path.missing. */
export async function wholePlace(at: ResolvedPath, verb: Verb): Promise<Place | undefined> {
  const found = await at.get(verb);
  if (isFile(found) || !isMounted(found.location)) return undefined;
  const [own, ...others] = at.layout.spans(found.location);
  // One that the caller does not see is no part of the folder, and hides a part of it.
  if (others.length > 0 || own?.except.length !== 0) return undefined;
  return { storage: found.location.mount.storage, key: folderKeyOf(found.location) };
}

/** Yields everything below a folder, or the file itself, storage by storage in the order of keys. 404 path.missing. */
export async function* walk(at: ResolvedPath, { after, verb = "read" }: WalkOptions = {}): AsyncGenerator<Walked> {
  const found = await at.get(verb);
  if (isFile(found)) {
    const { mount, path } = found.location;
    if (after === undefined) yield { mount, path, below: "", head: found.head, read: readerOf(at, mount, found.head) };
    return;
  }
  for (const span of at.layout.spans(found.location)) {
    if (after && compareBytes(span.mount.path, after.mount.path) < 0) continue;
    const from = after?.mount.id === span.mount.id ? after.key : undefined;
    yield* walkSpan(at, found.location.path, span, from);
  }
}

async function* walkSpan(
  at: ResolvedPath,
  root: string,
  span: Span,
  after: string | undefined,
): AsyncGenerator<Walked> {
  const { mount, folder } = span;
  const { store } = await storageOf(at.deps.transfers, { mount });
  if (isOneFile(mount)) {
    const head = after === undefined ? await store.head(folder) : undefined;
    const below = mount.path.slice(root === "/" ? 1 : root.length + 1);
    if (head) yield { mount, path: mount.path, below, head, read: readerOf(at, mount, head) };
    return;
  }
  let from = after;
  do {
    const page = await store.list({ prefix: folder, after: from, limit: WALKED_AT_ONCE });
    for (const head of page.objects) {
      if (head.key === "" || !holds(span, head.key)) continue;
      const path = pathIn(mount, head.key);
      const below = path.slice(root === "/" ? 1 : root.length + 1);
      yield { mount, path, below, head, read: readerOf(at, mount, head) };
    }
    from = page.next;
  } while (from !== undefined);
}
