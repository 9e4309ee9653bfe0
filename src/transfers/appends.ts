/**
 * Resumable uploads: each request appends to what has come. Their storage has whole parts; what is less than a part waits in an object
 * beside them, so that whatever has come counts, on whichever server the next request goes on.
 */

import { Failure } from "#contract/failures";
import { sizeText } from "#contract/limits";
import { LeaseLost } from "../cluster/held-leases.ts";
import type { Clock } from "../lib/clock.ts";
import { createDigests } from "../lib/digests/digests.ts";
import { responseOf } from "../lib/open-file.ts";
import { type Incoming, isCut, type ObjectStore } from "../stores/store.ts";
import type { Storage, Stores } from "../stores/stores.ts";
import type { AppendsTable } from "./appends-table.ts";
import { type BodyReader, readBody } from "./body-reader.ts";
import { arrivedParts, declaredSize, isOpenEnded, tailKey } from "./parts.ts";
import type { Quota } from "./quota.ts";
import type { UploadTurn } from "./upload-writers.ts";
import type { Uploads } from "./uploads.ts";
import type { UploadRow, UploadsTable } from "./uploads-table.ts";

/** A digest that the bytes of one request must have. */
export interface ContentDigest {
  readonly algorithm: "sha1" | "sha256";
  readonly digest: Buffer;
}

/** What one request appends. */
export interface Append {
  readonly body: Incoming;
  /** Where its first byte goes. */
  readonly offset: number;
  /** Bytes of the body as they are declared. */
  readonly length: number | undefined;
  /** Bytes of the whole file, where the request says so. */
  readonly total: number | undefined;
  /** Whether the file is complete with the end of this body; else it is once all its bytes are there, or when another request says so. */
  readonly ends: "here" | "at total" | "later";
  /** The body counts as a whole or not at all. */
  readonly digest: ContentDigest | undefined;
}

/** How far an upload is. */
interface Extent {
  readonly offset: number;
  /** Bytes of the file; null when nobody has said. */
  readonly total: number | null;
}

interface AppendsDeps {
  readonly table: AppendsTable & Pick<UploadsTable, "touch">;
  readonly clock: Clock;
  readonly stores: Pick<Stores, "get" | "temporary">;
  readonly quota: Quota;
  readonly uploads: Pick<Uploads, "receive">;
}

/** Where an upload goes on: in the part of this number, of which so many bytes wait. */
interface Head extends Extent {
  readonly number: number;
  readonly waiting: number;
}

/** How far an upload is, with what waits beside its parts. */
async function headOf(row: UploadRow, store: ObjectStore): Promise<Head> {
  const parts = await arrivedParts(row, store);
  const number = parts.length + 1;
  const waiting = row.tail_part === number ? (row.tail_size ?? 0) : 0;
  const offset = parts.reduce((sum, { size }) => sum + size, waiting);
  return { number, waiting, offset, total: declaredSize(row) };
}

/** Bytes of the part of this number. */
function sizeOfPart({ append_size }: UploadRow, { number }: Head, total: number | null): number {
  const whole = append_size ?? 0;
  return total === null ? whole : Math.max(0, Math.min(whole, total - (number - 1) * whole));
}

/** What waits of a part, and then the next bytes of a body. */
function joined(waiting: ReadableStream<Uint8Array> | undefined, more: ReadableStream<Uint8Array>): Response {
  if (!waiting) return new Response(more);
  const readers = [waiting.getReader(), more.getReader()];
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (let reader = readers[0]; reader; reader = readers[0]) {
          const { value } = await reader.read();
          if (value) return controller.enqueue(value);
          readers.shift();
        }
        controller.close();
      },
      cancel: async (reason) => void (await Promise.all(readers.map((reader) => reader.cancel(reason)))),
    },
    { highWaterMark: 0 },
  );
  return new Response(body);
}

