import { type BigIntStats, lstatSync, type Stats } from "node:fs";
import { join } from "node:path";
import { typeOfName } from "../lib/mime.ts";
import type { Listed } from "./disk-list.ts";
import { isFolderKey, isMissing, statNow } from "./disk-paths.ts";
import type { Attributes, DiskTable, KeyAttributes } from "./disk-table.ts";
import { derivedTag, stampOf } from "./etags.ts";
import type { ObjectHead } from "./store.ts";

const FOLDER_TYPE = "application/x-directory";

/** Files looked at without a pause: a few milliseconds. */
const SLICE = 1000;

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
export async function headsOf(root: string, table: DiskTable, { folder, names }: Listed): Promise<ObjectHead[]> {
  const path = join(root, folder, "/");
  const heads: ObjectHead[][] = [];
  for (const run of runsOf(names)) {
    const rows = await table.attributesBetween(folder + (run[0] ?? ""), folder + (run.at(-1) ?? ""));
    heads.push(headsNow(path, { folder, names: run }, rows));
    await new Promise(setImmediate);
  }
  return heads.flat();
}

function headsNow(path: string, { folder, names }: Listed, rows: readonly KeyAttributes[]): ObjectHead[] {
  const byKey = new Map<string, KeyAttributes>();
  for (const row of rows) byKey.set(row.key, row);
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
