import { Failure } from "#contract/failures";
import { partCountFor, partLength } from "#contract/parts";
import type { Clock } from "../lib/clock.ts";
import type { Incoming, ObjectHead, StoredPart } from "../stores/store.ts";
import type { Stores } from "../stores/stores.ts";
import type { Changes } from "./changes.ts";
import type { Deliveries } from "./deliveries.ts";
import type { HeldKeys } from "./held-keys.ts";
import type { Room } from "./room.ts";
import type { UploadRow, UploadsTable } from "./uploads-table.ts";

/** A body for the upload that its address names. */
export interface Delivery {
  readonly storage: string;
  readonly key: string;
  /** The upload that the address was made for. */
  readonly ticket: string;
  readonly body: Incoming;
  /** Bytes that the body says it has; undefined when it does not say. */
  readonly length: number | undefined;
  readonly part?: { readonly upload: string; readonly number: number } | undefined;
}

interface DeliverNeeds {
  readonly table: UploadsTable;
  readonly clock: Clock;
  readonly stores: Stores;
  readonly deliveries: Deliveries;
  readonly room: Room;
  readonly changes: Changes;
  readonly keys: HeldKeys;
}

/** Takes bodies in for uploads that are pending. */
export function createDeliver({ table, clock, stores, deliveries, room, changes, keys }: DeliverNeeds) {
  /** Notes before and after that something arrives, so that nobody takes it for abandoned. 409 upload.finished. */
  const arriving = <Result>({ id }: UploadRow, part: number, take: (signal: AbortSignal) => Promise<Result>) =>
    deliveries.latest(id, part, async (signal) => {
      if (!(await table.touch(id, clock()))) throw new Failure("upload.finished");
      const taken = await take(signal);
      await table.touch(id, clock());
      return taken;
    });

  /** 400 upload.length, 413 file.tooLarge, 507 storage.full. */
  const whole = async (row: UploadRow, body: Incoming, length: number | undefined): Promise<ObjectHead> => {
    const { key, size, content_type: type } = row;
    const storage = await stores.get(row.storage);
    if (size !== null && length !== undefined && length !== size) throw new Failure("upload.length");
    const { store } = storage;
    return await arriving(row, 0, async (signal) => {
      if (size !== null) return await store.put(key, body, { type, length: size, signal });
      const replaces = row.overwrites === 1 ? ((await store.head(key))?.size ?? 0) : 0;
      return await room.take(storage, { body, length, replaces }, (bytes, bounds) =>
        store.put(key, bytes, { type, ...bounds, signal }),
      );
    });
  };

  /**
   * A file that takes the place of what is at its key as soon as it is whole, as a verb of the tree does it. As `whole`; 403 and
   * 423 when whoever began it may not write there any more.
   */
  const over = async (row: UploadRow, body: Incoming, length: number | undefined): Promise<ObjectHead> => {
    await changes.admit({ at: row, owner: row.created_by });
    return await keys.taking(await stores.get(row.storage), row.key, async () => {
      const head = await whole(row, body, length);
      await table.arrived(row.id);
      await changes.tell({ kind: "written", at: { storage: row.storage, key: row.key }, file: head });
      return head;
    });
  };

  const part = async (row: UploadRow, { body, length, part }: Delivery): Promise<StoredPart> => {
    const { size, part_size, multipart } = row;
    if (!part || part.upload !== multipart || !part_size || size === null) throw new Failure("upload.missing");
    if (part.number > partCountFor(size, part_size)) throw new Failure("upload.parts");
    const wanted = partLength(size, part_size, part.number);
    if (length !== undefined && length !== wanted) throw new Failure("upload.length");
    const { store } = await stores.get(row.storage);
    return await arriving(row, part.number, (signal) =>
      store.putPart({ key: row.key, upload: part.upload }, part.number, body, { length: wanted, signal }),
    );
  };

  return {
    whole,

    /** What an address of the built-in store lets in. 404 upload.missing, 409 upload.finished, 400, 413, 507. */
    async addressed(delivery: Delivery): Promise<ObjectHead | StoredPart> {
      const row = await table.find(delivery.ticket);
      if (row?.storage !== delivery.storage || row.key !== delivery.key) throw new Failure("upload.missing");
      if (row.state !== "pending") throw new Failure("upload.finished");
      if (row.multipart || delivery.part) return await part(row, delivery);
      return await (row.overwrites === 1 ? over : whole)(row, delivery.body, delivery.length);
    },
  };
}
