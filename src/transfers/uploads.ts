/** The one write path: begin, receive, finish or drop, for files at a fresh key and files that replace another. */
import { Failure } from "#contract/failures";
import { MAX_PARTS, partCountFor } from "#contract/limits";
import type { Bearer } from "../access/callers.ts";
import type { ObjectHead, Place } from "../stores/store.ts";
import { createCompleteUpload } from "./complete-upload.ts";
import { beginParts, forgetParts } from "./parts.ts";
import { createReceiveBody, type ReceiveBodyDependencies } from "./receive-body.ts";
import type { UploadRequest } from "./reservations.ts";
import { nameAt, nameOf, type UploadResults } from "./upload-results.ts";
import type { UploadRow } from "./uploads-table.ts";
import { isWaiting } from "./waiting.ts";

interface UploadsDependencies extends ReceiveBodyDependencies {
  readonly results: UploadResults;
}

export function createUploads(dependencies: UploadsDependencies) {
  const { table, clock, stores, inFlight, growing, changes, reservations, results } = dependencies;

  /** 404 upload.missing. */
  const get = async (id: string): Promise<UploadRow> => {
    const row = await table.find(id);
    if (!row || row.state === "removing") throw new Failure("upload.missing");
    return row;
  };

  /** Removes an upload, and the file of a fresh one, if `release` agrees. */
  const clear = (id: string, release: () => Promise<boolean>): Promise<void> =>
    inFlight.exclusively(id, async () => {
      const released = await release();
      // Who reads it meanwhile learns so at once.
      growing.notify(id);
      const row = released ? await table.find(id) : undefined;
      if (!row) return;
      const storage = await stores.get(row.storage);
      const { store } = storage;
      await forgetParts(row, store);
      if (isWaiting(row)) await store.remove([row.key]);
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
      if (row.overwrites === 1 && row.part_size === null) await results.forget(nameAt(row, row.created_by));
      return await beginParts(row, { store: request.storage.store, table, headers: request.headers });
    },

    ...createReceiveBody(dependencies),

    ...createCompleteUpload({ ...dependencies, get }),

    /** Drops an upload. A fresh one loses its file, finished or not; a file that it was to replace stays. */
    drop: (id: string): Promise<void> => clear(id, () => table.release(id)),

    get,

    /** A replacing upload that is not finished; undefined for any other. */
    async findReplacing(id: string): Promise<UploadRow | undefined> {
      const row = await table.find(id);
      return row?.overwrites === 1 && row.state === "pending" ? row : undefined;
    },

    /** The replacing upload in parts with this id of its parts that is not finished. */
    findParts: table.findByMultipart,

    /** As `findParts`, of this owner and wherever it goes. */
    findOwn: (multipart: string, { owner }: Pick<Bearer, "owner">) => table.findOwn(multipart, owner),

    /** As `findOwn`, of anybody who has opened the same link. */
    findOfLink: (multipart: string, { owner }: Pick<Bearer, "owner">) => table.findOfLink(multipart, owner),

    /** Makes an upload in parts that is not finished another owner's, who has proved that it is theirs. */
    handOver: table.handOver,

    /** The result of an upload in parts of this owner that ended recently. */
    endedOf: (multipart: string, owner: string) => results.find(nameOf(multipart, owner)),

    /** Replacing uploads in parts that are not finished, in the order of their keys and ids. */
    allInParts: table.multiparts,

    /** The replacing upload of one piece that an owner began last for a key and has not finished. */
    findLatest: table.findLatest,

    /** Returns the result of a replacing upload that finished recently, by its id, the id of its parts, or its owner. */
    async ended(place: Place, name: string): Promise<ObjectHead | undefined> {
      const { at, head } = (await results.find(name, nameAt(place, name))) ?? {};
      return at?.storage === place.storage && at.key === place.key ? head : undefined;
    },

    /** Drops an upload if it is still abandoned. */
    clearAbandoned: (id: string, before: number): Promise<void> =>
      clear(id, () => table.releaseAbandoned(id, { before, now: clock() })),
  };
}

export type Uploads = ReturnType<typeof createUploads>;
