import { lstatSync, type Stats } from "node:fs";
import { join } from "node:path";
import { compareBytes } from "#contract/paths";
import type { Checksums } from "../../lib/digests/digests.ts";
import type { KeptHeaders } from "../../lib/kept-headers.ts";
import { FOLDER_TYPE, typeOfName } from "../../lib/mime.ts";
import type { Described, ObjectHead, PartSizes, StoredPart } from "../store.ts";
import type { Attributes, DiskTable, KeyAttributes, PartRow } from "./disk-table.ts";
import type { Listed } from "./list.ts";
import { isFolderKey, isMissing, isThere, statNow } from "./paths.ts";
import type { DiskPath, FileStat, Reach } from "./reach.ts";

/** Tells a file from every other that had or will have its name: inode and time of the last change. */
export const stampOf = ({ ino, mtimeNs }: Pick<FileStat, "ino" | "mtimeNs">): string => `${ino}:${mtimeNs}`;

/** Returns a new random ETag. Its shape shows that it is no MD5: hashing a file costs three times as much as writing it. */
export const newTag = (): string => `${crypto.randomUUID().replaceAll("-", "")}-1`;

/** What the database keeps of a file. */
export const attributesOf = (
  { type, headers }: Described,
  etag: string,
  { checksums, parts }: Bytes = {},
): Attributes => ({
  content_type: type,
  etag,
  headers: keptText(headers),
  checksums: keptText(checksums),
  parts: parts ? JSON.stringify(parts) : null,
});

/** What is known of the bytes of an object. */
type Bytes = Pick<ObjectHead, "checksums" | "parts">;

/** Kept headers or checksums as a text; null when there are none. */
export const keptText = (kept: KeptHeaders | Checksums | undefined): string | null =>
  kept && Object.keys(kept).length > 0 ? JSON.stringify(kept) : null;

/** A part as the database keeps it. */
export const storedPart = ({ number, etag, size, checksums }: PartRow): StoredPart => ({
  number,
  etag,
  size,
  ...(checksums !== null && { checksums: JSON.parse(checksums) as Checksums }),
});

/** The sizes of parts in a row. */
export function sizesOf(parts: readonly Pick<StoredPart, "size">[]): PartSizes {
  const sizes: [size: number, count: number][] = [];
  for (const { size } of parts) {
    const last = sizes.at(-1);
    if (last?.[0] === size) last[1] += 1;
    else sizes.push([size, 1]);
  }
  return sizes;
}

/**
 * The ETag of a file that this store did not write. It changes when the file does, also for a program that sets the time of what it wrote
 * back: nobody can do so with the time of the inode.
 */
const derivedTag = (stat: FileStat): string =>
  `${Bun.MD5.hash(`${stampOf(stat)}:${stat.ctimeNs}:${stat.size}`, "hex")}-1`;

/** Files that are read without a pause, which takes a few milliseconds. */
const SLICE = 1000;
/** Keys that one statement looks up. With more keys in a row it is faster to read all rows from the first to the last. */
const KEYS_AT_ONCE = 100;

/** The head of a file or folder. Without attributes, type and ETag come from the file itself. */
export function headOf(key: string, stat: FileStat, known: Attributes | undefined): ObjectHead {
  const modified = Number(stat.mtimeMs);
  if (stat.isDirectory()) return { key, size: 0, etag: derivedTag(stat), type: FOLDER_TYPE, modified };
  return {
    key,
    size: Number(stat.size),
    etag: known?.etag ?? derivedTag(stat),
    type: known?.content_type ?? typeOfName(key),
    modified,
    ...(known?.headers && { headers: JSON.parse(known.headers) as KeptHeaders }),
    ...(known?.checksums && { checksums: JSON.parse(known.checksums) as Checksums }),
    ...(known?.parts && { parts: JSON.parse(known.parts) as PartSizes }),
  };
}