/** Appends to resumable uploads, of each to one at a time. */
export function createAppends(deps: AppendsDeps) {
  const { table, clock, stores, quota } = deps;
  const fill = createFill(deps);

  const take = async (filling: Filling, append: Append, limits: Limits) => {
    if (!append.digest) return await fill(filling, append, limits);
    await using checked = await checkedBody(append.body, append.digest, { stores, ...limits });
    return await fill(filling, { ...append, body: new Response(Bun.file(checked.path)) }, limits);
  };

  /** Records what a request says of the size of the file. 400 upload.length, 413 file.tooLarge, 507 storage.full. */
  const declare = async (row: UploadRow, storage: Storage, { offset, total }: Append): Promise<number | null> => {
    const known = declaredSize(row);
    if (total === undefined || total === known) return known;
    if (known !== null || total < offset) throw new Failure("upload.length");
    await quota.check(storage, total - offset, { owner: row.created_by });
    const refusal = await quota.tooLarge(total, row.created_by);
    if (refusal) throw refusal;
    if (!(await table.total(row.id, total))) throw new Failure("upload.length");
    return total;
  };

  return {
    /** How far an upload is. 404 upload.missing; 409 upload.finished. */
    async extent(row: UploadRow): Promise<Extent> {
      if (row.append_size === null) throw new Failure("upload.missing");
      return await headOf(row, (await stores.get(row.storage)).store);
    },

    /**
     * Appends what comes of a body; answers how far the upload is, and whether all of its file is there. What came of a body that broke off is
     * kept, and then what it ended with is thrown. 400 upload.length; 409 upload.offset, upload.finished; 413 file.tooLarge, visitors.files;
     * 460 upload.checksum; 503 server.busy when this server stood still, and the turn is another's; 507 storage.full.
     */
    async append(row: UploadRow, append: Append, turn: UploadTurn): Promise<Extent & { readonly isWhole: boolean }> {
      const storage = await stores.get(row.storage);
      const head = await headOf(row, storage.store);
      if (append.offset !== head.offset)
        throw new Failure("upload.offset", { expected: head.offset, sent: append.offset });
      const total = await declare(row, storage, append);
      const most = (total ?? (await quota.largestOf(row.created_by))) - head.offset;
      const beyond = total === null ? tooLarge(head.offset + most) : new Failure("upload.length");
      if ((append.length ?? 0) > most) throw beyond;
      if (!(await table.touch(row.id, clock()))) throw new Failure("upload.finished");
      return await take({ row, storage, head: { ...head, total }, proof: turn.proof }, append, {
        most,
        beyond,
        ...turn,
      }).catch(asTold);
    },
  };
}

function asTold(error: unknown): never {
  if (error instanceof LeaseLost) throw new Failure("server.busy");
  // Nobody is left to read the answer to a body that breaks off with its connection.
  throw isCut(error) ? new Failure("upload.length") : error;
}

const tooLarge = (most: number) => new Failure("file.tooLarge", { limit: sizeText(most) });

interface Limits extends UploadTurn {
  /** Bytes that may be appended, and what is thrown for more. */
  readonly most: number;
  readonly beyond: Failure;
}

interface Filling extends Pick<UploadTurn, "proof"> {
  readonly row: UploadRow;
  readonly storage: Storage;
  readonly head: Head;
}

