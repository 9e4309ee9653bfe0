import { Failure } from "#contract/failures";
import type { Clock } from "../lib/clock.ts";
import type { ObjectStore } from "../stores/store.ts";
import type { Storage } from "../stores/stores.ts";
import type { HeldKeys } from "./held-keys.ts";
import { objectName } from "./object-names.ts";
import type { Room } from "./room.ts";
import type { UploadRow, UploadsTable } from "./uploads-table.ts";

/** What somebody wants to upload. */
export interface UploadWish {
  readonly storage: Storage;
  /** Where the object goes: empty or ending in a slash. */
  readonly folder: string;
  readonly filename: string;
  readonly type: string;
  /** Bytes; undefined when nobody knows. */
  readonly size: number | undefined;
  /** Bytes of all parts but the last, for an upload in parts. */
  readonly partSize?: number;
  readonly owner: string;
}

interface ReserveNeeds {
  readonly table: UploadsTable;
  readonly clock: Clock;
  readonly room: Room;
  readonly keys: HeldKeys;
  readonly begun: (row: UploadRow, store: ObjectStore) => Promise<UploadRow>;
}

const KEY_TRIES = 5;

/** Reserves a fresh key and the bytes. 409 path.conflict, 413 file.tooLarge, 507 storage.full. */
export function createReserve({ table, clock, room, keys, begun }: ReserveNeeds) {
  return async (wish: UploadWish): Promise<UploadRow> => {
    const { storage, folder, filename, size } = wish;
    const { config, store } = storage;
    await room.check(storage, size ?? 0);
    await refuseFiles(store, config.id, folder);
    for (let attempt = 0; attempt < KEY_TRIES; attempt++) {
      const key = folder + objectName(filename, attempt);
      if (keys.isWritten(storage, key) || (await isTaken(store, config.id, key))) continue;
      const row = rowFor(wish, key, clock());
      const reserved = await room.inTurn(storage, () => table.insert(row, room.quota(storage)));
      if (reserved && !keys.isWritten(storage, key)) return await begun(row, store);
      // Somebody began to write there in this moment, and did not see the record.
      if (reserved) await table.remove(row.id);
      else await room.check(storage, size ?? 0);
    }
    throw new Failure("server.busy");
  };

  /** A folder cannot be where a file is, or will be. 409 path.conflict. */
  async function refuseFiles(store: ObjectStore, storage: string, folder: string): Promise<void> {
    const names = folder.split("/").slice(0, -1);
    const above = names.map((_, index) => names.slice(0, index + 1).join("/"));
    for (const key of above) {
      if ((await store.head(key)) || (await table.findByKey(storage, key))) throw new Failure("path.conflict");
    }
  }

  /** Whether a file or a folder has the key, or will have it. */
  async function isTaken(store: ObjectStore, storage: string, key: string): Promise<boolean> {
    return (
      (await store.head(key)) !== undefined ||
      (await store.head(`${key}/`)) !== undefined ||
      (await table.hasBelow(storage, key))
    );
  }
}

/** Begins an upload in parts once there is a record that leads to them, whatever happens to this process. */
export const createBegun =
  (table: UploadsTable) =>
  async (row: UploadRow, store: ObjectStore): Promise<UploadRow> => {
    const { id, key, content_type: type, part_size: partSize } = row;
    if (partSize === null) return row;
    const multipart = await store.createMultipart(key, { type, partSize });
    if (!(await table.begun(id, multipart))) throw new Failure("upload.missing");
    return { ...row, multipart };
  };

/** What any upload wants, wherever it goes. */
type Wanted = Pick<UploadWish, "storage" | "type" | "size" | "partSize" | "owner">;

/** The record of an upload that begins now. */
export const rowFor = ({ storage, type, size, partSize, owner }: Wanted, key: string, now: number): UploadRow => ({
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
  overwrites: 0,
  found: null,
  arrived: 0,
});
