/** Presigned addresses: where clients put and read files without this server, and the checks of those of the built-in store. */
import { Failure } from "#contract/failures";
import { MAX_UPLOAD_ADDRESS_SECONDS, partLength } from "#contract/limits";
import { isLocal } from "#contract/providers";
import type { Clock } from "../lib/clock.ts";
import { encodeKey } from "../lib/signatures/sigv4.ts";
import type { ObjectHead, Place, PresignRequest, StoredPart } from "../stores/store.ts";
import type { Stores } from "../stores/stores.ts";
import type { Received } from "./receive-body.ts";
import type { Uploads } from "./uploads.ts";
import type { UploadRow, UploadsTable } from "./uploads-table.ts";

/** How a body reaches its storage. */
export interface Route {
  /** Where this server is reached: scheme, host and base path. */
  readonly base: string;
  /** Whether it passes through this server although its storage is elsewhere, because the sender cannot reach that. */
  readonly relayed?: boolean | undefined;
}

/** The object that an address lets its holder put. */
type AddressedPut = Pick<PresignRequest, "length" | "part">;

/** How a storage answers with an object. */
interface Answered {
  readonly disposition: string;
  readonly type: string;
  /** Whether anybody can have it for ever, so that the storage's public host will do. */
  readonly open: boolean;
  /** How long an address holds at most. */
  readonly seconds: number;
}

/** A body sent to an address of the built-in store. */
interface Addressed extends Received, Place {
  /** The upload that the address was made for. */
  readonly ticket: string;
}

interface AddressesDependencies {
  readonly stores: Stores;
  readonly table: UploadsTable;
  readonly clock: Clock;
  readonly uploads: Pick<Uploads, "admit" | "receive">;
}

export function createAddresses({ stores, table, clock, uploads }: AddressesDependencies) {
  const putUrls = async (
    row: UploadRow,
    { base, relayed }: Route,
    puts: readonly AddressedPut[],
  ): Promise<string[]> => {
    const { config, store } = await stores.get(row.storage);
    const expires = Math.min(config.signature_expires_in, MAX_UPLOAD_ADDRESS_SECONDS);
    const request = { method: "PUT", key: row.key, expires, base, ticket: row.id } as const;
    // A finished upload gets addresses that this server refuses: those of a remote storage would still write.
    if (relayed || isLocal(config) || row.state !== "pending")
      return puts.map((put) => stores.presign.sign(config.id, { ...request, ...put }));
    await table.addressed(row.id, clock(), expires * 1000);
    return puts.map((put) => store.presign({ ...request, ...put }));
  };

  return {
    /** Where the whole file is put: at its storage, or relayed through this server. */
    async putUrl(row: UploadRow, route: Route): Promise<string> {
      const [url = ""] = await putUrls(row, route, [{ length: row.size ?? undefined }]);
      return url;
    },

    /** Where each of these parts is put. */
    partUrls: (row: UploadRow, numbers: readonly number[], route: Route): Promise<string[]> =>
      putUrls(
        row,
        route,
        numbers.map((number) => ({
          part: { upload: row.multipart ?? "", number },
          length: partLength(row.size ?? 0, row.part_size ?? 0, number),
        })),
      ),

    /**
     * Returns the address at which a storage serves an object itself, for as long as its addresses are valid;
     * undefined for the built-in one, which only this server reads.
     */
    async directUrl({ storage, key }: Place, answer: Answered): Promise<string | undefined> {
      const { config, store } = await stores.get(storage);
      if (isLocal(config)) return undefined;
      const { signature_expires_in, custom_host: host } = config;
      if (answer.open && host !== null)
        return `${host}${config.path_style ? `/${config.bucket_name}` : ""}/${encodeKey(key)}`;
      const expires = Math.max(1, Math.floor(Math.min(signature_expires_in, answer.seconds)));
      return store.presign({ method: "GET", key, expires, base: "", answer });
    },

    /**
     * Receives a body sent to an address of the built-in store. Checks whether its owner may still write before the
     * body is read, and again when all of it has arrived. 404 upload.missing, 409 upload.finished, and the failures of `receive`.
     */
    async deliver({ ticket, storage, key, ...received }: Addressed): Promise<ObjectHead | StoredPart> {
      const row = await table.find(ticket);
      if (row?.storage !== storage || row.key !== key) throw new Failure("upload.missing");
      if (row.state !== "pending") throw new Failure("upload.finished");
      await uploads.admit(row);
      return await uploads.receive(row, received);
    },
  };
}
