import { Failure } from "#contract/failures";
import { partCountFor } from "#contract/parts";
import type { Database } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import type { ByteRange } from "../lib/range.ts";
import { sizeText } from "../lib/sizes.ts";
import type { Settings } from "../settings/settings.ts";
import type { ClaimedPart, Incoming, ObjectHead, StoredObject, StoredPart } from "../stores/store.ts";
import type { Storage, Stores } from "../stores/stores.ts";
import { clearEach } from "./leftovers.ts";
import { objectName } from "./object-names.ts";
import { type UploadRow, uploadsTable } from "./uploads-table.ts";
import { createWrites } from "./writes.ts";

interface TransfersNeeds {
  readonly db: Database;
  readonly clock: Clock;
  readonly stores: Stores;
  readonly settings: Settings;
}

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

/** A body for an upload that its address names. */
export interface Delivery {
  readonly storage: string;
  readonly key: string;
  readonly body: Incoming;
  /** Bytes that the body says it has; undefined when it does not say. */
  readonly length: number | undefined;
  readonly part?: { readonly upload: string; readonly number: number } | undefined;
}

const KEY_TRIES = 5;
const MiB = 1024 * 1024;

/** Uploads: each reserves a fresh key and its bytes, is delivered to the store, and is finished by what the store says. */
export function createTransfers({ db, clock, stores, settings }: TransfersNeeds) {
  const table = uploadsTable(db);
  const writes = createWrites();
  const largest = () => settings.get("max_upload_size") * MiB;

  const storeOf = async ({ storage }: Pick<UploadRow, "storage">) => (await stores.get(storage)).store;

  /** Bytes that a storage still takes. */
  const roomIn = async ({ config, store }: Storage): Promise<number> => {
    const quota = config.total_storage_bytes;
    const left = quota === null ? Number.POSITIVE_INFINITY : quota - (await table.used(config.id));
    return Math.max(0, Math.min(left, (await store.free()) ?? Number.POSITIVE_INFINITY));
  };

  /** 413 file.tooLarge, 507 storage.full. */
  const checkRoom = async (storage: Storage, size: number) => {
    if (size > largest()) throw new Failure("file.tooLarge", { limit: sizeText(largest()) });
    const free = await roomIn(storage);
    if (size > free) throw new Failure("storage.full", { size: sizeText(size), free: sizeText(free) });
  };

  const reserve = async ({ storage, folder, filename, type, size, partSize, owner }: UploadWish) => {
    const now = clock();
    for (let attempt = 0; attempt < KEY_TRIES; attempt++) {
      const key = folder + objectName(filename, attempt);
      if (await storage.store.head(key)) continue;
      const row: UploadRow = {
        id: Bun.randomUUIDv7(),
        storage: storage.config.id,
        key,
        content_type: type,
        size: size ?? null,
        state: "pending",
        multipart: partSize ? await storage.store.createMultipart(key, { type, partSize }) : null,
        part_size: partSize ?? null,
        created_by: owner,
        created_at: now,
        touched_at: now,
      };
      if (await table.insert(row, storage.config.total_storage_bytes)) return row;
      if (row.multipart) await storage.store.abortMultipart(row.multipart);
      await checkRoom(storage, size ?? 0);
    }
    throw new Failure("server.busy");
  };

  /** Bytes that a body must have or may have at most. 400 upload.length, 413 file.tooLarge, 507 storage.full. */
  const bounds = async (row: UploadRow, length: number | undefined) => {
    if (row.size !== null) {
      if (length !== undefined && length !== row.size) throw new Failure("upload.length");
      return { length: row.size };
    }
    const storage = await stores.get(row.storage);
    if (length !== undefined) await checkRoom(storage, length);
    return { length, limit: Math.min(largest(), await roomIn(storage)) };
  };

  /** Beyond a limit that is below the largest size, it was the storage that had no more room. */
  const fullOrTooLarge = (error: unknown, limit: number | undefined): unknown => {
    const full = error instanceof Failure && error.code === "file.tooLarge" && limit !== undefined && limit < largest();
    return full ? new Failure("storage.full", { size: `> ${sizeText(limit)}`, free: sizeText(limit) }) : error;
  };

  const deliverPart = async (row: UploadRow, { body, length, part }: Delivery): Promise<ObjectHead | StoredPart> => {
    if (!part || part.upload !== row.multipart || !row.part_size || row.size === null)
      throw new Failure("upload.missing");
    const count = partCountFor(row.size, row.part_size);
    if (part.number < 1 || part.number > count) throw new Failure("upload.parts");
    const store = await storeOf(row);
    const wanted = Math.min(row.part_size, row.size - (part.number - 1) * row.part_size);
    if (length !== undefined && length !== wanted) throw new Failure("upload.length");
    return await writes.latest(row.id, part.number, async (signal) => {
      if (!(await table.touch(row.id, clock()))) throw new Failure("upload.finished");
      return await store.putPart(part.upload, part.number, body, { length: wanted, signal });
    });
  };

  const deliverWhole = async (row: UploadRow, body: Incoming, length: number | undefined): Promise<ObjectHead> => {
    const store = await storeOf(row);
    const bound = await bounds(row, length);
    return await writes.latest(row.id, 0, async (signal) => {
      if (!(await table.touch(row.id, clock()))) throw new Failure("upload.finished");
      try {
        return await store.put(row.key, body, { type: row.content_type, ...bound, signal });
      } catch (error) {
        throw fullOrTooLarge(error, bound.limit);
      }
    });
  };

  /**
   * Takes no more writes, then looks at what has arrived; what is not whole is opened again for another try. May be asked
   * again after a crash. 409 upload.incomplete; 507 storage.full when nobody said its size and others took the room.
   */
  const finish = async (row: UploadRow): Promise<ObjectHead> => {
    await table.close(row.id);
    writes.stop(row.id);
    const { config, store } = await stores.get(row.storage);
    const head = await store.head(row.key);
    const whole = head && (row.size === null || head.size === row.size) ? head : undefined;
    if (whole && (await table.settle(row, whole.size, config.total_storage_bytes))) return whole;
    // Somebody may have given it up meanwhile.
    if ((await table.find(row.id))?.state !== "ready") throw new Failure("upload.missing");
    if (whole) await store.remove([row.key]);
    await table.reopen(row.id);
    if (!whole) throw new Failure("upload.incomplete", { arrived: head?.size ?? 0, size: row.size ?? "?" });
    const free = sizeText(await roomIn({ config, store }));
    throw new Failure("storage.full", { size: sizeText(whole.size), free });
  };

  /** Makes the file of its parts, unless that was done before, or is done meanwhile because it was asked twice. */
  const assemble = async (row: UploadRow, multipart: string, claimed: readonly ClaimedPart[]): Promise<void> => {
    const store = await storeOf(row);
    if (await store.head(row.key)) return;
    try {
      await checkParts(row, await store.listParts(multipart), claimed);
      writes.stop(row.id);
      await store.completeMultipart(multipart, claimed);
    } catch (error) {
      if (!(await store.head(row.key))) throw error;
    }
  };

  const clear = async (row: UploadRow): Promise<void> => {
    // From here on nothing more begins to arrive for it.
    await table.release(row.id);
    writes.stop(row.id);
    const store = await storeOf(row);
    if (row.multipart) await store.abortMultipart(row.multipart);
    await store.remove([row.key]);
    await table.remove(row.id);
  };

  return {
    /** The storage of this id, or the default one. 404 storage.missing. */
    storage: stores.get,

    /** Every storage with the bytes that it holds, the default one first. */
    async storages() {
      const configs = await stores.list();
      return await Promise.all(configs.map(async (config) => ({ config, used: await table.used(config.id) })));
    },

    /** Who signs the built-in store's addresses, and for which storage they are. */
    internal: { secretOf: stores.presign.secretOf, storageOf: stores.presign.storageOf },

    /** Reserves a fresh key and the bytes. 413 file.tooLarge, 507 storage.full. */
    async begin(wish: UploadWish): Promise<UploadRow> {
      await checkRoom(wish.storage, wish.size ?? 0);
      return await reserve(wish);
    },

    /** Where the whole file is put. */
    async putUrl(row: UploadRow, origin: string): Promise<string> {
      const { config, store } = await stores.get(row.storage);
      const expires = config.signature_expires_in;
      return store.presign({ method: "PUT", key: row.key, expires, origin, type: row.content_type });
    },

    /** Where each of these parts is put. */
    async partUrls(row: UploadRow, numbers: readonly number[], origin: string): Promise<string[]> {
      const { config, store } = await stores.get(row.storage);
      const expires = config.signature_expires_in;
      const upload = row.multipart ?? "";
      return numbers.map((number) =>
        store.presign({ method: "PUT", key: row.key, expires, origin, part: { upload, number } }),
      );
    },

    /** Takes a body that an address of the built-in store let in. 404 upload.missing, 409 upload.finished, 400, 413, 507. */
    async deliver(delivery: Delivery): Promise<ObjectHead | StoredPart> {
      const row = await table.findByKey(delivery.storage, delivery.key);
      if (!row) throw new Failure("upload.missing");
      if (row.state !== "pending") throw new Failure("upload.finished");
      if (row.multipart || delivery.part) return await deliverPart(row, delivery);
      return await deliverWhole(row, delivery.body, delivery.length);
    },

    /** Takes the body of an upload that passes through the server. */
    write: deliverWhole,

    /** An object of the built-in store, for an address that lets somebody read it. */
    async read(storage: string, key: string, range?: ByteRange): Promise<StoredObject | undefined> {
      return await (await stores.get(storage)).store.get(key, range);
    },

    /** 404 upload.missing. */
    async find(id: string): Promise<UploadRow> {
      const row = await table.find(id);
      if (!row) throw new Failure("upload.missing");
      return row;
    },

    /** The parts that have arrived. 404 upload.missing, 409 upload.finished. */
    async parts(row: UploadRow): Promise<StoredPart[]> {
      if (row.state !== "pending") throw new Failure("upload.finished");
      if (!row.multipart) throw new Failure("upload.missing");
      return await (await storeOf(row)).listParts(row.multipart);
    },

    /** Ends an upload of one piece. */
    async finish(id: string): Promise<ObjectHead> {
      const row = await table.find(id);
      if (!row || row.multipart) throw new Failure("upload.missing");
      return await finish(row);
    },

    /** Ends an upload in parts. 400 upload.parts, 409 upload.incomplete. */
    async finishParts(id: string, claimed: readonly ClaimedPart[]): Promise<ObjectHead> {
      const row = await table.find(id);
      if (!row?.multipart) throw new Failure("upload.missing");
      if (row.state === "pending") await assemble(row, row.multipart, claimed);
      return await finish(row);
    },

    /** Removes what was released, object and record. */
    async clear(id: string): Promise<void> {
      const row = await table.find(id);
      if (row?.state === "removing") await clear(row);
    },

    /** Gives an upload up. */
    async drop(id: string): Promise<void> {
      const row = await table.find(id);
      if (row) await clear(row);
    },

    /** Clears away what was released and what nothing has arrived for since an instant; answers how many. */
    sweep: (before: number): Promise<number> => clearEach((limit) => table.leftovers(before, limit), clear),
  };
}

export type Transfers = ReturnType<typeof createTransfers>;

/** The bytes of the parts that somebody says make up the file must be those of the file. */
async function checkParts({ size }: UploadRow, stored: readonly StoredPart[], claimed: readonly ClaimedPart[]) {
  const wanted = new Set(claimed.map(({ number }) => number));
  const arrived = stored.filter(({ number }) => wanted.has(number)).reduce((sum, part) => sum + part.size, 0);
  if (size !== null && arrived !== size) throw new Failure("upload.incomplete", { arrived, size });
}
