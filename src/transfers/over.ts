import { Failure } from "#contract/failures";
import type { Clock } from "../lib/clock.ts";
import type { ClaimedPart, ObjectHead, ObjectStore } from "../stores/store.ts";
import type { Storage, Stores } from "../stores/stores.ts";
import type { Changes } from "./changes.ts";
import type { Deliveries } from "./deliveries.ts";
import type { Room } from "./room.ts";
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
  /** Bytes that make room, because they are what is replaced. */
  readonly replaces: number;
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
  readonly begun: (row: UploadRow, store: ObjectStore) => Promise<UploadRow>;
}

/**
 * Uploads that take the place of what is at a key. Their record goes when they end, because the object is nobody's share; what
 * was given up removes no object, which may be the one from before.
 */
export function createOver({ table, clock, stores, deliveries, room, changes, begun }: OverNeeds) {
  const open = async (row: UploadRow): Promise<UploadRow> => {
    const now = await table.find(row.id);
    if (now?.state !== "pending") throw new Failure("upload.missing");
    return now;
  };

  /** Completes an upload in parts, unless that was done before a crash. 409 upload.incomplete, 400 upload.parts. */
  const assemble = async ({ key, size, multipart }: UploadRow, store: ObjectStore, claimed: readonly ClaimedPart[]) => {
    const name = { key, upload: multipart ?? "" };
    const stored = await store.listParts(name);
    const wanted = new Set(claimed.map(({ number }) => number));
    const arrived = stored.filter(({ number }) => wanted.has(number)).reduce((sum, part) => sum + part.size, 0);
    if (size !== null && arrived !== size) throw new Failure("upload.incomplete", { arrived, size });
    await store.completeMultipart(name, claimed);
  };

  return {
    /** Reserves the bytes. 413 file.tooLarge, 507 storage.full. */
    async begin({ storage, key, type, size, partSize, replaces, owner }: OverWish): Promise<UploadRow> {
      await room.check(storage, size ?? 0, replaces);
      const now = clock();
      const row: UploadRow = {
        id: Bun.randomUUIDv7(),
        storage: storage.config.id,
        key,
        content_type: type,
        size: size ?? null,
        state: "pending",
        multipart: null,
        part_size: partSize ?? null,
        created_by: owner,
        created_at: now,
        touched_at: now,
        addressed_until: 0,
        overwrites: 1,
      };
      const quota = room.quota(storage);
      if (!(await table.insert(row, quota === null ? null : quota + replaces)))
        throw await room.full(storage, size ?? 0);
      return await begun(row, storage.store);
    },

    find: async (id: string): Promise<UploadRow | undefined> => {
      const row = await table.find(id);
      return row?.overwrites === 1 && row.state === "pending" ? row : undefined;
    },
    findParts: table.findByMultipart,
    /** The last one that began for a key. */
    pendingAt: table.pendingOver,

    /**
     * Ends an upload by what its storage has, which must be what the sender says. 404 upload.missing, 409 upload.incomplete,
     * 400 upload.parts.
     */
    finish: (row: UploadRow, { parts, etag }: Sent): Promise<ObjectHead> =>
      deliveries.alone(row.id, async () => {
        const { id, key, size, multipart } = await open(row);
        const { config, store } = await stores.get(row.storage);
        if ((multipart !== null) !== (parts !== undefined)) throw new Failure("upload.missing");
        if (parts) await assemble(row, store, parts);
        const head = await store.head(key);
        if (!head || (size !== null && size !== head.size) || (etag && etag !== head.etag))
          throw new Failure("upload.incomplete", { arrived: head?.size ?? 0, size: size ?? "?" });
        await table.remove(id);
        await changes.tell({ kind: "written", at: { storage: config.id, key }, file: head });
        return head;
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

/** Forgets the parts of an upload that nobody wants any more. */
export async function forgetParts({ key, multipart, part_size }: UploadRow, store: ObjectStore): Promise<void> {
  if (multipart !== null) await store.abortMultipart({ key, upload: multipart });
  // A crash may have come between the upload in parts and the note of its id.
  else if (part_size !== null) await store.abortMultiparts(key);
}
