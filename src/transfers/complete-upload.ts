import { Failure } from "#contract/failures";
import type { Clock } from "../lib/clock.ts";
import {
  type ClaimedPart,
  type FindPlace,
  notingPlace,
  type ObjectHead,
  type ObjectStore,
  type Recheck,
  type TakeTurn,
} from "../stores/store.ts";
import type { Storage, Stores } from "../stores/stores.ts";
import type { Changes } from "./changes.ts";
import type { Growing } from "./growing.ts";
import type { InFlight } from "./in-flight.ts";
import { assemble, checkReplaced, exceeds, forgetParts, incomplete, madeFrom } from "./parts.ts";
import type { Quota } from "./quota.ts";
import type { Reservations } from "./reservations.ts";
import { nameAt, nameOf, type UploadResults } from "./upload-results.ts";
import type { UploadRow, UploadsTable } from "./uploads-table.ts";

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
  /** Of a file that is made of parts and never takes the place of another. */
  readonly findPlace?: FindPlace | undefined;
}

interface CompleteUploadDependencies {
  readonly table: UploadsTable;
  readonly clock: Clock;
  readonly stores: Stores;
  readonly inFlight: InFlight;
  readonly growing: Growing;
  readonly quota: Quota;
  readonly changes: Changes;
  readonly reservations: Reservations;
  readonly results: UploadResults;
  /** 404 upload.missing. */
  readonly get: (id: string) => Promise<UploadRow>;
}

/** Ends uploads whose bytes have come, by what their storage says. */
export function createCompleteUpload(dependencies: CompleteUploadDependencies) {
  const { table, clock, stores, inFlight, growing, changes, reservations, results } = dependencies;
  const finishFresh = createFinishFresh(dependencies);

  const finishReplacing = async (row: UploadRow, { store }: Storage, finish: Finish): Promise<ObjectHead> => {
    const findPlace = notingPlace(finish.findPlace, row.key, async (key) => {
      if (!(await table.rename(row.id, key))) throw new Failure("upload.missing");
    });
    const head = await stored(row, { store, table }, { ...finish, findPlace });
    checkReplaced(row, head, finish.etag);
    // The storage made the file of its parts with this permission; refusing it now would leave it unreported.
    if (!row.multipart) await finish.beforeCommit();
    await conclude(row, head);
    return head;
  };

  /** Tells of the file that an upload has put in place of another, and ends the upload. */
  const conclude = async (row: UploadRow, head: ObjectHead): Promise<void> => {
    const { id, storage, multipart, created_by } = row;
    const at = { storage, key: head.key };
    // Its bytes count once. The record stays until every follower is notified, so that a crash leaves an upload that
    // can be finished again.
    await table.arrived(id, clock());
    await changes.tell({ kind: "written", at, file: head, tags: row.tags ?? "" });
    const names = [id, nameAt(row, multipart ?? created_by), ...(multipart ? [nameOf(multipart, created_by)] : [])];
    await table.end(id, results.keep(names, { at, head, upload: id }));
  };

  return {
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
        const before = row ? undefined : await results.find(id);
        if (before) return before.head;
        if (!row || row.state === "removing") throw new Failure("upload.missing");
        const storage = await stores.get(row.storage);
        const fresh = () => finishFresh(row, storage, finish);
        if (row.overwrites === 0) return await growing.finished(id, finish.parts, fresh);
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
  };
}

/** Returns the function that ends an upload to a key of its own. One whose bytes have no room loses its file. */
function createFinishFresh({ table, quota, changes, get }: CompleteUploadDependencies) {
  return async (row: UploadRow, storage: Storage, finish: Finish): Promise<ObjectHead> => {
    const { id, key, size } = row;
    const { store } = storage;
    const head = await stored(row, { store, table }, finish);
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
}

interface Stored {
  readonly store: ObjectStore;
  readonly table: UploadsTable;
}

/** Joins the file if it comes in parts, and returns the store's attributes of the key. */
async function stored(row: UploadRow, { store, table }: Stored, { parts, ...conditions }: Finish) {
  if (row.state === "pending" && (row.multipart !== null) !== (parts !== undefined))
    throw new Failure("upload.missing");
  const isInParts = row.state === "pending" && parts !== undefined;
  const key = isInParts ? await assemble({ row, store, table }, parts, conditions) : row.key;
  return await store.head(key);
}
