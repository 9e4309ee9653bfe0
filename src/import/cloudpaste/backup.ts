import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { Failure } from "#contract/failures";
import { MAX_IMPORT_ROW_BYTES, MAX_JSON_DEPTH, MAX_JSON_VALUES } from "#contract/limits";
import { isObject, parseJson } from "../../lib/json.ts";
import { createItemScanner, JsonBeyond, JsonBroken, type JsonItem, memberOf } from "../../lib/json-items.ts";
import type { FilePart } from "../../lib/open-file.ts";
import { createYielder } from "../../lib/turns.ts";

/** Bytes that are read of the file at once. */
const CHUNK = 256 * 1024;
/** Bytes of what a backup says of itself. */
const METADATA_BYTES = 1024 * 1024;
/** Tables that a backup may have: CloudPaste has 20. */
const MOST_TABLES = 200;
/** Characters of its checksum: the beginning of a SHA-256 in hexadecimal digits. */
const CHECKSUM_CHARACTERS = 16;

/** What a backup says of itself; versions before 0.8 say no schema. */
interface Metadata {
  readonly madeAt: string | undefined;
  readonly schema: string | undefined;
  readonly checksum: string | undefined;
}

/** A row, and where its bytes are. */
export interface BackupRow extends FilePart {
  /** Undefined for what is no JSON. */
  readonly json: unknown;
  /** The same when it is an object. */
  readonly value: Readonly<Record<string, unknown>> | undefined;
  /** Counted from 1. */
  readonly number: number;
}

/** A backup of CloudPaste, which stays on the disk: only the rows that are being looked at are in memory. */
export type Backup = Awaited<ReturnType<typeof openBackup>>;

/**
 * Opens a backup: one JSON object with `metadata` and `data`, the rows of each table in an array. Rows are read from the file as often
 * as they are wanted. 400 import.malformed, import.bounds.
 */
