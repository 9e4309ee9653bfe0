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
import type { Intents } from "./intents.ts";
import {
  assemble,
  checkReplaced,
  declaredSize,
  exceeds,
  forgetParts,
  forgetTail,
  incomplete,
  madeFrom,
} from "./parts.ts";
import type { Quota } from "./quota.ts";
import type { Reservations } from "./reservations.ts";
import { nameAt, nameOf, type UploadResults } from "./upload-results.ts";
import type { UploadRow, UploadsTable } from "./uploads-table.ts";
import { countVisitorFile } from "./visitor-files-table.ts";
import { isWaiting, putInPlace } from "./waiting.ts";

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
  readonly intents: Pick<Intents, "write">;
  readonly reservations: Reservations;
  readonly results: UploadResults;
  /** 404 upload.missing. */
  readonly get: (id: string) => Promise<UploadRow>;
}

/** Ends uploads whose bytes have come, by what their storage says. */
export function createCompleteUpload(dependencies: CompleteUploadDependencies) {
  const { table, clock, stores, inFlight, growing, quota, changes, intents, reservations, results } = dependencies;
  const finishFresh = createFinishFresh(dependencies);

  /** Makes the file where it waits, and has it go to its place: one that breaks off on the way goes on from there when it is finished again. */
  const finishWaiting = async (row: UploadRow, storage: Storage, { parts, findPlace }: Finish): Promise<ObjectHead> => {
    if (!findPlace) throw new Failure("upload.missing");
    const { made } = await stored(row, { store: storage.store, table }, { parts });
    checkReplaced(row, made, undefined);
    const placed = await putInPlace({ row, storage, head: made, intents }, findPlace);
    await endAs(row, placed);
    await storage.store.remove([row.key]);
    return placed;
  };

  const finishReplacing = async (row: UploadRow, storage: Storage, finish: Finish): Promise<ObjectHead> => {
    if (isWaiting(row)) return await finishWaiting(row, storage, finish);
    const { store } = storage;
    const findPlace = notingPlace(finish.findPlace, row.key, async (key) => {
      if (!(await table.rename(row.id, key))) throw new Failure("upload.missing");
    });
    const { made, now } = await stored(row, { store, table }, { ...finish, findPlace });
    checkReplaced(row, made, finish.etag);
    // The storage made the file of its parts with this permission; refusing it now would leave it unreported.
    if (!row.multipart) await finish.beforeCommit();
    await conclude(row, made, now);
    return made;
  };

  /** Tells of the file that an upload has put in place of another, which is `now` that of somebody else perhaps, and ends the upload. */
  const conclude = async (row: UploadRow, head: ObjectHead, now: ObjectHead | undefined): Promise<void> => {
    const at = { storage: row.storage, key: head.key };
    // Its bytes count once. The record stays until every follower is notified, so that a crash leaves an upload that
    // can be finished again.
    await table.arrived(row.id, clock());
    if (now) await changes.tell({ kind: "written", at, file: now, tags: row.tags ?? "" });
    await endAs(row, head);
  };

  const endAs = async (row: UploadRow, head: ObjectHead): Promise<void> => {
    const { id, storage, multipart, created_by } = row;
    const at = { storage, key: head.key };
    const names = [id, nameAt(row, multipart ?? created_by), ...(multipart ? [nameOf(multipart, created_by)] : [])];
    const counted = (await quota.visitors.counts(created_by)) ? [countVisitorFile(at, head.size)] : [];
    await table.end(id, [...results.keep(names, { at, head, upload: id }), ...counted]);
  };

  return {
    /**
     * Finishes an upload by the store's attributes, and notifies followers. It can be repeated, also after a crash.
     * 404 upload.missing; 409 upload.incomplete; 400 upload.parts; 507 storage.full if the size was undeclared and
     * others took the bytes; 400 upload.length for a file larger than declared, which is removed if its key is fresh
     * and else stays; and the failures of `beforeCommit`.
     */
    finish: (id: string, finish: Finish): Promise<ObjectHead> =>
      inFlight.exclusively(id, async () => {
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
      // Only whoever may write says where it goes.
      if (isWaiting(row)) return false;
      const storage = await stores.get(row.storage);
      if (!(await madeFrom(row, storage.store))) return false;
      return await inFlight.exclusively(row.id, async () => {
        // The process may have been slow instead.
        const left = await table.find(row.id);
        const head = left?.state === "pending" ? await madeFrom(left, storage.store) : undefined;
        if (!left || !head) return false;
        await reservations.writing(storage, left.key, async () => {
          await forgetParts(left, storage.store);
          await conclude(left, head, head);
        });
        return true;
      });
    },
  };
}

/** Returns the function that ends an upload to a key of its own. One whose bytes have no room loses its file. */
function createFinishFresh({ table, quota, changes, get }: CompleteUploadDependencies) {
  return async (row: UploadRow, storage: Storage, finish: Finish): Promise<ObjectHead> => {
    const { id, key, created_by: owner } = row;
    const size = declaredSize(row);
    const { store } = storage;
    const { made: head } = await stored(row, { store, table }, finish);
    if (head && row.state === "ready") return head;
    const tooLarge = head && (size === null ? await quota.tooLarge(head.size, owner) : exceeds(head, size));
    if (tooLarge) {
      if (size !== null) await table.release(id);
      await store.remove([key]);
      throw tooLarge;
    }
    if (!head || (size !== null && size !== head.size)) throw incomplete(head, size);
    const settle = async () => {
      await finish.beforeCommit();
      return await table.ready(row, head.size, await quota.bounds(storage, owner));
    };
    if (await quota.inOwnTurn(storage, owner, settle)) {
      // Parts remain only after a crash in between.
      if (row.multipart) await store.abortMultipart({ key, upload: row.multipart });
      await forgetTail(row, store);
      await changes.tell({ kind: "written", at: row, file: head, record: id });
      return head;
    }
    // It may have been dropped in the meantime.
    await get(id);
    await store.remove([key]);
    await quota.visitors.check(owner, head.size);
    throw await quota.full(storage, head.size);
  };
}

/** The object of an upload, and what is at its key: whoever may replace it may have done so at once. */
interface Ended {
  readonly made: ObjectHead | undefined;
  readonly now: ObjectHead | undefined;
}

interface Stored {
  readonly store: ObjectStore;
  readonly table: UploadsTable;
}

/** Joins the file if it comes in parts, and returns the store's attributes of the key. */
async function stored(
  row: UploadRow,
  { store, table }: Stored,
  { parts, ...conditions }: Partial<Finish>,
): Promise<Ended> {
  if (row.state === "pending" && (row.multipart !== null) !== (parts !== undefined))
    throw new Failure("upload.missing");
  const isInParts = row.state === "pending" && parts !== undefined;
  const assembled = isInParts ? await assemble({ row, store, table }, parts, conditions) : undefined;
  const now = await store.head(assembled?.key ?? row.key);
  return { made: assembled ?? now, now };
}
