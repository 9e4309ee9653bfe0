import { Failure } from "#contract/failures";
import { compareBytes } from "#contract/paths";
import type { Verb } from "../access/rights.ts";
import type { ByteRange } from "../lib/conditional.ts";
import type { ObjectHead, Place, StoredObject } from "../stores/store.ts";
import type { ResolvedPath } from "./access.ts";
import { type Found, type FoundFile, folderEntry, isFile, isMounted } from "./entry.ts";
import { folderKeyOf, holds, isOneFile, pathIn, type Span } from "./layout.ts";
import { storageOf } from "./lookup.ts";
import type { ShownMountRow } from "./mounts-table.ts";

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

/** What one asks a storage for at once on a walk. */
const WALKED_AT_ONCE = 1000;

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
