import { CryptoHasher } from "bun";
import { createTarDecoder, type ParsedTarEntry } from "modern-tar";
import {
  type Entry,
  entryOf,
  FIRST,
  type First,
  FORMAT,
  firstSchema,
  LAST,
  LISTED,
  MAX_WHOLE,
  type Manifest,
  manifestSchema,
} from "./format.ts";

/** An archive that is not what was written, or not of a backup. Its message is a sentence for the operator. */
export class Damaged extends Error {}

/** One entry of an archive. */
export interface ReadEntry {
  readonly name: string;
  readonly entry: Entry;
  readonly isFolder: boolean;
  /** Bytes. */
  readonly size: number;
  /** Epoch milliseconds, with fractions. */
  readonly modified: number;
  /** What else is said of it in its extended header. */
  readonly described: Readonly<Record<string, string>> | undefined;
  /** The bytes, to be read once. What is not read is passed over, and checked all the same. */
  readonly chunks: () => AsyncGenerator<Uint8Array>;
  /** All of them, of an entry that fits into memory. */
  readonly whole: () => Promise<Uint8Array>;
}

/** Is told of each entry that is not what its checksum says. */
export type OnDamage = (name: string) => void;

const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];

/** Entries without a checksum yet, at most: one list and what stands between two. */
const MAX_PENDING = 2 * LISTED;

/**
 * Reads a backup once, entry by entry, and compares each with its checksum; `damaged` is told of those that differ. Returns the manifest in the end. Throws
 * Damaged for what no backup has, and for an archive that cannot be read on; a format or a compression of others too.
 */
export async function* readArchive(
  source: ReadableStream<Uint8Array>,
  damaged: OnDamage,
): AsyncGenerator<ReadEntry, Manifest> {
  const checks = createChecks(damaged);
  let isFirst = true;
  let manifest: Manifest | undefined;
  for await (const parsed of entriesOf(source)) {
    const { name, size } = parsed.header;
    if (manifest) throw new Damaged(`The archive goes on behind its manifest, with ${shown(name)}.`);
    const read = reading(parsed, checks);
    if (isFirst !== (name === FIRST)) throw new Damaged("This is no backup of Satchel: it does not begin as one.");
    isFirst = false;
    if (read.entry.kind === "last") {
      manifest = readAs(manifestSchema, await read.whole(), LAST);
      checks.end(manifest);
      continue;
    }
    if (read.entry.kind === "checksums") {
      checks.list(name, await read.whole());
      continue;
    }
    yield read;
    for await (const _ of read.chunks());
    checks.passed(size);
  }
  if (!manifest) throw new Damaged("The archive is cut off: it has no manifest, so the backup was not whole.");
  return manifest;
}

/** Reads the first entry. Throws a sentence for a backup of a newer format. */
export function readFirst(bytes: Uint8Array): First {
  const format = (parseJson(bytes, FIRST) as { format?: unknown } | null)?.format;
  if (typeof format === "number" && format > FORMAT)
    throw new Error(
      `The backup is of a newer Satchel: its format is ${format}, and this one reads ${FORMAT}. Nothing was changed. Use that one.`,
    );
  return readAs(firstSchema, bytes, FIRST);
}

function parseJson(bytes: Uint8Array, name: string): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new Damaged(`The archive is damaged: ${name} cannot be read.`);
  }
}

interface Schema<Value> {
  safeParse(value: unknown): { readonly success: true; readonly data: Value } | { readonly success: false };
}

function readAs<Value>(schema: Schema<Value>, bytes: Uint8Array, name: string): Value {
  const result = schema.safeParse(parseJson(bytes, name));
  if (!result.success) throw new Damaged(`The archive is damaged: ${name} does not say what it should.`);
  return result.data;
}

/** The lines of an entry, each of which must be what a schema says. */
export function* linesOf<Value>(schema: Schema<Value>, bytes: Uint8Array, name: string): Generator<Value> {
  for (let from = 0; from < bytes.byteLength; ) {
    const end = bytes.indexOf(0x0a, from);
    if (end === -1) throw new Damaged(`The archive is damaged: ${name} ends within a line.`);
    yield readAs(schema, bytes.subarray(from, end), name);
    from = end + 1;
  }
}

/** A name of an archive in a sentence: anybody may have made it up. */
export const shown = (name: string): string => JSON.stringify(name.length > 200 ? `${name.slice(0, 200)}…` : name);

/** Takes a tar, or one that was compressed with zstd, apart. */
async function* entriesOf(source: ReadableStream<Uint8Array>): AsyncGenerator<ParsedTarEntry> {
  const reader = (await uncompressed(source)).pipeThrough(createTarDecoder({ strict: true })).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } catch (error) {
    throw asDamage(error);
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** The bytes of an entry, whose stream breaks off with what the reader below it throws. */
async function* bytesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw asDamage(error);
  }
}

