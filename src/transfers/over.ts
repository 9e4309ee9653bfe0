import { Failure } from "#contract/failures";
import type { Clock } from "../lib/clock.ts";
import { Lru } from "../lib/lru.ts";
import type { ClaimedPart, ObjectHead, ObjectStore } from "../stores/store.ts";
import type { Storage, Stores } from "../stores/stores.ts";
import { assemble, versionOf } from "./assemble.ts";
import type { Changes } from "./changes.ts";
import type { Deliveries } from "./deliveries.ts";
import { forgetParts, type HeldKeys } from "./held-keys.ts";
import { rowFor } from "./reserve.ts";
import type { Room } from "./room.ts";
import type { Place } from "./transfers.ts";
import type { UploadRow, UploadsTable } from "./uploads-table.ts";

/** What somebody wants to upload to a key, in place of what is there. */
export interface OverWish {
  readonly storage: Storage;
  readonly key: string;
  readonly type: string;
  /** Bytes; undefined when nobody knows. */
  readonly size: number | undefined;
  /** Bytes of all parts but the last, for an upload in parts. */
  readonly partSize?: number;
  /** The file that is there, whose bytes make room. */
  readonly found: ObjectHead | undefined;
  readonly owner: string;
}

/** What a sender says of what it has sent. */
interface Sent {
  readonly parts?: readonly ClaimedPart[];
  /** Without quotes, as the storage answered it. */
  readonly etag?: string | undefined;
}

interface OverNeeds {
  readonly table: UploadsTable;
  readonly clock: Clock;
  readonly stores: Stores;
  readonly deliveries: Deliveries;
  readonly room: Room;
  readonly changes: Changes;
  readonly keys: HeldKeys;
  readonly begun: (row: UploadRow, store: ObjectStore) => Promise<UploadRow>;
}

/** Uploads whose end is remembered, for those who did not hear the answer. */
const MOST_ENDED = 1000;

/**
 * Uploads that take the place of what is at a key. Their record goes when they end, because the object is nobody's share; what
 * was given up removes no object, which may be the one from before.
 */
export function createOver({ table, clock, stores, deliveries, room, changes, keys, begun }: OverNeeds) {
  /** What uploads came to, by their ids, and by owner for those who name none. */
  const ended = new Lru<string, ObjectHead>(MOST_ENDED);
  const nameOf = ({ storage, key }: Place, name: string): string => `${name} ${storage} ${key}`;

  /** Ends it while nothing arrives for it. */
  const end = async (row: UploadRow, { parts, etag }: Sent): Promise<ObjectHead> => {
    const { id, key, multipart, created_by } = row;
    if ((multipart !== null) !== (parts !== undefined)) throw new Failure("upload.missing");
    const storage = await stores.get(row.storage);
    return await keys.taking(storage, key, async () => {
      if (parts) await assemble(row, storage.store, parts);
      const head = await storage.store.head(key);
      checkCame(row, head, etag);
      await table.remove(id);
      for (const name of [id, multipart ?? created_by]) ended.set(nameOf(row, name), head);
      await changes.tell({ kind: "written", at: { storage: row.storage, key }, file: head });
      return head;
    });
  };

  return {
    /** Reserves the bytes. 409 path.reserved, 413 file.tooLarge, 507 storage.full. */
    async begin({ found, ...wish }: OverWish): Promise<UploadRow> {
      const { storage, key, size, owner } = wish;
      const replaces = found?.size ?? 0;
      await keys.demandFree(storage, key);
      await room.check(storage, size ?? 0, replaces);
      const row = { ...rowFor(wish, key, clock()), overwrites: 1, found: found ? versionOf(found) : null };
      const reserve = () => {
        const quota = room.quota(storage);
        return table.insert(row, quota === null ? null : quota + replaces);
      };
      if (!(await room.inTurn(storage, reserve))) {
        await keys.demandFree(storage, key);
        throw await room.full(storage, size ?? 0);
      }
      ended.delete(nameOf(row, owner));
      return await begun(row, storage.store);
    },

    find: async (id: string): Promise<UploadRow | undefined> => {
      const row = await table.find(id);
      return row?.overwrites === 1 && row.state === "pending" ? row : undefined;
    },
    findParts: table.findByMultipart,
    /** The last one of one piece that an owner began for a key. */
    pendingAt: table.pendingOver,

    /** What an upload to a key came to that has ended not long ago, by its id, that of its parts, or its owner. */
    ended: (place: Place, name: string): ObjectHead | undefined => ended.get(nameOf(place, name)),

    /**
     * Ends an upload by what its storage has, which must be what the sender says and not what was there before. 404
     * upload.missing, 409 upload.incomplete, 400 upload.parts; 400 upload.length for a file larger than was declared, which stays
     * because it is there already.
     */
    finish: (row: UploadRow, sent: Sent): Promise<ObjectHead> =>
      deliveries.alone(row.id, async () => {
        const now = await table.find(row.id);
        if (now?.state === "pending") return await end(now, sent);
        const before = ended.get(nameOf(row, row.id));
        if (!before) throw new Failure("upload.missing");
        return before;
      }),

    /** Gives an upload up; what it was to take the place of stays. */
    drop: (row: UploadRow): Promise<void> =>
      deliveries.alone(row.id, async () => {
        const { store } = await stores.get(row.storage);
        await forgetParts(row, store);
        await table.remove(row.id);
      }),
  };
}

/** Whether what is at the key is what the upload was for. 409 upload.incomplete, 400 upload.length. */
function checkCame(
  { size, found, multipart }: UploadRow,
  head: ObjectHead | undefined,
  etag: string | undefined,
): asserts head is ObjectHead {
  const came = head && (etag ? etag === head.etag : multipart !== null || versionOf(head) !== found);
  if (!came) throw new Failure("upload.incomplete", { arrived: 0, size: size ?? "?" });
  if (size === null || size === head.size) return;
  if (head.size > size) throw new Failure("upload.length");
  throw new Failure("upload.incomplete", { arrived: head.size, size });
}