export async function openBackup(path: string) {
  const file = await open(path);
  try {
    const source = createSource(file);
    const whole = { start: 0, end: (await file.stat()).size };
    const parts = await membersOf(source, whole);
    const data = parts.get("data");
    if (!data) throw new Failure("import.malformed");
    const tables = await membersOf(source, data);
    const metadata = await readMetadata(source, parts.get("metadata"));
    return {
      bytes: whole.end,
      metadata,
      tables: [...tables.keys()],
      rows: (table: string) => rowsOf(source, tables.get(table)),
      /** A single row that was read before. */
      rowAt: async (range: FilePart) => objectIn(parseJson(await source.text(range))),
      checksum: () => checksumOf(source, tables),
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Reads a file in chunks, which are valid until the next one is read. */
function createSource(file: FileHandle) {
  return {
    async *chunks({ start, end }: FilePart): AsyncGenerator<Uint8Array> {
      const buffer = Buffer.allocUnsafe(CHUNK);
      const yielder = createYielder();
      for (let at = start; at < end; ) {
        const { bytesRead } = await file.read(buffer, 0, Math.min(CHUNK, end - at), at);
        if (bytesRead === 0) return;
        yield buffer.subarray(0, bytesRead);
        at += bytesRead;
        await yielder.yieldIfDue();
      }
    },
    async text({ start, end }: FilePart): Promise<string> {
      const buffer = Buffer.allocUnsafe(end - start);
      const { bytesRead } = await file.read(buffer, 0, buffer.length, start);
      return buffer.toString("utf8", 0, bytesRead);
    },
  };
}

type Source = ReturnType<typeof createSource>;

/** The items of an array or object of the file. 400 import.malformed, import.bounds. */
async function* itemsOf(
  source: Source,
  range: FilePart,
  { container, bytes }: { readonly container: "[" | "{"; readonly bytes: number | undefined },
): AsyncGenerator<readonly JsonItem[]> {
  const bounds = { offset: range.start, bytes, depth: MAX_JSON_DEPTH, values: MAX_JSON_VALUES };
  const scanner = createItemScanner(container, bounds);
  try {
    for await (const chunk of source.chunks(range)) {
      const items = scanner.push(chunk);
      if (items.length > 0) yield items;
    }
    scanner.end();
  } catch (error) {
    if (error instanceof JsonBeyond) throw new Failure("import.bounds");
    if (error instanceof JsonBroken) throw new Failure("import.malformed");
    throw error;
  }
}

/** Where the values of an object's members are. 400 import.malformed, also for a name that is there twice. */
async function membersOf(source: Source, range: FilePart): Promise<ReadonlyMap<string, FilePart>> {
  const members = new Map<string, FilePart>();
  for await (const items of itemsOf(source, range, { container: "{", bytes: undefined })) {
    for (const item of items) {
      const { name, skipped } = namedItem(item);
      if (members.has(name) || members.size >= MOST_TABLES) throw new Failure("import.malformed");
      members.set(name, { start: item.start + skipped, end: item.end });
    }
  }
  return members;
}

const objectIn = (json: unknown): BackupRow["value"] => (isObject(json) ? json : undefined);

function namedItem(item: JsonItem): ReturnType<typeof memberOf> {
  try {
    return memberOf(item);
  } catch (error) {
    if (error instanceof JsonBroken) throw new Failure("import.malformed");
    throw error;
  }
}

/** The rows of a table, as many at once as a chunk of the file has; none of a table that is missing. */
async function* rowsOf(source: Source, range: FilePart | undefined): AsyncGenerator<readonly BackupRow[]> {
  if (!range) return;
  let number = 0;
  for await (const items of itemsOf(source, range, { container: "[", bytes: MAX_IMPORT_ROW_BYTES })) {
    yield items.map(({ start, end, text }) => {
      number += 1;
      const json = parseJson(text);
      return { start, end, number, json, value: objectIn(json) };
    });
  }
}

/** Of versions without metadata nothing is known. 400 import.malformed, import.bounds. */
async function readMetadata(source: Source, range: FilePart | undefined): Promise<Metadata> {
  const none = { madeAt: undefined, schema: undefined, checksum: undefined };
  if (!range) return none;
  if (range.end - range.start > METADATA_BYTES) throw new Failure("import.bounds");
  const text = await source.text(range);
  if (text === "null") return none;
  const value = objectIn(parseJson(text));
  if (!value) throw new Failure("import.malformed");
  const textOf = (name: string, pattern: RegExp) => {
    const given = value[name];
    return (typeof given === "string" || typeof given === "number") && pattern.test(`${given}`)
      ? `${given}`
      : undefined;
  };
  return {
    madeAt: textOf("timestamp", /^[\d:.TZ -]{10,40}$/),
    schema: textOf("schema_version", /^\d{1,9}$/),
    checksum: checksumIn(value.checksum),
  };
}

/** What a backup says is its checksum, whatever letters it has; undefined where it says none. 400 import.malformed. */
function checksumIn(given: unknown): string | undefined {
  if (given === null || given === undefined) return undefined;
  if (typeof given !== "string" && typeof given !== "number") throw new Failure("import.malformed");
  return `${given}`.slice(0, 64);
}

/**
 * The checksum as CloudPaste makes it: of the JSON of all tables, with the names of every object in order. A row that is no JSON has none,
 * so that it never matches.
 */
async function checksumOf(source: Source, tables: ReadonlyMap<string, FilePart>): Promise<string> {
  const hash = createHash("sha256");
  hash.update("{");
  let isFirst = true;
  for (const name of sortedNames([...tables.keys()])) {
    hash.update(`${isFirst ? "" : ","}${JSON.stringify(name)}:[`);
    isFirst = false;
    let separator = "";
    for await (const rows of rowsOf(source, tables.get(name))) {
      const texts = rows.map(({ json }) => sortedJson(json));
      hash.update(separator + texts.join(","));
      separator = ",";
    }
    hash.update("]");
  }
  return hash.update("}").digest("hex").slice(0, CHECKSUM_CHARACTERS);
}

/** The JSON of a value with the names of every object in order. Nothing nests deeper than MAX_JSON_DEPTH here. */
function sortedJson(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(",")}]`;
  const object = value as Readonly<Record<string, unknown>>;
  const members = sortedNames(Object.keys(object)).map((name) => `${JSON.stringify(name)}:${sortedJson(object[name])}`);
  return `{${members.join(",")}}`;
}

/** As JavaScript lists the members of an object that was filled in this order: those that look like an index come first. */
const sortedNames = (names: readonly string[]): string[] =>
  names.some((name) => /^\d+$/.test(name))
    ? Object.keys(Object.fromEntries(names.toSorted().map((name) => [name, 0])))
    : names.toSorted();
