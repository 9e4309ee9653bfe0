import { compareBytes, isFilename } from "#contract/paths";
import type { ListPage, ListRequest, ObjectHead, ObjectStore } from "../../stores/store.ts";
import { shadowOf } from "../layout.ts";

/** Lists the objects of a mount by keys, as S3 does (ListObjectsV2). */

/** What of a storage is shown. */
export interface KeySpan {
  /** The beginning of all keys; empty for all of them. */
  readonly scope: string;
  /** Keys of folders at which other mounts stand, as in Span. */
  readonly except: readonly string[];
  /** What stands before those in keys. */
  readonly folder?: string;
}

export interface KeyRequest {
  readonly prefix: string;
  /** Keys with the same text up to the next of these, behind the prefix, are shown as one folder; empty for none. */
  readonly delimiter: string;
  /** Only what comes behind this key or folder. */
  readonly after: string;
  /** Objects and folders together. */
  readonly limit: number;
}

export type KeyPage = ListPage;

type Store = Pick<ObjectStore, "list">;

/** Sorts after every character. */
export const LAST = "\u{10ffff}";
export const EMPTY_PAGE: KeyPage = { objects: [], folders: [], next: undefined };

/** The folder of a key behind a prefix; undefined when there is no delimiter in it. */
function folderOf(key: string, { prefix, delimiter }: Pick<KeyRequest, "prefix" | "delimiter">): string | undefined {
  const at = delimiter === "" || !key.startsWith(prefix) ? -1 : key.indexOf(delimiter, prefix.length);
  return at < 0 ? undefined : key.slice(0, at + delimiter.length);
}

/** Names that no path leads to are nobody's here: an empty one, dots alone, what systems take for more than a name. */
export const isShown = (key: string): boolean =>
  (key.endsWith("/") ? key.slice(0, -1) : key).split("/").every(isFilename);

/** One page of what a mount shows. */
export async function listKeys(store: Store, span: KeySpan, request: KeyRequest): Promise<KeyPage> {
  const { scope } = span;
  const { prefix, after, limit } = request;
  if (limit === 0) return EMPTY_PAGE;
  if (!prefix.startsWith(scope)) {
    if (!scope.startsWith(prefix)) return EMPTY_PAGE;
    const above = folderOf(scope, request);
    if (above === undefined) return await listKeys(store, span, { ...request, prefix: scope });
    return await folderAbove(store, above, scope, after);
  }
  const inside = folderOf(after, request);
  // Behind a key in a folder, the folder comes once more for what else is in it.
  if (inside !== undefined && inside !== after && (await holdsMore(store, span, inside, after)))
    return withFolder(inside, await pages(store, span, { ...request, after: inside, limit: limit - 1 }));
  return await pages(store, span, request);
}

async function folderAbove(store: Store, folder: string, scope: string, after: string): Promise<KeyPage> {
  if (compareBytes(folder, after) <= 0) return EMPTY_PAGE;
  const { objects } = await store.list({ prefix: scope, limit: 1 });
  return objects.length > 0 ? { ...EMPTY_PAGE, folders: [folder] } : EMPTY_PAGE;
}

async function holdsMore(store: Store, span: KeySpan, folder: string, after: string): Promise<boolean> {
  const { objects } = await pages(store, span, { prefix: folder, delimiter: "", after, limit: 1 });
  return objects.length > 0;
}

const withFolder = (folder: string, { objects, folders, next }: KeyPage): KeyPage => ({
  objects,
  folders: [folder, ...folders],
  next,
});

/** As much as fits of what nothing shadows, over as many pages of the storage as that takes. */
async function pages(store: Store, { except, folder: before = "" }: KeySpan, request: KeyRequest): Promise<KeyPage> {
  const { limit } = request;
  const shadow = (key: string) => shadowOf({ folder: before, except }, key);
  const isOpen = (key: string) => isShown(key) && shadow(key) === undefined;
  const objects: ObjectHead[] = [];
  const folders: string[] = [];
  let from: string | undefined = request.after;
  if (limit === 0) return { objects, folders, next: from };
  do {
    const left = limit - objects.length - folders.length;
    const page: KeyPage = await pageOf(store, { ...request, after: from, limit: left });
    for (const head of page.objects) if (isOpen(head.key)) objects.push(head);
    for (const folder of page.folders) if (isOpen(folder)) folders.push(folder);
    const shadowed = page.next === undefined ? undefined : shadow(page.next);
    from = shadowed === undefined ? page.next : `${shadowed}${LAST}`;
  } while (from !== undefined && objects.length + folders.length < limit);
  return { objects, folders, next: from };
}

async function pageOf(store: Store, { prefix, delimiter, after, limit }: KeyRequest): Promise<KeyPage> {
  const request: ListRequest = { prefix, limit, ...(after !== "" && { after }) };
  if (delimiter === "") return await store.list(request);
  if (delimiter === "/") return await store.list({ ...request, delimiter });
  return await folded(store, request, delimiter);
}

/** A list by a delimiter that storages do not know: folds a page of keys, and goes on behind the folder in which that ends. */
async function folded(store: Store, { prefix, limit, after }: ListRequest, delimiter: string): Promise<KeyPage> {
  const past = (key: string): string => (folderOf(key, { prefix, delimiter }) === key ? `${key}${LAST}` : key);
  const page = await store.list({ prefix, limit, ...(after !== undefined && { after: past(after) }) });
  const objects: ObjectHead[] = [];
  const folders = new Set<string>();
  for (const head of page.objects) {
    const folder = folderOf(head.key, { prefix, delimiter });
    if (folder === undefined) objects.push(head);
    else folders.add(folder);
  }
  const next = page.next && (folderOf(page.next, { prefix, delimiter }) ?? page.next);
  return { objects, folders: [...folders], next };
}
