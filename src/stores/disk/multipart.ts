import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "#contract/failures";
import type { Clock } from "../../lib/clock.ts";
import type { FollowFile } from "../../lib/digest-thread.ts";
import { checksumsOf } from "../../lib/digests.ts";
import { createLocks, type Turn } from "../../lib/locks.ts";
import { checksumsOfParts } from "../../lib/part-checksums.ts";
import {
  type ClaimedPart,
  type CompleteOptions,
  type Incoming,
  isMd5,
  type MultipartName,
  type ObjectHead,
  type ObjectStore,
  type PartOptions,
  type StoredPart,
  tagOfParts,
} from "../store.ts";
import { keptText, newTag, sizesOf, storedPart } from "./attributes.ts";
import type { Attributes, DiskTable, MultipartRow, PartRow } from "./disk-table.ts";
import { asFailure, copyInto, openToWrite, writeBody } from "./files.ts";
import type { FlushFolders } from "./folders.ts";
import { createHashing } from "./hashing.ts";
import { isMissing } from "./paths.ts";
import type { DiskSpace } from "./space.ts";

interface MultipartOptions {
  readonly table: DiskTable;
  readonly clock: Clock;
  /** Holds one folder per unfinished upload. */
  readonly folder: string;
  /** Throws for a key that no file can have. */
  readonly fileOfKey: (key: string) => string;
  /** Moves a complete file to its key. */
  readonly publish: (
    file: string,
    key: string,
    attributes: Attributes,
    conditions: Pick<CompleteOptions, "beforeCommit" | "turn">,
  ) => Promise<ObjectHead>;
  readonly head: (key: string) => Promise<ObjectHead | undefined>;
  readonly space: DiskSpace;
  readonly follow: FollowFile;
  readonly flush: FlushFolders;
}

type Multiparts = Pick<
  ObjectStore,
  "createMultipart" | "putPart" | "listParts" | "completeMultipart" | "completed" | "abortMultipart" | "abortMultiparts"
>;

/** The file in which the object grows while its parts arrive. */
const OBJECT = "object";

/**
 * Multipart uploads. While all parts have one size, each is written to its position in the file that becomes the object, so that
 * completing an upload of any size is a rename. A part of another size, or one that is sent again, has a file of its own and is
 * copied to its position then.
 */
