/**
 * Moves a file or a folder within its storage, in place of what is there if that may be replaced. A reader sees the old or the new. Each
 * move is recorded before its first step, and whoever finds the record of one that broke off (the next start, another server, the
 * sweeper) brings it to an end. On a disk:
 *
 * | killed                                         | found                          | what is done                    |
 * |------------------------------------------------|--------------------------------|---------------------------------|
 * | before the rename                              | the source is there            | nothing: all is as it was       |
 * | between the two renames that a folder takes    | nothing is at the target       | the old goes back to its key    |
 * | after them                                     | the source is gone             | the old goes, the move is told  |
 *
 * On a storage that only knows keys a file takes a copy and a removal, a folder as many of both, and what a folder replaces is copied
 * to a name beside it first:
 *
 * | killed                                 | record            | what is done                                            |
 * |----------------------------------------|-------------------|---------------------------------------------------------|
 * | while the old is copied aside          | phase "aside"     | those copies go: all is as it was                       |
 * | while the new is copied                | no phase          | the rest is copied, and then as below                   |
 * | before the old and the source are gone | no phase          | the old goes, the move is told, the source goes         |
 * | while a move that failed is undone     | phase "undo"      | the old comes back, copies go: all is as it was         |
 *
 * What was staged goes where it does not come to its place (staging.ts). A move to another mount is made by copies: copy-then-delete.ts.
 *
 * Nothing is removed or written over that is not byte for byte what it should be there: what somebody else has written meanwhile stays.
 */
import { Failure } from "#contract/failures";
import type { Change, MovedChange } from "../stores/changes.ts";
import type { ObjectHead, ObjectStore, Place, Recheck } from "../stores/store.ts";
import {
  eachFew,
  isFolder,
  isSame,
  isThere,
  type Objects,
  objectsAt,
  pagesOf,
  removeAll,
  removeKeys,
} from "./at-key.ts";

/** A move as it is recorded. */
export interface PlannedMove extends MovedChange {
  /** The key of what is replaced, unless a file gives way to a file. */
  readonly replaced?: string;
  /** A name beside the target, without a slash at its end, for what is replaced. */
  readonly aside?: string;
  readonly phase?: "aside" | "undo";
  /** Whether what moves was staged, and goes when it does not move. */
  readonly staged?: true;
  /** What was staged is a copy of this, which goes when it has moved (copy-then-delete.ts). */
  readonly leaves?: Place;
}

/** A move on its way. */
export interface Moving {
  readonly store: ObjectStore;
  readonly move: PlannedMove;
  /** Asks whether it may still be made. */
  readonly beforeCommit: Recheck;
  /** Whatever else must hold of what is there: asked right before that changes, and never again. */
  readonly condition?: Recheck | undefined;
  /** Records how far it is. Throws when another server has taken it over. */
  readonly note: (move: PlannedMove) => Promise<void>;
  /** Throws when another server has taken it over. */
  readonly requireOwn: () => Promise<void>;
  readonly tell: (change: Change) => Promise<void>;
  /** Tells followers that what they know of the place may be wrong. */
  readonly outdated: (change: Change) => void;
}

/** What is copied from one key to another, or below them. */
interface Copying {
  readonly store: ObjectStore;
  readonly from: string;
  readonly to: string;
  /** Asked before each few copies. */
  readonly beforeCommit: Recheck;
}

/** Objects that a move copies; more are for a job, which goes on where it was broken off. */
export const MOST_MOVED = 100_000;

/** The key of a folder that waits aside. */
const asideOf = ({ aside = "", replaced = "" }: PlannedMove): string => (isFolder(replaced) ? `${aside}/` : aside);

/** Whether what is replaced has the keys of what comes, so that it has to be copied aside. */
const isSameKind = ({ to, replaced }: PlannedMove): boolean => replaced === to.key;

/** How a move begins that is about to be recorded. */
export const planned = (store: ObjectStore, move: PlannedMove): PlannedMove =>
  !store.tree && isSameKind(move) ? { ...move, phase: "aside" } : move;

