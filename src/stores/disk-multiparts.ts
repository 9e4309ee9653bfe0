import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "#contract/failures";
import type { Clock } from "../lib/clock.ts";
import { isMissing } from "./disk-paths.ts";
import type { Attributes, DiskTable, MultipartRow, PartRow } from "./disk-table.ts";
import { asFailure, copyInto, openToWrite, writeBody } from "./disk-write.ts";
import { createWriters } from "./disk-writers.ts";
import { newTag } from "./etags.ts";
import type {
  ClaimedPart,
  Incoming,
  MultipartName,
  ObjectHead,
  ObjectStore,
  PartOptions,
  StoredPart,
} from "./store.ts";

interface MultipartRoom {
  readonly table: DiskTable;
  readonly clock: Clock;
  /** Holds one folder per unfinished upload. */
  readonly folder: string;
  /** Throws for a key that no file can have. */
  readonly fileOfKey: (key: string) => string;
  /** Brings a file that is whole to its key. */
  readonly publish: (whole: string, key: string, attributes: Attributes) => Promise<ObjectHead>;
  readonly head: (key: string) => Promise<ObjectHead | undefined>;
}

type Multiparts = Pick<
  ObjectStore,
  "createMultipart" | "putPart" | "listParts" | "completeMultipart" | "abortMultipart" | "abortMultiparts"
>;

/** Where the object grows while its parts come in. */
const OBJECT = "object";

/**
 * Uploads in parts. As long as parts measure alike, each is written where it belongs in the file that becomes the object, so
 * that completing is a rename however large it is. A part that does not fit, or comes again, stands in a file of its own until
 * then and is copied into place.
 */
export function createDiskMultiparts({ table, clock, folder, fileOfKey, publish, head }: MultipartRoom): Multiparts {
  /** Parts that are being written where they belong: another try for the same must not write there too. */
  const writing = new Set<string>();
  const completing = new Map<string, Promise<ObjectHead>>();
  const writers = createWriters();

  const known = async ({ key, upload }: MultipartName): Promise<MultipartRow> => {
    const row = await table.multipart(upload);
    if (row?.key !== key) throw new Failure("upload.missing");
    return row;
  };

  const forget = async (id: string) => {
    await table.removeMultipart(id);
    await writers.stop(id, new Failure("upload.missing"));
    await rm(join(folder, id), { recursive: true, force: true });
  };

  /** Where in the object a part of this length belongs; undefined when it does not fit. */
  const placeOf = async (name: MultipartName, number: number, length: number): Promise<number | undefined> => {
    if (length > 0) await table.settlePartSize(name.upload, length);
    const { part_size } = await known(name);
    return length === 0 || part_size === null || length > part_size ? undefined : (number - 1) * part_size;
  };

  /** Writes a body and remembers it as the part, in place of an earlier one, which stays until then. */
  const write = async (id: string, place: Place, body: Incoming, bounds: PartOptions): Promise<StoredPart> => {
    const { number, file, start } = place;
    const size = await writeBody(join(folder, id, file), start, body, bounds);
    if (size !== bounds.length) throw new Failure("upload.length");
    const part: PartRow = { number, etag: newTag(), size, file, start };
    const before = await table.part(id, number);
    bounds.signal?.throwIfAborted();
    if (!(await table.putPart(id, part))) throw new Failure("upload.missing");
    if (before && before.file !== OBJECT) await rm(join(folder, id, before.file), { force: true });
    return { number, etag: part.etag, size };
  };

  const putPart = async ({ number, ...name }: PartName, body: Incoming, bounds: PartOptions): Promise<StoredPart> => {
    const id = name.upload;
    const start = await placeOf(name, number, bounds.length);
    const mark = `${id} ${number}`;
    // What grows into the object is left alone once that is being finished.
    const alone = start !== undefined && !writing.has(mark) && !completing.has(id);
    if (alone) writing.add(mark);
    const inObject = alone && !(await table.part(id, number));
    const place = inObject
      ? { number, file: OBJECT, start }
      : { number, file: `${number}-${Bun.randomUUIDv7()}`, start: 0 };
    try {
      return await write(id, place, body, bounds);
    } catch (error) {
      if (place.file !== OBJECT) await rm(join(folder, id, place.file), { force: true });
      throw isMissing(error) ? new Failure("upload.missing") : await asFailure(error, folder, bounds.length);
    } finally {
      if (alone) writing.delete(mark);
    }
  };

  const complete = async (name: MultipartName, claimed: readonly ClaimedPart[]): Promise<ObjectHead> => {
    const { id, key, content_type } = await known(name);
    chosen(await table.parts(id), claimed);
    await writers.stop(id, new Failure("upload.missing"));
    // What came in until it stopped counts.
    const stored = await table.parts(id);
    const parts = chosen(stored, claimed);
    const whole = await assemble(join(folder, id), parts, stored);
    // Its parts are known and their file is gone: it was published, and the process ended before it could say so.
    const published = whole ? undefined : await head(key);
    if (!whole && !published) throw new Failure("upload.missing");
    const done = whole ? await publish(whole, key, { content_type, etag: newTag(parts.length) }) : published;
    await forget(id);
    return done as ObjectHead;
  };

  return {
    async createMultipart(key, { type, partSize }) {
      fileOfKey(key);
      // Throws for a key that leads outside.
      await head(key);
      const id = Bun.randomUUIDv7();
      await mkdir(join(folder, id));
      await table.addMultipart({ id, key, content_type: type, part_size: partSize ?? null }, clock());
      return id;
    },

    putPart: (name, number, body, bounds) =>
      writers.run(name.upload, bounds.signal, (signal) => putPart({ ...name, number }, body, { ...bounds, signal })),

    async listParts(name) {
      const { id } = await known(name);
      return (await table.parts(id)).map(({ number, etag, size }) => ({ number, etag, size }));
    },

    /** Asked twice at once, it is done once. */
    async completeMultipart(name, claimed) {
      const id = name.upload;
      const running = completing.get(id) ?? complete(name, claimed);
      completing.set(id, running);
      try {
        return await running;
      } catch (error) {
        throw await asFailure(error, folder, undefined);
      } finally {
        if (completing.get(id) === running) completing.delete(id);
      }
    },

    async abortMultipart({ key, upload }) {
      const row = await table.multipart(upload);
      if (!row || row.key === key) await forget(upload);
    },

    async abortMultiparts(key) {
      for (const { id } of await table.multipartsOf(key)) await forget(id);
    },
  };
}

