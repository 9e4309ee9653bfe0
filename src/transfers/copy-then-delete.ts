/**
 * Moves a file or a folder to another mount, mostly of another storage: whoever may do it copies (vfs/move.ts, vfs/replace.ts), and then the source
 * goes. A folder, and what takes the place of something of another kind, is copied to a name beside its target; the rest of the way is
 * a move within the storage. A file is copied to its place, or over what is there. Until all is there nothing goes, and from then on
 * the move is made, whatever becomes of the rights of its caller:
 *
 * | killed                                 | record              | what is done                                           |
 * |----------------------------------------|---------------------|--------------------------------------------------------|
 * | while it is copied beside its target   | "staged"            | those copies go: all is as it was                      |
 * | while that comes to its place          | "moved" that leaves | as moves.ts says; where it is made, what follows       |
 * | while a file is copied to its place    | "carried"           | if its copy is there, the source goes; else nothing    |
 * | while the source goes                  | "carried"           | the rest of it goes                                    |
 *
 * Only those objects go whose bytes are at the target: what somebody writes at the source meanwhile stays there.
 */
import { Failure } from "#contract/failures";
import type { Change, MovedChange } from "../stores/changes.ts";
import type { ObjectHead, ObjectStore, Place, Recheck } from "../stores/store.ts";
import { areSame, eachFew, isFolder, isThere, objectsAt, pagesOf, removeEmptyFolders } from "./at-key.ts";

/** A move to another mount as it is recorded. */
export interface CarriedMove {
  readonly kind: "carried";
  readonly from: Place;
  readonly to: Place;
  /** Whether a file takes the place of a file. */
  readonly over?: true;
  /** ETags of a file and its copy, once that is made. */
  readonly made?: { readonly of: string; readonly etag: string };
}

/** Such a move on its way. */
export interface Carrying {
  readonly source: ObjectStore;
  readonly target: ObjectStore;
  readonly move: CarriedMove;
  /** Throws when another server has taken it over. */
  readonly requireOwn: () => Promise<void>;
  readonly tell: (change: Change) => Promise<void>;
  /** Tells followers that what they know of the place may be wrong. */
  readonly outdated: (change: Change) => void;
}

/** ETags of what was copied, by what the keys of the sources have behind that of the folder; of a file by nothing. */
export type Copied = ReadonlyMap<string, string>;

/** Has the source go as far as it was copied and has not changed. Answers what is still there because it has changed or is new, as Copied names it. */
export async function removeSource(carrying: Carrying, copied: Copied): Promise<string[]> {
  const { source, move, requireOwn, outdated } = carrying;
  const { from } = move;
  const isCopied = ({ key, etag }: ObjectHead): boolean => copied.get(key.slice(from.key.length)) === etag;
  const files = [...(await objectsAt(source, from.key)).values()].filter(({ key }) => !isFolder(key));
  const kept = files.filter((file) => !isCopied(file)).map(({ key }) => key.slice(from.key.length));
  await tellCarried(carrying, kept.length === 0 ? undefined : files.filter(isCopied));
  try {
    for await (const page of pagesOf(source, from.key)) {
      await requireOwn();
      for (const { key } of await removeSame(source, page.filter(isCopied))) kept.push(key.slice(from.key.length));
    }
    if (isFolder(from.key)) await removeEmptyFolders(source, from.key, source.remove);
  } finally {
    outdated(changeOf(move));
  }
  return kept;
}

/**
 * Removes objects that have not changed since they were listed; answers those that have. On a disk nobody writes between that question and
 * the removal. Elsewhere it is asked of a single object alone: for each of many it would be a request.
 */
async function removeSame(store: ObjectStore, listed: readonly ObjectHead[]): Promise<ObjectHead[]> {
  const changed: ObjectHead[] = [];
  const requireSame: Recheck = async () => {
    const before = changed.length;
    for (const head of listed) {
      const now = changed.includes(head) ? undefined : await store.head(head.key);
      if (now && now.etag !== head.etag) changed.push(head);
    }
    if (changed.length > before) throw new Failure("path.changed");
  };
  const beforeCommit = store.tree || listed.length === 1 ? requireSame : undefined;
  for (;;) {
    const keys = listed.filter((head) => !changed.includes(head)).map(({ key }) => key);
    if (keys.length === 0) return changed;
    try {
      await store.remove(keys, { beforeCommit });
      return changed;
    } catch (error) {
      if (!(error instanceof Failure && error.code === "path.changed")) throw error;
    }
  }
}

const changeOf = ({ from, to }: CarriedMove): MovedChange => ({ kind: "moved", from, to, again: true });

/** Tells of the move before its source goes, so that no share loses its file: of all of it, or of these files. */
async function tellCarried({ move, tell }: Carrying, files: readonly ObjectHead[] | undefined): Promise<void> {
  const { from, to, over } = move;
  if (!files) return await tell(over ? { kind: "moved", from, to, over } : changeOf(move));
  for (const { key } of files) {
    const below = key.slice(from.key.length);
    await tell(changeOf({ ...move, from: { ...from, key }, to: { ...to, key: to.key + below } }));
  }
}

/** Brings a move to an end that broke off when its copies were there, or a file about to be copied. */
export async function settleCarried(carrying: Carrying): Promise<void> {
  const { source, target, move, tell } = carrying;
  const { from, to } = move;
  const isLeft = await isThere(source, from.key);
  const copied = await copiedOf(carrying);
  // A folder is recorded when all of it has come.
  if (isLeft && copied.size === 0 && !isFolder(from.key)) return;
  if (!isLeft && !(await isThere(target, to.key))) return await tell({ kind: "removed", at: from });
  const file = isFolder(to.key) ? undefined : await target.head(to.key);
  if (file) await tell({ kind: "written", at: to, file });
  await removeSource({ ...carrying, move: { ...move, over: undefined } }, copied);
}

/** What is at the target with the bytes of the source. */
async function copiedOf({ source, target, move, requireOwn }: Carrying): Promise<Copied> {
  const { from, to, made } = move;
  const there = await objectsAt(target, to.key);
  const copied = new Map<string, string>();
  const look = async ([below, head]: readonly [string, ObjectHead]): Promise<void> => {
    const copy = there.get(below);
    if (!copy || isFolder(head.key)) return;
    const isMade = made !== undefined && head.etag === made.of && copy.etag === made.etag;
    const isSame = isMade || (await areSame({ store: source, head }, { store: target, head: copy }));
    if (isSame) copied.set(below, head.etag);
  };
  await eachFew([...(await objectsAt(source, from.key))], look, requireOwn);
  return copied;
}
