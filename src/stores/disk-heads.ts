import { type BigIntStats, lstatSync, type Stats } from "node:fs";
import { join } from "node:path";
import { FOLDER_TYPE, typeOfName } from "../lib/mime.ts";
import type { Listed } from "./disk-list.ts";
import { isFolderKey, isMissing, statNow } from "./disk-paths.ts";
import type { Attributes, DiskTable, KeyAttributes } from "./disk-table.ts";
import { derivedTag, stampOf } from "./etags.ts";
import type { ObjectHead } from "./store.ts";

/** Files looked at without a pause: a few milliseconds. */
const SLICE = 1000;
/** Keys that are looked up one by one; with more beside each other it is sooner to read all from the first to the last. */
const KEYS_AT_ONCE = 100;

/** The head of what is at a key; without attributes it is what the file itself tells. */
export function headOf(key: string, stat: BigIntStats, known: Attributes | undefined): ObjectHead {
  const modified = Number(stat.mtimeMs);
  if (stat.isDirectory()) return { key, size: 0, etag: derivedTag(stat), type: FOLDER_TYPE, modified };
  return {
    key,
    size: Number(stat.size),
    etag: known?.etag ?? derivedTag(stat),
    type: known?.content_type ?? typeOfName(key),
    modified,
  };
}

/** Heads of the objects among these names, folders left out, and what has vanished since they were read. */
export async function headsOf(root: string, table: DiskTable, listed: readonly Listed[]): Promise<ObjectHead[]> {
  const heads: ObjectHead[][] = [];
  for (const runs of slicesOf(listed)) {
    const known = knownOf(await rowsOf(table, runs));
    for (const run of runs) heads.push(headsNow(root, run, known));
    await new Promise(setImmediate);
  }
  return heads.flat();
}

/** What the database says of these keys, and of some between them. */
async function rowsOf(table: DiskTable, runs: readonly Listed[]): Promise<KeyAttributes[]> {
  const rows: KeyAttributes[][] = [];
  const keys: string[] = [];
  for (const { folder, names } of runs) {
    if (names.length < KEYS_AT_ONCE) for (const name of names) keys.push(folder + name);
    else rows.push(await table.attributesBetween(folder + names[0], folder + names.at(-1)));
  }
  for (let from = 0; from < keys.length; from += KEYS_AT_ONCE) {
    const some = keys.slice(from, from + KEYS_AT_ONCE);
    // As many every time, so that it is one statement.
    rows.push(await table.attributesOf([...some, ...Array(KEYS_AT_ONCE - some.length).fill("")]));
  }
  return rows.flat();
}

/** Rows, and of each key one of them. */
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
 * The head of a file that is most likely the one that a row is about. Looking at it with all digits of its time takes a third
 * longer, and no two files of one inode are written within a microsecond. Numbers, because texts of them cost as much again.
 */
function quickHead(path: string, { key, stamp, etag, content_type: type }: KeyAttributes): ObjectHead | undefined {
  const stat = roughStat(path);
  if (!stat?.isFile()) return undefined;
  const colon = stamp.indexOf(":");
  const time = stamp.slice(colon + 1);
  const isSame = Number(stamp.slice(0, colon)) === stat.ino && Math.abs(Number(time) / 1e6 - stat.mtimeMs) < 0.001;
  return isSame ? { key, size: stat.size, etag, type, modified: Number(time.slice(0, -6)) } : undefined;
}

/** Not `throwIfNoEntry: false`: with it each file takes a tenth longer (Bun 1.4.5). */
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
  if (!stat || !(isFolderKey(key) ? stat.isDirectory() : stat.isFile())) return undefined;
  const stamp = stampOf(stat);
  return headOf(
    key,
    stat,
    rows.find((row) => row.key === key && row.stamp === stamp),
  );
}

/** Stretches of names, as many together as are looked at without a pause. */
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
 * Stretches of names that lie beside each other in the database, too: below a folder between them there may be more rows than
 * anybody wants to read. The empty name is the folder itself.
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