/** A folder may go between two looks. */
function withFolder(reach: Reach, folder: string, use: (path: string) => void): void {
  try {
    reach.folder(folder, use);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

interface HeadsOf {
  readonly root: string;
  readonly table: DiskTable;
  readonly reach: Reach;
}

/** Heads of the objects with these names, without folders and without files that are gone. */
export async function headsOf({ root, table, reach }: HeadsOf, listed: readonly Listed[]): Promise<ObjectHead[]> {
  const heads: ObjectHead[] = [];
  for (const runs of slicesOf(listed)) {
    const few = rowsInOrder(await rowsOfFew(table, runs.filter(isFew)));
    for (const run of runs) {
      const rows = isFew(run) ? few : rowsInOrder(await rowsOfMany(table, run));
      withFolder(reach, join(root, run.folder), (path) => addHeads(heads, looksIn(reach, path), run, rows));
    }
    await new Promise(setImmediate);
  }
  return heads;
}

const isFew = ({ names }: Listed): boolean => names.length < KEYS_AT_ONCE;

/** Rows of the keys of these runs. */
async function rowsOfFew(table: DiskTable, runs: readonly Listed[]): Promise<KeyAttributes[]> {
  const keys = runs.flatMap(({ folder, names }) => names.map((name) => folder + name));
  const rows: KeyAttributes[][] = [];
  for (let from = 0; from < keys.length; from += KEYS_AT_ONCE) {
    const some = keys.slice(from, from + KEYS_AT_ONCE);
    // Always the same number, so that SQLite prepares one statement.
    rows.push(await table.attributesOf([...some, ...Array(KEYS_AT_ONCE - some.length).fill("")]));
  }
  return rows.flat();
}

/** Rows of the keys of a run, and of some keys between them. */
const rowsOfMany = (table: DiskTable, { folder, names }: Listed): Promise<KeyAttributes[]> =>
  table.attributesBetween(folder + names[0], folder + names.at(-1));

/** Finds rows in the order of their keys, for keys that are asked for in that order: no map of them has to be made. */
function rowsInOrder(rows: readonly KeyAttributes[]) {
  let at = 0;

  return {
    /** A row of this key, which may have several. */
    first(key: string): KeyAttributes | undefined {
      for (let row = rows[at]; row !== undefined; row = rows[at]) {
        const isHere = row.key === key;
        if (!isHere && compareBytes(row.key, key) > 0) return undefined;
        at += 1;
        if (isHere) return row;
      }
      return undefined;
    },

    /** The row of this file, right after `first` was asked. */
    exact(key: string, stamp: string): KeyAttributes | undefined {
      for (let one = at - 1; rows[one]?.key === key; one++) if (rows[one]?.stamp === stamp) return rows[one];
      return undefined;
    },
  };
}

type RowsInOrder = ReturnType<typeof rowsInOrder>;

/** How the names of a folder are looked at. */
interface Looks {
  /** Roughly, where that is quicker than exactly. */
  readonly rough: ((name: string) => Stats | undefined) | undefined;
  readonly exact: (name: string) => FileStat | undefined;
}

function looksIn(reach: Reach, at: string): Looks {
  const byPath = (name: string) => statNow(reach.named(at, name));
  const look = reach.statsIn?.(at);
  if (look) return { rough: undefined, exact: (name) => look(name) ?? byPath(name) };
  return { rough: (name) => roughStat(reach.named(at, name)), exact: byPath };
}

function addHeads(heads: ObjectHead[], { rough, exact }: Looks, { folder, names }: Listed, rows: RowsInOrder): void {
  for (const name of names) {
    const key = folder + name;
    const row = rows.first(key);
    const head = (row && rough && quickHead(rough(name), row)) ?? exactHead(exact(name), key, row && rows);
    if (head) heads.push(head);
  }
}

/**
 * The head of a file whose inode and time are those of a row, to the microsecond: a stat with nanoseconds takes a third longer, and
 * no inode is written twice within a microsecond.
 */
function quickHead(
  stat: Stats | undefined,
  { key, stamp, etag, content_type: type }: KeyAttributes,
): ObjectHead | undefined {
  if (!stat?.isFile()) return undefined;
  const colon = stamp.indexOf(":");
  const end = stamp.length - NANOSECONDS;
  const modified = numberIn(stamp, colon + 1, end);
  const time = modified + numberIn(stamp, end, stamp.length) / 1e6;
  const isSame = numberIn(stamp, 0, colon) === stat.ino && Math.abs(time - stat.mtimeMs) < 0.001;
  return isSame ? { key, size: stat.size, etag, type, modified } : undefined;
}

/** Digits of a time in nanoseconds behind its milliseconds. */
const NANOSECONDS = 6;

/** The number whose digits a text has from one index to another, which is faster than to cut it out. */
function numberIn(text: string, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at++) number = 10 * number + text.charCodeAt(at) - 48;
  return number;
}

/** Does not use `throwIfNoEntry: false`, which makes each call a tenth slower (Bun 1.4.5). */
function roughStat(path: DiskPath): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Without rows the database knows no file of this key. */
function exactHead(stat: FileStat | undefined, key: string, rows: RowsInOrder | undefined): ObjectHead | undefined {
  if (!stat || !isThere(key, stat)) return undefined;
  return headOf(key, stat, rows?.exact(key, stampOf(stat)));
}

/** Runs of names, grouped so that each group is read without a pause. */
function* slicesOf(listed: readonly Listed[]): Generator<readonly Listed[]> {
  let slice: Listed[] = [];
  let size = 0;
  for (const { folder, names } of listed) {
    for (const run of runsOf(names)) {
      if (size + run.length > SLICE) {
        yield slice;
        slice = [];
        size = 0;
      }
      slice.push({ folder, names: run });
      size += run.length;
    }
  }
  if (size > 0) yield slice;
}

/**
 * Runs of names without a folder between them: between two names around a folder the database has the rows of all below it. The
 * empty name is the folder itself.
 */
function* runsOf(names: readonly string[]): Generator<readonly string[]> {
  let from = 0;
  for (let at = 0; at <= names.length; at++) {
    const isEnd = at === names.length || isFolderKey(names[at] ?? "");
    if (at > from && (isEnd || at - from === SLICE)) {
      yield names.slice(from, at);
      from = at;
    }
    if (isEnd) from = at + 1;
  }
}
