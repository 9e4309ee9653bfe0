import { type BigIntStats, lstatSync, type Stats } from "node:fs";
import { join } from "node:path";
import type { KeptHeaders } from "../../lib/kept-headers.ts";
import { FOLDER_TYPE, typeOfName } from "../../lib/mime.ts";
import type { Described, ObjectHead } from "../store.ts";
import type { Attributes, DiskTable, KeyAttributes } from "./disk-table.ts";
import type { Listed } from "./list.ts";
import { isFolderKey, isMissing, isThere, statNow } from "./paths.ts";

/** Tells a file from every other that had or will have its name: inode and time of the last change. */
export const stampOf = ({ ino, mtimeNs }: BigIntStats): string => `${ino}:${mtimeNs}`;

/** Returns a new random ETag. Its shape shows that it is no MD5: hashing a file costs three times as much as writing it. */
export const newTag = (parts = 1): string => `${crypto.randomUUID().replaceAll("-", "")}-${parts}`;

/** What the database keeps of a file. */
export const attributesOf = ({ type, headers }: Described, etag: string): Attributes => ({
  content_type: type,
  etag,
  headers: keptText(headers),
});

/** Kept headers as a text; null when there are none. */
export const keptText = (headers: KeptHeaders | undefined): string | null =>
  headers && Object.keys(headers).length > 0 ? JSON.stringify(headers) : null;

/** The ETag of a file that this store did not write. It changes when the file does. */
const derivedTag = (stat: BigIntStats): string => `${Bun.MD5.hash(`${stampOf(stat)}:${stat.size}`, "hex")}-1`;

/** Files that are read without a pause, which takes a few milliseconds. */
const SLICE = 1000;
/** Keys that one statement looks up. With more keys in a row it is faster to read all rows from the first to the last. */
const KEYS_AT_ONCE = 100;

/** The head of a file or folder. Without attributes, type and ETag come from the file itself. */
export function headOf(key: string, stat: BigIntStats, known: Attributes | undefined): ObjectHead {
  const modified = Number(stat.mtimeMs);
  if (stat.isDirectory()) return { key, size: 0, etag: derivedTag(stat), type: FOLDER_TYPE, modified };
  return {
    key,
    size: Number(stat.size),
    etag: known?.etag ?? derivedTag(stat),
    type: known?.content_type ?? typeOfName(key),
    modified,
    ...(known?.headers && { headers: JSON.parse(known.headers) as KeptHeaders }),
  };
}

/** Heads of the objects with these names, without folders and without files that are gone. */
export async function headsOf(root: string, table: DiskTable, listed: readonly Listed[]): Promise<ObjectHead[]> {
  const heads: ObjectHead[][] = [];
  for (const runs of slicesOf(listed)) {
    const known = knownOf(await rowsOf(table, runs));
    for (const run of runs) heads.push(headsNow(root, run, known));
    await new Promise(setImmediate);
  }
  return heads.flat();
}

/** Rows of these keys, and of some keys between them. */
async function rowsOf(table: DiskTable, runs: readonly Listed[]): Promise<KeyAttributes[]> {
  const rows: KeyAttributes[][] = [];
  const keys: string[] = [];
  for (const { folder, names } of runs) {
    if (names.length < KEYS_AT_ONCE) for (const name of names) keys.push(folder + name);
    else rows.push(await table.attributesBetween(folder + names[0], folder + names.at(-1)));
  }
  for (let from = 0; from < keys.length; from += KEYS_AT_ONCE) {
    const some = keys.slice(from, from + KEYS_AT_ONCE);
    // Always the same number, so that SQLite prepares one statement.
    rows.push(await table.attributesOf([...some, ...Array(KEYS_AT_ONCE - some.length).fill("")]));
  }
  return rows.flat();
}

/** Rows of a slice; a key may have several, and `byKey` has one of them. */
interface Known {
  readonly rows: readonly KeyAttributes[];
  readonly byKey: ReadonlyMap<string, KeyAttributes>;
}

function knownOf(rows: readonly KeyAttributes[]): Known {
  const byKey = new Map<string, KeyAttributes>();
  for (const row of rows) byKey.set(row.key, row);
  return { rows, byKey };
}

function headsNow(root: string, { folder, names }: Listed, { rows, byKey }: Known): ObjectHead[] {
  const path = join(root, folder, "/");
  const heads: ObjectHead[] = [];
  for (const name of names) {
    const row = byKey.get(folder + name);
    const head = (row && quickHead(path + name, row)) ?? exactHead(path + name, folder + name, rows);
    if (head) heads.push(head);
  }
  return heads;
}

/**
 * The head of a file whose inode and time are those of a row, to the microsecond: a stat with nanoseconds takes a third longer, and
 * no inode is written twice within a microsecond. It compares numbers, because making texts of them would cost as much again.
 */
function quickHead(path: string, { key, stamp, etag, content_type: type }: KeyAttributes): ObjectHead | undefined {
  const stat = roughStat(path);
  if (!stat?.isFile()) return undefined;
  const colon = stamp.indexOf(":");
  const time = stamp.slice(colon + 1);
  const isSame = Number(stamp.slice(0, colon)) === stat.ino && Math.abs(Number(time) / 1e6 - stat.mtimeMs) < 0.001;
  return isSame ? { key, size: stat.size, etag, type, modified: Number(time.slice(0, -6)) } : undefined;
}

/** Does not use `throwIfNoEntry: false`, which makes each call a tenth slower (Bun 1.4.5). */
function roughStat(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function exactHead(path: string, key: string, rows: readonly KeyAttributes[]): ObjectHead | undefined {
  const stat = statNow(path);
  if (!stat || !isThere(key, stat)) return undefined;
  const stamp = stampOf(stat);
  return headOf(
    key,
    stat,
    rows.find((row) => row.key === key && row.stamp === stamp),
  );
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