export function createMultiparts({
  table,
  clock,
  folder,
  fileOfKey,
  publish,
  head,
  space,
  follow,
  flush,
}: MultipartOptions): Multiparts {
  /** Parts share the id of their upload. A part in the object has its position alone; a second try for it gets its own file. */
  const locks = createLocks();
  const completing = new Map<string, Promise<ObjectHead>>();

  /** Stops the parts that are being written, and returns when they no longer touch the files of the upload. */
  const stopParts = (id: string) => locks(id, async () => undefined, { stop: new Failure("upload.missing") });

  const known = async ({ key, upload }: MultipartName): Promise<MultipartRow> => {
    const row = await table.multipart(upload);
    if (row?.key !== key) throw new Failure("upload.missing");
    return row;
  };

  const forget = async (id: string) => {
    await table.removeMultipart(id);
    await stopParts(id);
    await rm(join(folder, id), { recursive: true, force: true });
  };

  /** The offset of a part in the object; undefined when its length does not fit. */
  const offsetOf = async (name: MultipartName, number: number, length: number): Promise<number | undefined> => {
    if (length > 0) await table.setPartSize(name.upload, length);
    const { part_size } = await known(name);
    return length === 0 || part_size === null || length > part_size ? undefined : (number - 1) * part_size;
  };

  /** Writes a body and records it as the part. An earlier part of the number stays until then. */
  const write = async (id: string, target: Target, body: Incoming, bounds: PartOptions): Promise<StoredPart> => {
    const { number, file, start } = target;
    // The object has its whole size once the last part is written, so its size does not say how much of this part is there.
    using _held = space.hold(undefined, bounds.length);
    const path = join(folder, id, file);
    using hashing = createHashing(follow, bounds.digesting, { path, start, length: bounds.length });
    const size = await writeBody(path, start, body, bounds, hashing);
    if (size !== bounds.length) throw new Failure("upload.length");
    const digests = await hashing.finish(size);
    const checksums = checksumsOf(digests, bounds.digesting?.kept);
    await flush([join(folder, id)]);
    const etag = digests.md5?.toString("hex") ?? newTag();
    const part: PartRow = { number, etag, size, file, start, checksums: keptText(checksums) };
    const before = await table.part(id, number);
    bounds.signal?.throwIfAborted();
    if (!(await table.putPart(id, part))) throw new Failure("upload.missing");
    if (before && before.file !== OBJECT) await rm(join(folder, id, before.file), { force: true });
    return storedPart(part);
  };

  const putPart = async ({ number, ...name }: PartName, body: Incoming, bounds: PartOptions): Promise<StoredPart> => {
    const id = name.upload;
    const start = await offsetOf(name, number, bounds.length);
    const position = `${id} ${number}`;
    // The object is left as it is while the upload is completed.
    if (start === undefined || completing.has(id) || !locks.isFree(position))
      return await putAside(id, number, body, bounds);
    return await locks(position, async () => {
      if (await table.part(id, number)) return await putAside(id, number, body, bounds);
      return await write(id, { number, file: OBJECT, start }, body, bounds);
    });
  };

  /** Writes a part to a file of its own. */
  const putAside = async (id: string, number: number, body: Incoming, bounds: PartOptions): Promise<StoredPart> => {
    const file = `${number}-${Bun.randomUUIDv7()}`;
    try {
      return await write(id, { number, file, start: 0 }, body, bounds);
    } catch (error) {
      await rm(join(folder, id, file), { force: true });
      throw error;
    }
  };

  const complete = async (
    name: MultipartName,
    claimed: readonly ClaimedPart[],
    { checksum, ...conditions }: CompleteOptions,
  ): Promise<ObjectHead> => {
    const { id, key, content_type, headers } = await known(name);
    choose(await table.parts(id), claimed);
    await stopParts(id);
    // Parts may have been recorded before they were stopped.
    const stored = await table.parts(id);
    const parts = choose(stored, claimed);
    const file = await assemble({ folder: join(folder, id), parts, stored, space });
    const etag = tagOf(id, parts);
    const checksums = keptText(await checksumsOfParts(parts.map(storedPart), checksum));
    const attributes = { content_type, headers, etag, checksums, parts: JSON.stringify(sizesOf(parts)) };
    // With parts but without their file, the upload was published by a process that ended before it could answer.
    const done = file === undefined ? await head(key) : await publish(file, key, attributes, conditions);
    if (!done) throw new Failure("upload.missing");
    await forget(id);
    return done;
  };

  return {
    async createMultipart(key, { type, headers, partSize }) {
      fileOfKey(key);
      // Throws for a key that leads outside.
      await head(key);
      const id = Bun.randomUUIDv7();
      await mkdir(join(folder, id));
      await flush([folder]);
      const row = { id, key, content_type: type, part_size: partSize ?? null, headers: keptText(headers) };
      await table.addMultipart(row, clock());
      return id;
    },

    async putPart(name, number, body, bounds) {
      const put = ({ signal }: Turn) => putPart({ ...name, number }, body, { ...bounds, signal });
      try {
        return await locks(name.upload, put, { shared: true, signal: bounds.signal });
      } catch (error) {
        throw isMissing(error) ? new Failure("upload.missing") : await asFailure(error, folder, bounds.length);
      }
    },

    async listParts(name) {
      const { id } = await known(name);
      return (await table.parts(id)).map(storedPart);
    },

    /** Two calls at the same time complete the upload once and get the same answer. */
    async completeMultipart(name, claimed, options = {}) {
      const id = name.upload;
      const running = completing.get(id) ?? complete(name, claimed, options);
      completing.set(id, running);
      try {
        return await running;
      } catch (error) {
        throw await asFailure(error, folder, undefined);
      } finally {
        if (completing.get(id) === running) completing.delete(id);
      }
    },

    async completed({ key, upload }, parts) {
      const found = await head(key);
      return found?.etag === tagOf(upload, parts) ? found : undefined;
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

/** The ETag of the object that an upload makes of its parts: as that of S3, or one that no other upload can have. */
const tagOf = (id: string, parts: readonly ClaimedPart[]): string =>
  parts.every(({ etag }) => isMd5(etag)) ? tagOfParts(parts) : `${id.replaceAll("-", "")}-${parts.length}`;

interface PartName extends MultipartName {
  readonly number: number;
}

/** The file and offset that a part is written to. */
interface Target {
  readonly number: number;
  readonly file: string;
  readonly start: number;
}

/** The parts that were claimed. 400 upload.parts when one is missing, has another ETag or is out of order. */
function choose(parts: readonly PartRow[], claimed: readonly ClaimedPart[]): PartRow[] {
  const byNumber = new Map(parts.map((part) => [part.number, part]));
  const ordered = claimed.every(({ number }, index) => index === 0 || (claimed[index - 1]?.number ?? 0) < number);
  const found = claimed.flatMap(({ number, etag }) => {
    const part = byNumber.get(number);
    return part?.etag === etag ? [part] : [];
  });
  if (!ordered || claimed.length === 0 || found.length < claimed.length) throw new Failure("upload.parts");
  return found;
}

interface Assembly {
  /** The folder of the upload. */
  readonly folder: string;
  /** Parts of the object, in order. */
  readonly parts: readonly PartRow[];
  /** All parts that were written. */
  readonly stored: readonly PartRow[];
  readonly space: DiskSpace;
}

/**
 * Makes the file that holds the parts in a row, and answers its path: the object that grew, or a new file when parts of it are left
 * out or elsewhere. Undefined when the object is gone.
 */
async function assemble({ folder, parts, stored, space }: Assembly): Promise<string | undefined> {
  const placed = inOrder(parts);
  const size = placed.reduce((sum, { part }) => sum + part.size, 0);
  const growsIn = (all: readonly PartRow[]) => all.filter(({ file }) => file === OBJECT).length;
  // With parts left out the object stays as it is: if this fails, the next try may want them.
  const inPlace =
    growsIn(parts) === growsIn(stored) && placed.every(({ part, at }) => part.file !== OBJECT || part.start === at);
  const growing = placed.some(({ part }) => part.file === OBJECT);
  const path = join(folder, inPlace ? OBJECT : "assembled");
  if (growing && !(await Bun.file(join(folder, OBJECT)).exists())) return undefined;
  const copied = placed.filter(({ part }) => !inPlace || part.file !== OBJECT);
  using _held = space.hold(
    undefined,
    copied.reduce((sum, { part }) => sum + part.size, 0),
  );
  const whole = await openToWrite(path);
  try {
    for (const { part, at } of copied) {
      await copyInto(whole, at, { ...part, path: join(folder, part.file) });
    }
    await whole.truncate(size);
    await whole.sync();
    return path;
  } finally {
    await whole.close();
  }
}

/** Each part with its offset in the whole. */
function inOrder(parts: readonly PartRow[]): { part: PartRow; at: number }[] {
  let at = 0;
  return parts.map((part) => {
    const placed = { part, at };
    at += part.size;
    return placed;
  });
}
