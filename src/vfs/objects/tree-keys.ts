import { Failure } from "#contract/failures";
import { compareBytes } from "#contract/paths";
import type { ObjectHead } from "../../stores/store.ts";
import type { ResolvedPath, ResolvePath } from "../access.ts";
import { isFile, isMounted, type MountedLocation } from "../entry.ts";
import { isOneFile, type Span } from "../layout.ts";
import { storageOf } from "../lookup.ts";
import { isShown, type KeyPage, type KeyRequest, listKeys } from "./list.ts";

/**
 * Lists a whole tree as one bucket whose keys are its paths, as S3 does: the mounts of a link, none of which holds a key of another one. Each
 * mount is a stretch of keys in which others may stand, so the stretches are read in the order of their beginnings, each only once it is due.
 */

/** A part of the tree, and the beginning of its keys there. */
interface Stretch {
  readonly span: Span;
  readonly prefix: string;
  /** Where it begins in the list: its prefix, or the folder that this is shown in. */
  readonly begins: string;
}

/** A line of a list: an object, or a folder in which some are. */
interface Line {
  readonly key: string;
  readonly head: ObjectHead | undefined;
}

const prefixOf = ({ mount }: Span): string => mount.path.slice(1) + (isOneFile(mount) ? "" : "/");

/** The path of a key of the tree. 400 path.invalid for a key that none leads to. */
export function pathOfKey(key: string): string {
  if (!isShown(key)) throw new Failure("path.invalid");
  return `/${key}`;
}

/** The folder in which a key is shown, whose name ends in the slash behind the prefix. */
function folderOf(key: string, { prefix, delimiter }: Pick<KeyRequest, "prefix" | "delimiter">): string | undefined {
  const at = delimiter === "" ? -1 : key.indexOf(delimiter, prefix.length);
  return at < 0 ? undefined : key.slice(0, at + delimiter.length);
}

/** The parts of a tree that a list can be about, in the order of its lines. */
function stretchesOf(spans: readonly Span[], request: KeyRequest): Stretch[] {
  const all = spans.map((span): Stretch => {
    const prefix = prefixOf(span);
    const shown = prefix.startsWith(request.prefix) ? folderOf(prefix, request) : undefined;
    return { span, prefix, begins: shown ?? prefix };
  });
  const isOver = ({ prefix }: Stretch): boolean =>
    compareBytes(prefix, request.after) < 0 && !request.after.startsWith(prefix);
  const concerned = ({ prefix }: Stretch): boolean =>
    prefix.startsWith(request.prefix) || request.prefix.startsWith(prefix);
  return all
    .filter((one) => concerned(one) && !isOver(one))
    .sort((one, other) => compareBytes(one.begins, other.begins) || compareBytes(one.prefix, other.prefix));
}

/** Objects and folders of a page in the order of their keys. */
const linesOf = ({ objects, folders }: KeyPage): Line[] =>
  [...objects.map((head) => ({ key: head.key, head })), ...folders.map((key) => ({ key, head: undefined }))].sort(
    (one, other) => compareBytes(one.key, other.key),
  );

/** A place of the tree, which is its own mount. */
const mountAt = (
  resolve: ResolvePath,
  { mount }: Span,
): (ResolvedPath & { readonly location: MountedLocation }) | undefined => {
  const at = resolve(mount.path);
  return isMounted(at.location) ? { ...at, location: at.location } : undefined;
};

/** The lines of one part of the tree, by the keys of the tree. */
async function* linesIn(resolve: ResolvePath, { span, prefix }: Stretch, request: KeyRequest): AsyncGenerator<Line> {
  const at = mountAt(resolve, span);
  if (!at) return;
  if (isOneFile(span.mount)) {
    const found = await at.find("list");
    if (found && isFile(found)) yield { key: prefix, head: { ...found.head, key: prefix } };
    return;
  }
  const { store } = await storageOf(at.deps.transfers, at.location);
  const root = span.folder;
  const own = (key: string): string => (key.startsWith(prefix) ? root + key.slice(prefix.length) : "");
  const shown = (key: string): string => prefix + key.slice(root.length);
  const part = { scope: root, except: span.except, folder: root };
  const folder = prefix.startsWith(request.prefix) ? folderOf(prefix, request) : undefined;
  if (folder !== undefined) {
    const some = await listKeys(store, part, { prefix: root, delimiter: "", after: own(request.after), limit: 1 });
    if (some.objects.length > 0) yield { key: folder, head: undefined };
    return;
  }
  const wanted = { ...request, prefix: prefix.startsWith(request.prefix) ? root : own(request.prefix) };
  for (let after: string | undefined = own(request.after); after !== undefined; ) {
    const page: KeyPage = await listKeys(store, part, { ...wanted, after });
    for (const { key, head } of linesOf(page))
      yield { key: shown(key), head: head && { ...head, key: shown(head.key) } };
    after = page.next;
  }
}

/** A part of the tree of which lines are read, and the one that is next. */
interface Reading {
  readonly lines: AsyncGenerator<Line>;
  next: Line | undefined;
}

/** All lines in order; what was shown before comes again where a folder is in several parts. */
async function* merged(resolve: ResolvePath, request: KeyRequest): AsyncGenerator<Line> {
  const stretches = stretchesOf(resolve("/").layout.spans(resolve("/").location), request);
  const open: Reading[] = [];
  const read = async (reading: Reading): Promise<void> => {
    const { value, done } = await reading.lines.next();
    reading.next = done ? undefined : value;
  };
  const first = (): Reading | undefined =>
    open.reduce<Reading | undefined>(
      (least, one) => (one.next && (!least?.next || compareBytes(one.next.key, least.next.key) < 0) ? one : least),
      undefined,
    );
  for (;;) {
    let least = first();
    for (
      let due = stretches[0];
      due && (!least?.next || compareBytes(due.begins, least.next.key) <= 0);
      due = stretches[0]
    ) {
      stretches.shift();
      const reading: Reading = { lines: linesIn(resolve, due, request), next: undefined };
      await read(reading);
      if (reading.next) open.push(reading);
      least = first();
    }
    if (!least?.next) return;
    yield least.next;
    await read(least);
    if (!least.next) open.splice(open.indexOf(least), 1);
  }
}

/** What is behind a key in a list; a folder comes once more for what else is in it. */
const isBehind = ({ key, head }: Line, after: string): boolean =>
  compareBytes(key, after) > 0 || (head === undefined && after !== key && after.startsWith(key));

/** One page of the files of a tree. Folders of which somebody made an object are none of them. */
export async function listTreeKeys(resolve: ResolvePath, request: KeyRequest): Promise<KeyPage> {
  resolve("/").requireRight("list");
  const { limit, after } = request;
  const objects: ObjectHead[] = [];
  const folders: string[] = [];
  let last: string | undefined;
  if (limit === 0) return { objects, folders, next: undefined };
  for await (const line of merged(resolve, request)) {
    const { key, head } = line;
    const isFolder = head !== undefined && key.endsWith("/");
    if (isFolder || !isShown(key) || !key.startsWith(request.prefix) || !isBehind(line, after)) continue;
    if (last !== undefined && compareBytes(key, last) <= 0) continue;
    if (objects.length + folders.length === limit) return { objects, folders, next: last };
    last = key;
    if (head) objects.push(head);
    else folders.push(key);
  }
  return { objects, folders, next: undefined };
}
