import { Failure } from "#contract/failures";
import { partLength } from "#contract/parts";
import type { Database } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import type { ByteRange } from "../lib/range.ts";
import { encodeKey } from "../lib/sigv4.ts";
import type { Settings } from "../settings/settings.ts";
import type { Spooled } from "../stores/spool.ts";
import type {
  ClaimedPart,
  Incoming,
  ObjectHead,
  ObjectStore,
  PresignRequest,
  StoredObject,
  StoredPart,
} from "../stores/store.ts";
import { isBuiltIn, type Stores } from "../stores/stores.ts";
import { assemble } from "./assemble.ts";
import type { Changes } from "./changes.ts";
import { createDeliver } from "./deliver.ts";
import { createDeliveries } from "./deliveries.ts";
import { createHeldKeys, forgetParts } from "./held-keys.ts";
import { clearEach } from "./leftovers.ts";
import { createOver } from "./over.ts";
import { createPlacing } from "./placing.ts";
import { createBegun, createReserve } from "./reserve.ts";
import { createRoom } from "./room.ts";
import { type UploadRow, uploadsTable } from "./uploads-table.ts";

interface TransfersNeeds {
  readonly db: Database;
  readonly clock: Clock;
  readonly stores: Stores;
  readonly settings: Settings;
  readonly changes: Changes;
}

/**
 * Uploads. Each is pending from the moment that it reserves a fresh key and its bytes, ready once the storage has what was
 * promised, and removing from the moment that nobody wants it any more. One thing at a time ends an upload.
 */
