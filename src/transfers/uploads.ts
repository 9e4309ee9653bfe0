/** The one write path: begin, receive, finish or drop, for files at a fresh key and files that replace another. */
import { Failure } from "#contract/failures";
import { MAX_PARTS, partCountFor } from "#contract/limits";
import type { Clock } from "../lib/clock.ts";
import type { Digesting } from "../lib/digests.ts";
import type { KeptHeaders } from "../lib/kept-headers.ts";
import type {
  ClaimedPart,
  Incoming,
  ObjectHead,
  ObjectStore,
  Place,
  Recheck,
  StoredPart,
  TakeTurn,
} from "../stores/store.ts";
import type { Storage, Stores } from "../stores/stores.ts";
import type { Changes } from "./changes.ts";
import type { EndedUploads } from "./ended.ts";
import type { InFlight } from "./in-flight.ts";
import type { Intents } from "./intents.ts";
import {
  assemble,
  beginParts,
  checkPart,
  checkReplaced,
  exceeds,
  forgetParts,
  incomplete,
  isOpenEnded,
  madeFrom,
  type PartName,
} from "./parts.ts";
import type { Quota, Write } from "./quota.ts";
import { newUpload, type ReplaceRequest, type Reservations, type UploadRequest } from "./reservations.ts";
import type { UploadRow, UploadsTable } from "./uploads-table.ts";

/** A body for a whole upload or for one part of it. */
export interface Received {
  readonly body: Incoming;
  /** Bytes that the sender announces; undefined when it announces none. */
  readonly length: number | undefined;
  readonly part?: PartName | undefined;
  /** Checked before the object becomes visible; the built-in store takes an MD5 for the ETag. */
  readonly digesting?: Digesting | undefined;
}

/** How an upload ends. */
interface Finish {
  /** The parts that make the file, for an upload in parts. */
  readonly parts?: readonly ClaimedPart[] | undefined;
  /** The ETag that the storage gave the sender, without quotes. */
  readonly etag?: string | undefined;
  /** Throws when the caller may not write there any more. */
  readonly beforeCommit: Recheck;
  /** Of a file that is made of parts. */
  readonly turn?: TakeTurn | undefined;
}

/** A body that is written at once. */
interface Put {
  readonly body: Incoming;
  readonly signal?: AbortSignal | undefined;
  readonly beforeCommit: Recheck;
  readonly turn?: TakeTurn | undefined;
  /** Whether a body of known length is sent in parts too. */
  readonly inParts?: boolean | undefined;
  readonly headers?: KeptHeaders | undefined;
  readonly digesting?: Digesting | undefined;
}

interface UploadsDependencies {
  readonly table: UploadsTable;
  readonly clock: Clock;
  readonly stores: Stores;
  readonly inFlight: InFlight;
  readonly quota: Quota;
  readonly changes: Changes;
  readonly intents: Pick<Intents, "write">;
  readonly reservations: Reservations;
  readonly ended: EndedUploads;
}

