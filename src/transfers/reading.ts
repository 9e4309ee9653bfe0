import { Failure } from "#contract/failures";
import type { ByteRange } from "../lib/conditional.ts";
import type { ObjectHead, Place, StoredObject, StoredPart } from "../stores/store.ts";
import type { Stores } from "../stores/stores.ts";
import { digestOf } from "./at-key.ts";
import { arrivedParts } from "./parts.ts";
import type { UploadRow } from "./uploads-table.ts";

/** Reads objects and the parts of uploads, without a check of rights. */
export const createReading = (stores: Pick<Stores, "get">) => ({
  /** The attributes of an object; undefined if it is missing. */
  async look({ storage, key }: Place): Promise<ObjectHead | undefined> {
    return await (await stores.get(storage)).store.head(key);
  },

  /** The SHA-256 of this version of an object, which is read for it; undefined when that is not there. Throws what the signal says. */
  async sha256Of({ storage, key }: Place, etag: string, signal: AbortSignal): Promise<string | undefined> {
    const { store } = await stores.get(storage);
    const head = await store.head(key);
    return head?.etag === etag ? await digestOf({ store, head }, signal) : undefined;
  },

  /** An object or a range of it; with `found`, undefined when it has changed since. */
  async read({ storage, key }: Place, range?: ByteRange, found?: ObjectHead): Promise<StoredObject | undefined> {
    return await (await stores.get(storage)).store.get(key, range, found);
  },

  /** The parts that have arrived, also when the file is made of them already. 404 upload.missing, 409 upload.finished. */
  async parts(row: UploadRow): Promise<StoredPart[]> {
    if (row.state !== "pending") throw new Failure("upload.finished");
    return await arrivedParts(row, (await stores.get(row.storage)).store);
  },
});