/** Returns the function that reads a body into parts, each by way of a file, because a storage wants to know the length of a part before its bytes. */
function createFill({ table, clock, stores, quota, uploads }: AppendsDeps) {
  const putPart = async ({ row, head: begin, proof }: Filling, { number }: Head, path: string): Promise<void> => {
    await table.prove(proof);
    const file = Bun.file(path);
    const part = { upload: row.multipart ?? "", number };
    const hasWaited = begin.number === number && begin.waiting > 0;
    const filled = { ...row, tail_size: hasWaited ? row.tail_size : null };
    await uploads.receive(filled, { body: new Response(file), length: file.size, part });
    // It counts as a part now.
    if (hasWaited) await table.tailUsed(row.id, proof);
  };

  /** Keeps what is less than a part. */
  const putTail = async ({ row, storage, head: begin, proof }: Filling, { number }: Head, path: string) => {
    const { size } = Bun.file(path);
    const options = { type: "application/octet-stream", length: size, beforeCommit: () => table.prove(proof) };
    const keep = async () => {
      await storage.store.put(tailKey(row), new Response(Bun.file(path)), options);
      if (!(await table.tail(row.id, { number, size }, clock(), proof))) throw new Failure("upload.finished");
    };
    // Reserved when the upload began, unless nobody said then how large the file is.
    if (!isOpenEnded(row)) return await keep();
    // It counts from then on; until then its room is held.
    const { created_by: owner } = row;
    const replaced = begin.number === number ? begin.waiting : 0;
    await quota.visitors.holding(owner, size - replaced, () => quota.within(storage, size, { replaced, owner }, keep));
  };

  /** What waits of a part that is not whole. */
  const tailOf = async ({ row, storage: { store } }: Filling, { waiting }: Head) => {
    if (waiting === 0) return undefined;
    const found = await store.get(tailKey(row), { start: 0, end: waiting - 1 });
    if (!found) throw new Failure("upload.missing");
    return responseOf(found.body).body ?? undefined;
  };

  /** Whether the file has all its bytes where a body has ended. */
  const isEnd = async (reader: BodyReader, { ends }: Append, { offset, total }: Extent, { most, beyond }: Limits) => {
    const isOver = await reader.isOver();
    if (most === 0 && !isOver) throw beyond;
    reader.check();
    // Stored as the last part this could not be continued: only the tail grows.
    if (ends === "here" && total !== null && offset !== total) throw new Failure("upload.length");
    return ends === "here" || (ends === "at total" && offset === total);
  };

  return async (filling: Filling, append: Append, limits: Limits) => {
    const { row } = filling;
    const reader = readBody(append.body, limits.signal);
    let { head } = filling;
    let { most } = limits;
    for (;;) {
      const room = sizeOfPart(row, head, head.total);
      const more = reader.take(Math.min(most, room - head.waiting));
      const bounds = { length: undefined, limit: room };
      await using piece = await stores.temporary(joined(await tailOf(filling, head), more), bounds);
      const grown = piece.size - head.waiting;
      most -= grown;
      const now = { ...head, offset: head.offset + grown, waiting: piece.size };
      const isFull = piece.size === row.append_size;
      if (isFull) await putPart(filling, head, piece.path);
      head = isFull ? { ...now, number: head.number + 1, waiting: 0 } : now;
      if (isFull && most > 0 && !(await reader.isOver())) continue;
      // What has come is kept before anything is said of how the body ended.
      const keepTail = async () => {
        if (!isFull && grown > 0) await putTail(filling, head, piece.path);
      };
      let isWhole: boolean;
      try {
        isWhole = await isEnd(reader, append, head, { ...limits, most });
      } catch (error) {
        await keepTail();
        throw error;
      }
      if (!isWhole) {
        await keepTail();
        return { offset: head.offset, total: head.total, isWhole };
      }
      await table.prove(filling.proof);
      if (head.total === null && !(await table.total(row.id, head.offset))) throw new Failure("upload.length");
      if (!isFull && (head.waiting > 0 || head.offset === 0)) await putPart(filling, head, piece.path);
      return { offset: head.offset, total: head.offset, isWhole };
    }
  };
}

interface Checking extends Limits {
  readonly stores: Pick<Stores, "temporary">;
}

/** A body in a file, once its digest was found right: of any other nothing may be appended. 460 upload.checksum. */
async function checkedBody(
  body: Incoming,
  { algorithm, digest }: ContentDigest,
  { stores, most: limit, beyond, signal }: Checking,
) {
  const digests = createDigests([algorithm]);
  const hashing = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      digests.update(chunk);
      controller.enqueue(chunk);
    },
  });
  const hashed = new Response(body.body?.pipeThrough(hashing) ?? null);
  const file = await stores.temporary(hashed, { length: undefined, limit, signal }).catch((error: unknown) => {
    throw error instanceof Failure && error.code === "body.tooLarge" ? beyond : error;
  });
  if (digests.finish()[algorithm]?.equals(digest)) return file;
  await file[Symbol.asyncDispose]();
  throw new Failure("upload.checksum");
}