interface PartName extends MultipartName {
  readonly number: number;
}

/** Where the bytes of a part go. */
interface Place {
  readonly number: number;
  readonly file: string;
  readonly start: number;
}

/** The parts that were claimed, when they are in order and all there. 400 upload.parts. */
function chosen(parts: readonly PartRow[], claimed: readonly ClaimedPart[]): PartRow[] {
  const byNumber = new Map(parts.map((part) => [part.number, part]));
  const ordered = claimed.every(({ number }, index) => index === 0 || (claimed[index - 1]?.number ?? 0) < number);
  const found = claimed.flatMap(({ number, etag }) => {
    const part = byNumber.get(number);
    return part?.etag === etag ? [part] : [];
  });
  if (!ordered || claimed.length === 0 || found.length < claimed.length) throw new Failure("upload.parts");
  return found;
}

/**
 * The file that holds the chosen parts one after the other: the growing object itself when that does it, else a new one.
 * Undefined when the object is gone.
 */
async function assemble(
  folder: string,
  parts: readonly PartRow[],
  stored: readonly PartRow[],
): Promise<string | undefined> {
  const placed = inOrder(parts);
  const size = placed.reduce((sum, { part }) => sum + part.size, 0);
  const growsIn = (all: readonly PartRow[]) => all.filter(({ file }) => file === OBJECT).length;
  // Parts that were left out stay where they are: should it fail after this, they may be wanted after all.
  const inPlace =
    growsIn(parts) === growsIn(stored) && placed.every(({ part, at }) => part.file !== OBJECT || part.start === at);
  const growing = placed.some(({ part }) => part.file === OBJECT);
  const path = join(folder, inPlace ? OBJECT : "assembled");
  if (growing && !(await Bun.file(join(folder, OBJECT)).exists())) return undefined;
  const whole = await openToWrite(path);
  try {
    for (const { part, at } of placed) {
      if (inPlace && part.file === OBJECT) continue;
      await copyInto(whole, at, { ...part, path: join(folder, part.file) });
    }
    await whole.truncate(size);
    await whole.sync();
    return path;
  } finally {
    await whole.close();
  }
}

/** Each part with the offset that it gets in the whole. */
function inOrder(parts: readonly PartRow[]): { part: PartRow; at: number }[] {
  let at = 0;
  return parts.map((part) => {
    const placed = { part, at };
    at += part.size;
    return placed;
  });
}