/** Makes a move and tells of it. 404 path.missing, 400 path.into, path.large. What it throws leaves a record that has to be settled. */
export async function makeMove(moving: Moving): Promise<void> {
  const { store, move, beforeCommit, condition } = moving;
  const { from, to, aside } = move;
  if (!store.tree) return await copyAndRemove(moving);
  const mayMove: Recheck = async () => {
    await beforeCommit();
    await condition?.();
  };
  if (!(await store.tree.move(from.key, to.key, { beforeCommit: mayMove, aside }))) throw new Failure("path.missing");
  await tellMoved(moving, false);
}

/**
 * Brings a move to an end that broke off, as the tables above say. Says whether it was made; if not, and what should have moved was
 * staged, that is still there.
 */
export async function settleMove(moving: Moving): Promise<boolean> {
  await settle(moving);
  return moving.move.staged === undefined || !(await isThere(moving.store, moving.move.from.key));
}

async function settle(moving: Moving): Promise<void> {
  const { store, move } = moving;
  if (store.tree) return await settleRename(moving);
  if (move.phase === "aside") return await removeAll(store, asideOf(move));
  if (!isFolder(move.to.key)) return await settleFile(moving);
  if (move.phase === "undo") return await undo(moving);
  await finish(moving);
}

async function settleRename(moving: Moving): Promise<void> {
  const { store, move } = moving;
  const { from, to, replaced } = move;
  const isAside = replaced !== undefined && (await store.head(asideOf(move))) !== undefined;
  const isMade = await isThere(store, to.key);
  if (isAside && !isMade) await store.tree?.move(asideOf(move), replaced);
  if (isAside && isMade) return await tellMoved(moving, true);
  if (await isThere(store, from.key)) return;
  if (isMade) await tellMoved(moving, true);
  else await moving.tell({ kind: "removed", at: from });
}

/** Tells of a move that was made. What was replaced is told first, once: later its keys are those of what came. */
async function tellMoved({ store, move, note, tell }: Moving, again: boolean): Promise<void> {
  const { kind, from, to, over, replaced, staged, leaves, trash } = move;
  if (over) {
    const file = await store.head(to.key);
    if (file) await tell({ kind: "written", at: to, file });
  }
  const moved: MovedChange = { kind, from, to, ...(over && { over }), ...(trash && { trash }) };
  if (replaced !== undefined) {
    await removeOld(store, move);
    await tell({ kind: "removed", at: { ...to, key: replaced } });
    await note({ ...moved, ...(staged && { staged }), ...(leaves && { leaves }) });
  }
  await tell(again ? { ...moved, again } : moved);
}

/** Removes what was replaced: from where it waits, or where its keys are others than those of what came. */
async function removeOld(store: ObjectStore, move: PlannedMove): Promise<void> {
  const { replaced = "" } = move;
  const aside = asideOf(move);
  if (store.tree) await (isFolder(aside) ? store.tree.remove(aside) : store.remove([aside]));
  else await removeAll(store, isSameKind(move) ? aside : replaced);
}

async function copyAndRemove(moving: Moving): Promise<void> {
  const { store, beforeCommit, condition, requireOwn, note } = moving;
  const mayGoOn: Recheck = async () => {
    await beforeCommit();
    await requireOwn();
  };
  let { move } = moving;
  const { from, to } = move;
  if (isFolder(from.key) && to.key.startsWith(from.key)) throw new Failure("path.into");
  let copied: Objects;
  try {
    await condition?.();
    if (move.phase === "aside") {
      await copyAll({ store, from: to.key, to: asideOf(move), beforeCommit: mayGoOn });
      await condition?.();
      move = { ...move, phase: undefined };
      await note(move);
    }
    copied = await copyAll({ store, from: from.key, to: to.key, beforeCommit: mayGoOn });
    if (copied.size === 0) throw new Failure("path.missing");
    // Copying takes its time, and what follows cannot be undone.
    await mayGoOn();
  } catch (error) {
    if (move.phase === undefined) await note({ ...move, phase: "undo" });
    throw error;
  }
  await prune({ ...moving, move }, copied);
  await tellMoved({ ...moving, move }, false);
  await removeCopied({ ...moving, move }, copied);
}

/** Copies all there is, and answers the versions. */
async function copyAll({ store, from, to, beforeCommit }: Copying): Promise<Objects> {
  const copied: Objects = new Map();
  const copy = async (head: ObjectHead): Promise<void> => {
    const below = head.key.slice(from.length);
    if (await store.copy(head.key, to + below, { found: head })) copied.set(below, head);
  };
  for await (const page of pagesOf(store, from)) {
    if (copied.size + page.length > MOST_MOVED) throw new Failure("path.large", { limit: MOST_MOVED });
    await eachFew(page, copy, beforeCommit);
  }
  return copied;
}

