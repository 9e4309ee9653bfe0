import { type BigIntStats, lstatSync } from "node:fs";
import { lstat, realpath } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { Failure } from "#contract/failures";
import { MAX_NAME_BYTES } from "#contract/limits";

/** Where files wait until they are whole. */
export const INCOMING = ".incoming";
/** Where the parts of unfinished uploads are. */
export const MULTIPARTS = ".multipart";
/** Where a running backup keeps what it still has to read. */
export const BACKUP = ".backup";

const LONGEST_KEY = 1024;

/** Reports whether a key has at most 1,024 bytes, the limit of S3. */
export const isShortKey = (key: string): boolean =>
  3 * key.length <= LONGEST_KEY || Buffer.byteLength(key) <= LONGEST_KEY;

/** Reports whether a key is a folder's. */
export const isFolderKey = (key: string): boolean => key.endsWith("/");

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are refused in names.
const REFUSED_CHARACTERS = /[\u0000-\u001f\u007f\\]/;

/** Reports whether a file or folder may have this name. */
export const isSegment = (segment: string): boolean =>
  segment !== "" &&
  segment !== "." &&
  segment !== ".." &&
  !REFUSED_CHARACTERS.test(segment) &&
  segment.isWellFormed() &&
  Buffer.byteLength(segment) <= MAX_NAME_BYTES;

/** Reports whether a bucket of the built-in store may have this name, which is that of its folder beside `.incoming` and others. */
export const isBucketName = (name: string): boolean => isSegment(name) && !name.includes("/") && !name.startsWith(".");

/** The path of a key's file or folder below the root. 400 path.invalid for a key that no file can have or that leads outside. */
export function pathOfKey(root: string, key: string): string {
  const segments = (isFolderKey(key) ? key.slice(0, -1) : key).split("/");
  if (!isShortKey(key) || !segments.every(isSegment)) throw new Failure("path.invalid");
  return join(root, ...segments);
}

/** The path of a key's file. 400 path.invalid also for a folder's key. */
export function pathOfFile(root: string, key: string): string {
  if (isFolderKey(key)) throw new Failure("path.invalid");
  return pathOfKey(root, key);
}

/**
 * Throws 400 path.invalid for a path below a folder that is a link, which would open the rest of the disk. Folders that do not exist
 * yet are allowed.
 */
export async function stayInside(root: string, path: string): Promise<void> {
  if (await leadsOutside(root, dirname(path))) throw new Failure("path.invalid");
}

/** Reports whether a folder below the root, or the nearest one above it that exists, is reached through a link. */
export async function leadsOutside(root: string, folder: string): Promise<boolean> {
  if (folder === root) return false;
  try {
    return (await realpath(folder)) !== folder;
  } catch (error) {
    if (codeOf(error) === "ELOOP") return true;
    if (!isMissing(error)) throw error;
    return (await firstNoFolder(root, folder))?.isSymbolicLink() === true;
  }
}

/** Reports whether a file is where a folder below the root, or one above it, would be. 400 path.invalid beyond a link. */
export async function isBelowFile(root: string, folder: string): Promise<boolean> {
  // Mostly the folder is there, which one look tells.
  if (folder === root || (await statOf(folder))?.isDirectory()) return false;
  const found = await firstNoFolder(root, folder);
  if (found?.isSymbolicLink()) throw new Failure("path.invalid");
  return found?.isFile() === true;
}

/**
 * The first on the way from the root to a folder that is no folder itself; undefined when all are, as far as they exist. One walk:
 * each name is looked at once, and nothing behind the first that is missing.
 */
async function firstNoFolder(root: string, folder: string): Promise<BigIntStats | undefined> {
  let path = root;
  for (const name of relative(root, folder).split(sep)) {
    path = join(path, name);
    const stat = await statOf(path);
    if (!stat?.isDirectory()) return stat;
  }
  return undefined;
}

/** The stat of a path, of the link itself where one is; undefined when nothing is there. */
export async function statOf(path: string | Buffer) {
  try {
    return await lstat(path, { bigint: true });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The stat of a path without waiting, for steps between which no other task may run, and for many files in a row. */
export function statNow(path: string | Buffer): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Reports whether a stat matches the kind of the key: a folder for a folder's key, a file for any other. */
export const isThere = (key: string, stat: Pick<BigIntStats, "isFile" | "isDirectory"> | undefined): boolean =>
  (isFolderKey(key) ? stat?.isDirectory() : stat?.isFile()) === true;

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

/** Reports whether a system error says that there is no such file. */
export const isMissing = (error: unknown): boolean => codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR";

/** Reports whether a system error says that something else is where a file or a folder should be. */
export const isConflict = (error: unknown): boolean =>
  ["EEXIST", "ENOTDIR", "EISDIR", "ENOTEMPTY"].includes(codeOf(error));

/** Reports whether a system error says that a disk, a quota or the file size of the process is used up. */
export const isFull = (error: unknown): boolean => ["ENOSPC", "EDQUOT", "EFBIG"].includes(codeOf(error));

/** Reports whether a system error says that this process lacks the permission. */
export const isDenied = (error: unknown): boolean => ["EACCES", "EPERM", "EROFS"].includes(codeOf(error));

/** Reports whether a system error says that a file or a folder cannot be renamed because a mounted disk is in the way. */
const isFixed = (error: unknown): boolean => ["EXDEV", "EBUSY"].includes(codeOf(error));

/** The failure for a system error: 409 path.conflict or 507 storage.full. Any other error stays as it is. */
export function asConflict(error: unknown): unknown {
  if (isFull(error)) return new Failure("storage.full", { bound: "diskFull" });
  return isConflict(error) || isFixed(error) ? new Failure("path.conflict") : error;
}