export function createTransfers({ db, clock, stores, settings, changes }: TransfersNeeds) {
  const table = uploadsTable(db, clock);
  const deliveries = createDeliveries();
  const room = createRoom({ table, settings, changes });
  const keys = createHeldKeys({ table, deliveries });
  const begun = createBegun(table);
  const deliver = createDeliver({ table, clock, stores, deliveries, room, changes, keys });

  /** 404 upload.missing. */
  const find = async (id: string): Promise<UploadRow> => {
    const row = await table.find(id);
    if (!row || row.state === "removing") throw new Failure("upload.missing");
    return row;
  };

  /**
   * Ends an upload by what its storage has, which `assemble` may have to make first; what is not whole stays pending. May be
   * asked again, also after a crash. 409 upload.incomplete; 507 storage.full when nobody said its size and others took the room;
   * 400 upload.length for what is larger than was reserved, of which nothing remains.
   */
  const finish = (id: string, make: Assemble): Promise<ObjectHead> =>
    deliveries.alone(id, async () => {
      const row = await find(id);
      const storage = await stores.get(row.storage);
      const { store } = storage;
      if (row.state === "pending") await make(row, store);
      const head = await store.head(row.key);
      if (row.state === "ready" && head) return head;
      if (head && row.size !== null && head.size > row.size) {
        await table.release(id);
        await store.remove([row.key]);
        throw new Failure("upload.length");
      }
      if (!head || (row.size !== null && row.size !== head.size))
        throw new Failure("upload.incomplete", { arrived: head?.size ?? 0, size: row.size ?? "?" });
      if (row.size === null) await removeTooLarge(store, row.key, head.size);
      if (await room.inTurn(storage, () => table.ready(row, head.size, room.quota(storage)))) {
        // Nothing is left of the parts unless a crash came between.
        if (row.multipart) await store.abortMultipart({ key: row.key, upload: row.multipart });
        await changes.tell({ kind: "written", at: row, file: head, record: id });
        return head;
      }
      // Somebody may have given it up meanwhile.
      await find(id);
      await store.remove([row.key]);
      throw await room.full(storage, head.size);
    });

  /** Of an upload whose size nobody had said. 413 file.tooLarge. */
  const removeTooLarge = async (store: ObjectStore, key: string, size: number): Promise<void> => {
    const refusal = room.tooLarge(size);
    if (!refusal) return;
    await store.remove([key]);
    throw refusal;
  };

  /** Removes an upload with its object, when `release` says that it is to go. */
  const clear = (id: string, release: () => Promise<boolean>): Promise<void> =>
    deliveries.alone(id, async () => {
      const row = (await release()) ? await table.find(id) : undefined;
      if (!row) return;
      const storage = await stores.get(row.storage);
      const { store } = storage;
      await forgetParts(row, store);
      // What somebody writes to the key in this moment is not its object.
      if (row.overwrites === 1 || keys.isWritten(storage, row.key)) return void (await table.remove(id));
      await store.remove([row.key]);
      await changes.tell({ kind: "removed", at: row });
      // Whoever holds an address of a storage elsewhere may still write the object: the sweeper comes back for it.
      if (row.addressed_until <= clock()) await table.remove(id);
    });

  /** Presigned addresses for PUT. */
  const addresses = async (row: UploadRow, { origin, relayed }: Way, wanted: readonly Put[]): Promise<string[]> => {
    const { config, store } = await stores.get(row.storage);
    const expires = Math.min(config.signature_expires_in, LONGEST_PUT);
    const request = { method: "PUT", key: row.key, expires, origin, ticket: row.id } as const;
    // What has ended gets addresses that this server refuses: those of a storage elsewhere would still write.
    if (relayed || isBuiltIn(config) || row.state !== "pending")
      return wanted.map((put) => stores.presign.sign(config.id, { ...request, ...put }));
    await table.addressed(row.id, clock(), expires * 1000);
    return wanted.map((put) => store.presign({ ...request, ...put }));
  };

  return {
    /** The storage of this id, or the default one. 404 storage.missing. */
    storage: stores.get,

    /** Every storage with the bytes that it holds and still takes (null when nobody knows), the default one first. */
    async storages() {
      const configs = await stores.configs.list();
      return await Promise.all(
        configs.map(async (config) => {
          const [used, free] = [await room.used(config.id), await room.free(stores.of(config))];
          return { config, used, free };
        }),
      );
    },

    /** Who signs the built-in store's addresses, and for which storage they are. */
    internal: { secretOf: stores.presign.secretOf, storageOf: stores.presign.storageOf },

    /** Begins an upload. 409 path.conflict, 413 file.tooLarge, 507 storage.full. */
    begin: createReserve({ table, clock, room, keys, begun }),

    /** Uploads that take the place of what is at a key. */
    over: createOver({ table, clock, stores, deliveries, room, changes, keys, begun }),

    /** Keeps a body aside until it is known where it goes. 413 file.tooLarge, 507 storage.full. */
    spool: (body: Incoming): Promise<Spooled> => stores.spool(body, room.largest()),

    /** What passes through this server to a key that nobody has reserved. */
    placing: createPlacing({ room, changes, keys }),

    /** Where the whole file is put: at its storage, or relayed through this server. */
    async putUrl(row: UploadRow, way: Way): Promise<string> {
      const [url = ""] = await addresses(row, way, [{ type: row.content_type, length: row.size ?? undefined }]);
      return url;
    },

    /** Where each of these parts is put. */
    partUrls: (row: UploadRow, numbers: readonly number[], way: Way): Promise<string[]> =>
      addresses(
        row,
        way,
        numbers.map((number) => ({
          part: { upload: row.multipart ?? "", number },
          length: partLength(row.size ?? 0, row.part_size ?? 0, number),
        })),
      ),

    /**
     * Where a storage hands out an object itself, for as long as its addresses hold; undefined for the built-in one, which
     * only this server reads.
     */
    async directUrl({ storage, key }: Place, answer: Answered): Promise<string | undefined> {
      const { config, store } = await stores.get(storage);
      if (isBuiltIn(config)) return undefined;
      const { signature_expires_in, custom_host: host } = config;
      if (answer.open && host !== null)
        return `${host}${config.path_style ? `/${config.bucket_name}` : ""}/${encodeKey(key)}`;
      const expires = Math.max(1, Math.floor(Math.min(signature_expires_in, answer.seconds)));
      return store.presign({ method: "GET", key, expires, origin: "", answer });
    },

    /** Takes a body that an address of the built-in store let in. */
    deliver: deliver.addressed,

    /** Takes the body of an upload that passes through the server. */
    write: deliver.whole,

    /** What is known of an object, for whoever may read it; undefined when it is not there. */
    async look({ storage, key }: Place): Promise<ObjectHead | undefined> {
      return await (await stores.get(storage)).store.head(key);
    },

    /** An object or a range of it; with `found`, undefined when it has changed since. */
    async read({ storage, key }: Place, range?: ByteRange, found?: ObjectHead): Promise<StoredObject | undefined> {
      return await (await stores.get(storage)).store.get(key, range, found);
    },

    find,

    /** The parts that have arrived. 404 upload.missing, 409 upload.finished. */
    async parts(row: UploadRow): Promise<StoredPart[]> {
      if (row.state !== "pending") throw new Failure("upload.finished");
      if (!row.multipart) throw new Failure("upload.missing");
      return await (await stores.get(row.storage)).store.listParts({ key: row.key, upload: row.multipart });
    },

    /** Ends an upload of one piece. */
    finish: (id: string): Promise<ObjectHead> => finish(id, inOnePiece),

    /** Ends an upload in parts. 400 upload.parts, 409 upload.incomplete. */
    finishParts: (id: string, claimed: readonly ClaimedPart[]): Promise<ObjectHead> =>
      finish(id, (row, store) => assemble(row, store, claimed)),

    /** Gives an upload up, whether its end was noted before or not. */
    drop: (id: string): Promise<void> => clear(id, () => table.release(id)),

    /** Whether something is arriving for an upload. */
    isArriving: deliveries.has,

    /** Clears away what was given up and what nothing has arrived for since an instant, but in silent storages; answers how many. */
    sweep: (before: number, silent: Set<string>): Promise<number> =>
      clearEach(
        async (limit, without) =>
          (await table.leftovers({ before, now: clock(), without }, limit)).filter(({ id }) => !deliveries.has(id)),
        ({ id }) => clear(id, () => table.releaseLeftover(id, { before, now: clock() })),
        silent,
      ),
  };
}

export type Transfers = ReturnType<typeof createTransfers>;

/** Where an object lies. */
export interface Place {
  readonly storage: string;
  readonly key: string;
}

/** Seconds that an address of a storage elsewhere takes an upload: it still writes when the upload has ended. */
const LONGEST_PUT = 3600;

/** How the bytes of an upload come. */
export interface Way {
  /** Where this server is reached, scheme and host. */
  readonly origin: string;
  /** Whether they pass through this server although their storage is elsewhere, because the sender cannot reach it. */
  readonly relayed?: boolean | undefined;
}

/** What one address lets somebody put. */
type Put = Pick<PresignRequest, "type" | "length" | "part">;

/** How a storage is to answer with an object. */
export interface Answered {
  readonly disposition: string;
  readonly type: string;
  /** Whether anybody may have it for ever, so that the storage's public host will do. */
  readonly open: boolean;
  /** How long an address may hold at most. */
  readonly seconds: number;
}

type Assemble = (row: UploadRow, store: ObjectStore) => Promise<void>;

/** What comes in one piece is there already. */
const inOnePiece: Assemble = async ({ multipart }) => {
  if (multipart) throw new Failure("upload.missing");
};
