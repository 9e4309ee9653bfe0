import { type BigIntStats, lstatSync } from "node:fs";
import { lstat, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Failure } from "#contract/failures";

const LONGEST_SEGMENT = 255;
const LONGEST_KEY = 1024;

/** Whether a key is as short as S3 wants it. */
export const isShortKey = (key: string): boolean =>
  3 * key.length <= LONGEST_KEY || Buffer.byteLength(key) <= LONGEST_KEY;

/** Whether a key stands for an empty folder. */
export const isFolderKey = (key: string): boolean => key.endsWith("/");

// biome-ignore lint/suspicious/noControlCharactersInRegex: a file may not be called so.
const UNSPEAKABLE = /[\u0000-\u001f\u007f\\]/;

/** Whether a file or folder with this name has a key. */
export const isSegment = (segment: string): boolean =>
  segment !== "" &&
  segment !== "." &&
  segment !== ".." &&
  !UNSPEAKABLE.test(segment) &&
  segment.isWellFormed() &&
  Buffer.byteLength(segment) <= LONGEST_SEGMENT;

/** Where a key's file or folder is below the root. 400 path.invalid for a key that no file can have or that leads outside. */
export function pathOfKey(root: string, key: string): string {
  const segments = (isFolderKey(key) ? key.slice(0, -1) : key).split("/");
  if (!isShortKey(key) || !segments.every(isSegment)) throw new Failure("path.invalid");
  return join(root, ...segments);
}

/**
 * Refuses a path below a folder that is a link: what a person may have put there by hand does not open the rest of the disk.
 * 400 path.invalid; a folder that is not there yet is none.
 */
export async function stayInside(root: string, path: string): Promise<void> {
  if (await leadsOutside(root, dirname(path))) throw new Failure("path.invalid");
}

/** Whether a folder below the root, or the nearest above it that is there, is reached through a link. */
export async function leadsOutside(root: string, folder: string): Promise<boolean> {
  if (folder === root) return false;
  try {
    return (await realpath(folder)) !== folder;
  } catch (error) {
    if (codeOf(error) === "ELOOP") return true;
    if (!isMissing(error)) throw error;
    return (await statOf(folder))?.isSymbolicLink() === true || (await leadsOutside(root, dirname(folder)));
  }
}

/** What is at a path, the link itself where one is; undefined when nothing is. */
export async function statOf(path: string) {
  try {
    return await lstat(path, { bigint: true });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The same without waiting, for what must not be interrupted and for many files at once. */
export function statNow(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

/** Whether a system error says that there is no such file. */
export const isMissing = (error: unknown): boolean => codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR";

/** Whether a system error says that something else is where a file or a folder should be. */
export const isConflict = (error: unknown): boolean =>
  ["EEXIST", "ENOTDIR", "EISDIR", "ENOTEMPTY"].includes(codeOf(error));

/** Whether a system error says that there is no room: disk, quota, or the size that the process may write. */
export const isFull = (error: unknown): boolean => ["ENOSPC", "EDQUOT", "EFBIG"].includes(codeOf(error));

/** Whether a system error says that a file or a folder cannot leave its place or take another: a disk of its own stands there. */
const isFixed = (error: unknown): boolean => ["EXDEV", "EBUSY"].includes(codeOf(error));

/** 409 path.conflict for a system error that says so; any other stays as it is. */
export const asConflict = (error: unknown): unknown =>
  isConflict(error) || isFixed(error) ? new Failure("path.conflict") : error;