/**
 * Removes what was copied. What somebody has written anew since is copied once more before it goes; what came to the folder
 * meanwhile stays where it is.
 */
async function removeCopied({ store, move, requireOwn, outdated }: Moving, copied: Objects): Promise<void> {
  const { from, to } = move;
  try {
    for await (const page of pagesOf(store, from.key)) {
      const known = page.filter(({ key }) => copied.has(key.slice(from.key.length)));
      await requireOwn();
      for (const { key, etag } of known) {
        const below = key.slice(from.key.length);
        if (copied.get(below)?.etag !== etag) await store.copy(key, to.key + below);
      }
      await store.remove(known.map(({ key }) => key));
    }
  } finally {
    outdated(move);
  }
}

/** Removes of what is replaced what has no key of what came, where both are folders. */
async function prune({ store, move }: Moving, coming: Objects): Promise<void> {
  if (move.replaced === undefined || !isSameKind(move)) return;
  const aside = asideOf(move);
  const old = await objectsAt(store, aside);
  const there = await objectsAt(store, move.to.key);
  const gone: string[] = [];
  for (const [below, head] of old) {
    const now = coming.has(below) ? undefined : there.get(below);
    if (now && (await isSame(store, head, now))) gone.push(now.key);
  }
  await removeKeys(store, gone);
}

/** A file: its copy is at the target, or all is as it was. */
async function settleFile(moving: Moving): Promise<void> {
  const { store, move, tell } = moving;
  const { from, to, over, phase } = move;
  const [source, target] = await Promise.all([store.head(from.key), store.head(to.key)]);
  if (!source) return target ? await tellMoved(moving, true) : await tell({ kind: "removed", at: from });
  if (!target || !(await isSame(store, source, target))) return;
  // What was replaced cannot come back.
  if (phase === "undo" && !over) return await store.remove([to.key]);
  await tellMoved(moving, true);
  await removeCopied(moving, new Map([["", source]]));
}

/** Copies what is not copied yet of a folder, and removes what has to go. */
async function finish(moving: Moving): Promise<void> {
  const { store, move, requireOwn, tell } = moving;
  const { from, to, replaced } = move;
  const coming = await objectsAt(store, from.key);
  const there = await objectsAt(store, to.key);
  if (coming.size === 0 && there.size === 0) return await tell({ kind: "removed", at: from });
  const old = replaced !== undefined && isSameKind(move) ? await objectsAt(store, asideOf(move)) : new Map();
  const made: Objects = new Map();
  const copy = async ([below, head]: readonly [string, ObjectHead]): Promise<void> => {
    const [now, before] = [there.get(below), old.get(below)];
    const isCopied = now !== undefined && (await isSame(store, head, now));
    const isFree = now === undefined || (before !== undefined && (await isSame(store, before, now)));
    if (isCopied || (isFree && (await store.copy(head.key, to.key + below, { found: head })))) made.set(below, head);
  };
  await eachFew([...coming], copy, requireOwn);
  await prune(moving, coming);
  await tellMoved(moving, true);
  await removeCopied(moving, made);
}

/** Puts back what was replaced, and removes the copies of what should have come. */
async function undo({ store, move, requireOwn }: Moving): Promise<void> {
  const { from, to, replaced } = move;
  const coming = await objectsAt(store, from.key);
  const there = await objectsAt(store, to.key);
  const aside = replaced !== undefined && isSameKind(move) ? asideOf(move) : undefined;
  const old = aside === undefined ? new Map<string, ObjectHead>() : await objectsAt(store, aside);
  const gone: string[] = [];
  await requireOwn();
  for (const [below, now] of there) {
    const [source, before] = [coming.get(below), old.get(below)];
    if (!source || !(await isSame(store, source, now))) continue;
    if (!before) gone.push(now.key);
    else if (!(await isSame(store, before, now))) await store.copy(before.key, now.key, { found: before });
  }
  await removeKeys(store, gone);
  if (aside !== undefined) await removeAll(store, aside);
}
