import { parentOf } from "#contract/paths";
import type { Lock } from "./locks-table.ts";

/** A path with a slash at its end, with which all that lies below it begins. */
export const folderOf = (path: string): string => (path === "/" ? path : `${path}/`);

const inOrder = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

/** Where a text is in a list that is in order, or would be. */
function indexIn(list: readonly string[], text: string): number {
  let [from, to] = [0, list.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((list[middle] ?? "") < text) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The locks in memory, by token and by path. Those that have ended are forgotten as they are met. */
export function createLockIndex(now: () => number) {
  const locks = new Map<string, Lock>();
  /** Tokens by path. */
  const byPath = new Map<string, Set<string>>();

  /** The paths of these in order: all below a path stand beside each other, and the others are not looked at. */
  let paths: string[] = [];

  const note = (lock: Lock): boolean => {
    locks.set(lock.token, lock);
    const there = byPath.get(lock.path);
    if (there) there.add(lock.token);
    else byPath.set(lock.path, new Set([lock.token]));
    return there === undefined;
  };

  const add = (lock: Lock): void => {
    if (note(lock)) paths.splice(indexIn(paths, lock.path), 0, lock.path);
  };

  const remove = ({ token, path }: Pick<Lock, "token" | "path">): void => {
    locks.delete(token);
    const there = byPath.get(path);
    there?.delete(token);
    if (there?.size !== 0) return;
    byPath.delete(path);
    paths.splice(indexIn(paths, path), 1);
  };

  const living = (token: string): Lock | undefined => {
    const lock = locks.get(token);
    if (!lock || lock.until > now()) return lock;
    remove(lock);
    return undefined;
  };

  const at = (path: string): Lock[] => [...(byPath.get(path) ?? [])].flatMap((token) => living(token) ?? []);

  function* below(path: string): Generator<Lock> {
    const folder = folderOf(path);
    for (let index = indexIn(paths, folder); ; ) {
      const next = paths[index];
      if (next === undefined || !next.startsWith(folder)) return;
      if (next !== path) yield* at(next);
      // Those that have ended are gone by now.
      index = indexIn(paths, next);
      if (paths[index] === next) index += 1;
    }
  }

  return {
    size: (): number => locks.size,
    add,
    remove,
    /** The lock of a token, if it has not ended. */
    living,
    /** The locks below a path. */
    below,

    /** The locks at a path and below it. */
    within: (path: string): Lock[] => [...at(path), ...below(path)],

    /** The locks that hold at a path: its own, and deep ones above. */
    covering(path: string): Lock[] {
      if (locks.size === 0) return [];
      const found = at(path);
      for (let above = path; above !== "/"; ) {
        above = parentOf(above);
        found.push(...at(above).filter(({ deep }) => deep));
      }
      return found;
    },

    /** How many somebody has. */
    countOf: (holder: string): number => locks.values().reduce((sum, lock) => sum + Number(lock.holder === holder), 0),

    /** Forgets all that have ended. */
    dropEnded(): void {
      for (const token of [...locks.keys()]) living(token);
    },

    /** Holds these in place of all. */
    replace(all: Iterable<Lock>): void {
      locks.clear();
      byPath.clear();
      for (const lock of all) note(lock);
      paths = [...byPath.keys()].sort(inOrder);
    },
  };
}

export type LockIndex = ReturnType<typeof createLockIndex>;