/** What the readers of tar and zstd throw says that bytes are wrong; what the system throws has a code. */
function asDamage(error: unknown): unknown {
  if (error instanceof Damaged || !(error instanceof Error)) return error;
  const code = "code" in error ? String(error.code) : "";
  if (/^E[A-Z]+$/.test(code)) return error;
  return new Damaged(`The archive is damaged or cut off: ${error.message.replace(/\.$/, "")}.`);
}

/** Looks at the first bytes, and uncompresses what begins as zstd does. */
async function uncompressed(source: ReadableStream<Uint8Array>): Promise<ReadableStream<Uint8Array>> {
  const reader = source.getReader();
  const first: Uint8Array[] = [];
  let size = 0;
  while (size < MAGIC.length) {
    const { done, value } = await reader.read();
    if (done) break;
    first.push(value);
    size += value.byteLength;
  }
  const begin = Buffer.concat(first);
  const whole = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(begin),
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return MAGIC.every((byte, at) => begin[at] === byte) ? whole.pipeThrough(zstd("decompress")) : whole;
}

/** A stream of Bun's own; the types know only those of the web. */
export const zstd = (way: "compress" | "decompress"): TransformStream<Uint8Array, Uint8Array> => {
  const Stream = way === "compress" ? CompressionStream : DecompressionStream;
  return new Stream("zstd" as never) as unknown as TransformStream<Uint8Array, Uint8Array>;
};

type Checks = ReturnType<typeof createChecks>;

/** The checksums of entries, until the list comes that they have to agree with. */
function createChecks(damaged: OnDamage) {
  const pending = new Map<string, string>();
  const lists = new Map<string, string>();
  let [entries, bytes] = [0, 0];

  const passed = (size: number): void => {
    entries += 1;
    bytes += size;
  };

  return {
    passed,

    note(name: string, sha256: string): void {
      if (pending.has(name)) throw new Damaged(`The archive has ${shown(name)} twice.`);
      if (pending.size >= MAX_PENDING) throw new Damaged("The archive is damaged: its lists of checksums are missing.");
      pending.set(name, sha256);
    },

    list(name: string, content: Uint8Array): void {
      lists.set(name, new CryptoHasher("sha256").update(content).digest("hex"));
      passed(content.byteLength);
      for (const line of new TextDecoder().decode(content).split("\n").slice(0, -1)) {
        const [sha256, entry] = [line.slice(0, 64), line.slice(66)];
        const read = pending.get(entry);
        if (read === undefined) throw new Damaged(`The archive is damaged: ${shown(entry)} is missing.`);
        if (read !== sha256) damaged(entry);
        pending.delete(entry);
      }
      const [extra] = pending.keys();
      if (extra !== undefined) throw new Damaged(`The archive is damaged: ${shown(extra)} has no checksum.`);
    },

    end(manifest: Manifest): void {
      const [extra] = pending.keys();
      if (extra !== undefined) throw new Damaged(`The archive is damaged: ${shown(extra)} has no checksum.`);
      for (const [name, sha256] of lists) if (manifest.lists[name] !== sha256) damaged(name);
      if (Object.keys(manifest.lists).length !== lists.size || manifest.entries !== entries || manifest.bytes !== bytes)
        throw new Damaged("The archive is damaged: it does not have as much in it as its manifest says.");
    },
  };
}

/** An entry as it is read, whose checksum is noted when all of it was. */
function reading({ header, body }: ParsedTarEntry, checks: Checks): ReadEntry {
  const { name, size, type } = header;
  const entry = entryOf(name);
  const isFolder = type === "directory";
  if (!entry || (type !== "file" && !isFolder) || (isFolder && entry.kind !== "object" && entry.kind !== "remote"))
    throw new Damaged(`The archive has ${shown(name)} in it, which no backup has (${type ?? "unknown"}).`);
  let isRead = isFolder;

  async function* chunks(): AsyncGenerator<Uint8Array> {
    if (isRead) return;
    isRead = true;
    const hasher = new CryptoHasher("sha256");
    let left = size;
    for await (const chunk of bytesOf(body)) {
      hasher.update(chunk);
      left -= chunk.byteLength;
      yield chunk;
    }
    if (left !== 0) throw new Damaged(`The archive is cut off within ${shown(name)}.`);
    if (entry?.kind !== "checksums" && entry?.kind !== "last") checks.note(name, hasher.digest("hex"));
  }

  return {
    name,
    entry,
    isFolder,
    size,
    described: header.pax,
    modified: Number(header.pax?.mtime ?? (header.mtime?.getTime() ?? 0) / 1000) * 1000,
    chunks,
    async whole() {
      if (size > MAX_WHOLE)
        throw new Damaged(`The archive has ${shown(name)} with ${size} bytes, more than any backup has.`);
      const all = new Uint8Array(size);
      let at = 0;
      for await (const chunk of chunks()) {
        all.set(chunk, at);
        at += chunk.byteLength;
      }
      return all;
    },
  };
}
