import { dirname, join } from "node:path";
import { Failure } from "#contract/failures";
import { isTooDeep } from "#contract/paths";
import type { MoveOptions, TreeVerbs } from "../store.ts";
import { stampOf } from "./attributes.ts";
import type { DiskBucket } from "./bucket.ts";
import { isFolderKey, isShortKey, isThere, pathOfKey, stayInside } from "./paths.ts";
import { type Reach, statNowAt } from "./reach.ts";
import { renameInto } from "./rename.ts";

export interface MoveDeps extends Pick<DiskBucket, "root" | "table" | "locks" | "flush" | "keeping" | "reach"> {
  /** Called right before something that is no file gives way to something else, which takes two renames. */
  readonly swapping: () => void;
}

/** Moves files and folders by renaming them. */
export function createMove({ root, table, locks, flush, keeping, swapping, reach }: MoveDeps): TreeVerbs["move"] {
  /** Asks for the attributes of what moves, and of what it replaces, to be right at both of their keys. */
  const copyAttributes = async ({ from, to, replaced, kept }: Move): Promise<void> => {
    if (replaced !== undefined && kept !== undefined) await table.copyTree(replaced, kept);
    await table.copyTree(from, to);
  };

  /** Removes the attributes of what is no longer there: of what moved when it did, else of where it should have gone. */
  const removeAttributes = async ({ from, to, replaced, kept, stamp }: Move, moved: boolean): Promise<void> => {
    if (!moved) {
      await table.removeCopies(from, to);
      if (kept !== undefined) await table.removeTree(kept);
      return;
    }
    if (replaced !== undefined && kept !== undefined) await table.removeCopies(kept, replaced);
    else if (replaced !== undefined) await table.removeOlderAttributes(to, stamp);
    await table.removeTree(from);
  };

  /** Renames what is there, and before it what it replaces unless both are files. Returns as `renameInto`. */
  const rename = ({ from, to, replaced, kept }: Move): readonly string[] | undefined => {
    const [source, target] = [pathOfKey(root, from), pathOfKey(root, to)];
    if (!isThere(from, statNowAt(reach, source))) return undefined;
    if (keyAt(reach, target, to) !== replaced) throw new Failure("path.conflict");
    if (kept === undefined) {
      keeping.keep(target);
      keeping.moving(source, target);
      return [dirname(source), ...renameInto(reach, source, target)];
    }
    swapping();
    const set = pathOfKey(root, kept);
    keeping.moving(target, set);
    keeping.moving(source, target);
    renameInto(reach, target, set);
    try {
      return [dirname(source), dirname(set), ...renameInto(reach, source, target)];
    } catch (error) {
      renameInto(reach, set, target);
      throw error;
    }
  };

  /**
   * Attributes belong to a file's inode and time, which a rename keeps. They have both keys before the rename and only the new one
   * after it, so they are right whenever the process ends.
   */
  const move = async (from: string, to: string, { beforeCommit, aside: name }: MoveOptions): Promise<boolean> => {
    const [source, target] = [pathOfKey(root, from), pathOfKey(root, to)];
    for (const path of [source, target]) await stayInside(root, path);
    const stat = statNowAt(reach, source);
    if (!stat || !isThere(from, stat)) return false;
    const replaced = keyAt(reach, target, to);
    if (replaced !== undefined && name === undefined) throw new Failure("path.conflict");
    const isSwap = replaced !== undefined && (isFolderKey(replaced) || isFolderKey(from));
    const kept = isSwap ? keyLike(replaced, name ?? "") : undefined;
    if (isFolderKey(from) && (isLonger(to, from) || depthOf(to) > depthOf(from)))
      await checkKeys(reach, source, { from, to });
    const moving = { from, to, replaced, kept, stamp: stampOf(stat) };
    await copyAttributes(moving);
    let changed: readonly string[] | undefined;
    try {
      await beforeCommit?.();
      changed = rename(moving);
      if (changed) await flush(changed);
    } finally {
      await removeAttributes(moving, changed !== undefined);
    }
    return changed !== undefined;
  };

  return async (from, to, options = {}) => {
    if (isFolderKey(from) !== isFolderKey(to) || (isFolderKey(from) && to.startsWith(from)))
      throw new Failure("path.invalid");
    const { aside: name } = options;
    const replaced = name === undefined ? [] : [...bothKeys(to), ...bothKeys(name)];
    return await locks([from, to, ...replaced], () => move(from, to, options));
  };
}

/** A move with what is at its target. */
interface Move {
  readonly from: string;
  readonly to: string;
  /** The key of what is replaced. */
  readonly replaced: string | undefined;
  /** What that gets for a key; undefined where a file gives way to a file. */
  readonly kept: string | undefined;
  /** Of the file or folder that moves. */
  readonly stamp: string;
}

/** A key as that of a file and as that of a folder. */
const bothKeys = (key: string): readonly string[] => [keyLike("", key), keyLike("/", key)];

/** A key as that of a folder if another one is a folder's, else as that of a file. */
const keyLike = (other: string, key: string): string => {
  const plain = isFolderKey(key) ? key.slice(0, -1) : key;
  return isFolderKey(other) ? `${plain}/` : plain;
};

/** The key of what is at a path, which may be of another kind than the key that is asked for. 409 path.conflict for what no key can be. */
function keyAt(reach: Reach, path: string, key: string): string | undefined {
  const stat = statNowAt(reach, path);
  if (!stat) return undefined;
  if (!stat.isFile() && !stat.isDirectory()) throw new Failure("path.conflict");
  return keyLike(stat.isDirectory() ? "/" : "", key);
}

const isLonger = (one: string, other: string): boolean => Buffer.byteLength(one) > Buffer.byteLength(other);

const depthOf = (key: string): number => key.split("/").length;

/** Throws 400 path.invalid or path.tooDeep when something below a folder would get a key that is too long or too deep. */
async function checkKeys(reach: Reach, path: string, { from, to }: Pick<Move, "from" | "to">): Promise<void> {
  for (const name of await reach.folder(path, reach.names)) {
    if (!isShortKey(from + name)) continue;
    if (!isShortKey(to + name)) throw new Failure("path.invalid");
    if (isTooDeep(to + name) && !isTooDeep(from + name)) throw new Failure("path.tooDeep");
    if (isFolderKey(name)) await checkKeys(reach, join(path, name.slice(0, -1)), { from: from + name, to: to + name });
  }
}