export function createUploads(dependencies: UploadsDependencies) {
  const { table, clock, stores, inFlight, quota, changes, intents, reservations, ended } = dependencies;
  /** Results are found by the id of the upload, and by place and owner or parts for callers without an id. */
  const nameAt = ({ storage, key }: Place, name: string): string => `${name} ${storage} ${key}`;

  /** Throws when the owner of an upload may not finish it any more. 401, 403, 423 path.locked. */
  const admit = (row: UploadRow): Promise<void> =>
    changes.admit({ at: row, by: { owner: row.created_by, credential: row.credential }, shared: row.overwrites === 0 });

  /** Records before and after a body that something arrives, so that cleanup leaves the upload alone. 409 upload.finished. */
  const arriving = <Result>(
    { id, overwrites }: UploadRow,
    part: number | symbol,
    take: (signal: AbortSignal) => Promise<Result>,
  ) =>
    inFlight.latest(id, part, async (signal) => {
      if (!(await table.touch(id, clock()))) throw new Failure("upload.finished");
      const taken = await take(signal);
      // What becomes visible later was touched right before its file was put in place (`beforeCommit`).
      if (part !== 0) await table.touch(id, clock());
      else if (overwrites === 1) await table.arrived(id, clock());
      return taken;
    });

  /**
   * Writes a whole body to the store, within the bytes that the upload has reserved or else within the quota. A file
   * that replaces another is visible from then on, so followers are notified here; a fresh one becomes visible when
   * its upload is finished.
   */
  const write = (row: UploadRow, storage: Storage, given: Put & Unreserved) => {
    const { body, length, replaces, ...how } = given;
    const { key, content_type: type, size, overwrites } = row;
    const put: Write<ObjectHead> = async (bytes, bounds) => {
      const at = { storage: row.storage, key };
      const store = () => storage.store.put(key, bytes, { type, ...bounds, ...how });
      // Cleanup removes a fresh one whose writing failed.
      const head = overwrites === 1 ? await intents.write(at, store) : await store();
      if (overwrites === 1) await changes.tell({ kind: "written", at, file: head, tags: row.tags ?? "" });
      return head;
    };
    const take = async () =>
      size === null
        ? await quota.write(storage, { body, length, replaces: await replaces() }, put)
        : await put(body, { length: size });
    return overwrites === 1 ? reservations.writing(storage, key, take) : take();
  };

  const receive = async (
    row: UploadRow,
    { body, length, part, digesting }: Received,
  ): Promise<ObjectHead | StoredPart> => {
    const storage = await stores.get(row.storage);
    const { store } = storage;
    if (row.multipart || part) {
      const { name, number, length: expected } = checkPart(row, part, length);
      const take = (signal: AbortSignal) => store.putPart(name, number, body, { length: expected, signal, digesting });
      if (!isOpenEnded(row)) return await arriving(row, number, take);
      // As in S3, of two bodies for one part the one counts that ends last; until the upload ends both are reserved.
      return await arriving(row, Symbol("part"), (signal) => quota.part(row, storage, expected, () => take(signal)));
    }
    if (row.size !== null && length !== undefined && length !== row.size) throw new Failure("upload.length");
    const replaces = async () => (row.overwrites === 1 ? ((await store.head(row.key))?.size ?? 0) : 0);
    const beforeCommit = async () => {
      // Another server may have finished it meanwhile.
      const [isPending] = await Promise.all([table.touch(row.id, clock()), admit(row)]);
      if (!isPending) throw new Failure("upload.finished");
    };
    return await arriving(row, 0, (signal) => write(row, storage, { body, length, replaces, signal, beforeCommit }));
  };

  /** Joins the file if it comes in parts, and returns the store's attributes of the key. */
  const stored = async (row: UploadRow, store: ObjectStore, { parts, beforeCommit, turn }: Finish) => {
    if (row.state === "pending" && (row.multipart !== null) !== (parts !== undefined))
      throw new Failure("upload.missing");
    if (row.state === "pending" && parts) await assemble({ row, store, table }, parts, { beforeCommit, turn });
    return await store.head(row.key);
  };

  const finishFresh = async (row: UploadRow, storage: Storage, finish: Finish): Promise<ObjectHead> => {
    const { id, key, size } = row;
    const { store } = storage;
    const head = await stored(row, store, finish);
    if (head && row.state === "ready") return head;
    const tooLarge = head && (size === null ? quota.tooLarge(head.size) : exceeds(head, size));
    if (tooLarge) {
      if (size !== null) await table.release(id);
      await store.remove([key]);
      throw tooLarge;
    }
    if (!head || (size !== null && size !== head.size)) throw incomplete(head, size);
    const settle = async () => {
      await finish.beforeCommit();
      return await table.ready(row, head.size, await quota.limit(storage));
    };
    if (await quota.inTurn(storage, settle)) {
      // Parts remain only after a crash in between.
      if (row.multipart) await store.abortMultipart({ key, upload: row.multipart });
      await changes.tell({ kind: "written", at: row, file: head, record: id });
      return head;
    }
    // It may have been dropped in the meantime.
    await get(id);
    await store.remove([key]);
    throw await quota.full(storage, head.size);
  };

  const finishReplacing = async (row: UploadRow, { store }: Storage, finish: Finish): Promise<ObjectHead> => {
    const head = await stored(row, store, finish);
    checkReplaced(row, head, finish.etag);
    // The storage made the file of its parts with this permission; refusing it now would leave it unreported.
    if (!row.multipart) await finish.beforeCommit();
    await conclude(row, head);
    return head;
  };

  /** Tells of the file that an upload has put in place of another, and ends the upload. */
  const conclude = async (row: UploadRow, head: ObjectHead): Promise<void> => {
    const { id, storage, key, multipart, created_by } = row;
    // Its bytes count once. The record stays until every follower is notified, so that a crash leaves an upload that
    // can be finished again.
    await table.arrived(id, clock());
    await changes.tell({ kind: "written", at: { storage, key }, file: head, tags: row.tags ?? "" });
    const names = [id, nameAt(row, multipart ?? created_by)];
    await table.end(id, ended.keep(names, { at: { storage, key }, head }));
  };

  /** 404 upload.missing. */
  const get = async (id: string): Promise<UploadRow> => {
    const row = await table.find(id);
    if (!row || row.state === "removing") throw new Failure("upload.missing");
    return row;
  };

  /** Removes an upload, and the file of a fresh one, if `release` agrees. */
  const clear = (id: string, release: () => Promise<boolean>): Promise<void> =>
    inFlight.alone(id, async () => {
      const row = (await release()) ? await table.find(id) : undefined;
      if (!row) return;
      const storage = await stores.get(row.storage);
      const { store } = storage;
      await forgetParts(row, store);
      // A file that another caller writes to the key now is not its object.
      if (row.overwrites === 1 || (await reservations.isWritten(storage, row.key)))
        return void (await table.remove(id));
      await store.remove([row.key]);
      await changes.tell({ kind: "removed", at: row });
      // The holder of an address of a remote storage may still write the object: cleanup returns to it.
      if (row.addressed_until <= clock()) await table.remove(id);
    });

  return {
    /**
     * Reserves a key and the declared bytes, and records the upload. 400 upload.parts for too many parts; 409 path.conflict for a
     * folder below a file, path.reserved for a key that a fresh upload has; 413 file.tooLarge, 429 upload.tooMany, 507 storage.full.
     */
    begin: async (request: UploadRequest): Promise<UploadRow> => {
      const { partSize, size = 0 } = request;
      if (partSize && partCountFor(size, partSize) > MAX_PARTS) throw new Failure("upload.parts");
      const row = await reservations.reserve(request);
      // Who names no upload means the last one that was to replace a file.
      if (row.overwrites === 1 && row.part_size === null) await ended.forget(nameAt(row, row.created_by));
      return await beginParts(row, { store: request.storage.store, table, headers: request.headers });
    },

    admit,

    /**
     * Takes the body of an upload, or of one part of it. A later body for the same place stops an earlier one. 400 upload.length,
     * upload.parts; 404 upload.missing for parts of another upload; 409 upload.finished, path.reserved; 413, 507; 401, 403 and 423
     * when the owner may not write there any more.
     */
    receive,

    /**
     * Finishes an upload by the store's attributes, and notifies followers. It can be repeated, also after a crash.
     * 404 upload.missing; 409 upload.incomplete; 400 upload.parts; 507 storage.full if the size was undeclared and
     * others took the bytes; 400 upload.length for a file larger than declared, which is removed if its key is fresh
     * and else stays; and the failures of `beforeCommit`.
     */
    finish: (id: string, finish: Finish): Promise<ObjectHead> =>
      inFlight.alone(id, async () => {
        const row = await table.find(id);
        // Its record goes with the transaction that keeps the result.
        const before = row ? undefined : await ended.find(id);
        if (before) return before.head;
        if (!row || row.state === "removing") throw new Failure("upload.missing");
        const storage = await stores.get(row.storage);
        if (row.overwrites === 0) return await finishFresh(row, storage, finish);
        return await reservations.writing(storage, row.key, () => finishReplacing(row, storage, finish));
      }),

    /**
     * Ends an upload in parts whose file was made by a process that ended before it could say so; returns whether that is so. Any
     * other stays as it is.
     */
    async settle(row: UploadRow): Promise<boolean> {
      const storage = await stores.get(row.storage);
      if (!(await madeFrom(row, storage.store))) return false;
      return await inFlight.alone(row.id, async () => {
        // The process may have been slow instead.
        const left = await table.find(row.id);
        const head = left?.state === "pending" ? await madeFrom(left, storage.store) : undefined;
        if (!left || !head) return false;
        await reservations.writing(storage, left.key, async () => {
          await forgetParts(left, storage.store);
          await conclude(left, head);
        });
        return true;
      });
    },

    /** Drops an upload. A fresh one loses its file, finished or not; a file that it was to replace stays. */
    drop: (id: string): Promise<void> => clear(id, () => table.release(id)),

    /**
     * Begins, receives and finishes an upload in one call. It is never recorded, because no other caller can name it,
     * so it costs no statement: a crash leaves the old file at the key. 400 upload.length, 409 path.reserved, 413
     * file.tooLarge, 507 storage.full.
     */
    put: ({ size, ...request }: ReplaceRequest, body: Put): Promise<ObjectHead> => {
      const { storage, key, found, headers } = request;
      const row = newUpload({ ...request, size: undefined }, key, clock());
      return write(row, storage, { ...body, headers, length: size, replaces: async () => found?.size ?? 0 });
    },

    get,

    /** A replacing upload that is not finished; undefined for any other. */
    async findReplacing(id: string): Promise<UploadRow | undefined> {
      const row = await table.find(id);
      return row?.overwrites === 1 && row.state === "pending" ? row : undefined;
    },

    /** The replacing upload in parts with this id of its parts that is not finished. */
    findParts: table.findByMultipart,

    /** Replacing uploads in parts that are not finished, in the order of their keys and ids. */
    allInParts: table.multiparts,

    /** The replacing upload of one piece that an owner began last for a key and has not finished. */
    findLatest: table.findLatest,

    /** Returns the result of a replacing upload that finished recently, by its id, the id of its parts, or its owner. */
    async ended(place: Place, name: string): Promise<ObjectHead | undefined> {
      const { at, head } = (await ended.find(name, nameAt(place, name))) ?? {};
      return at?.storage === place.storage && at.key === place.key ? head : undefined;
    },

    /** Drops an upload if it is still abandoned. */
    clearAbandoned: (id: string, before: number): Promise<void> =>
      clear(id, () => table.releaseAbandoned(id, { before, now: clock() })),
  };
}

export type Uploads = ReturnType<typeof createUploads>;

interface Unreserved {
  readonly length: number | undefined;
  /** Bytes of the file that is replaced. */
  readonly replaces: () => Promise<number>;
}
