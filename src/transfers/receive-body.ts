import { Failure, type FailureCode } from "#contract/failures";
import type { Clock } from "../lib/clock.ts";
import type { Digesting } from "../lib/digests/digests.ts";
import type { KeptHeaders } from "../lib/kept-headers.ts";
import type {
  BegunFile,
  FindPlace,
  Incoming,
  ObjectHead,
  Place,
  Recheck,
  StoredPart,
  TakeTurn,
} from "../stores/store.ts";
import type { Storage, Stores } from "../stores/stores.ts";
import type { Changes } from "./changes.ts";
import type { Growing } from "./growing.ts";
import type { InFlight } from "./in-flight.ts";
import type { Intents } from "./intents.ts";
import { checkPart, isOpenEnded, type PartName } from "./parts.ts";
import type { Quota } from "./quota.ts";
import { newUpload, type ReplaceRequest, type Reservations } from "./reservations.ts";
import type { Write } from "./unknown-length-writes.ts";
import type { UploadRow, UploadsTable } from "./uploads-table.ts";
import { viaWaiting, waitingKey } from "./waiting.ts";

/** A body for a whole upload or for one part of it. */
export interface Received {
  readonly body: Incoming;
  /** Bytes that the sender announces; undefined when it announces none. */
  readonly length: number | undefined;
  readonly part?: PartName | undefined;
  /** Checked before the object becomes visible; the built-in store takes an MD5 for the ETag. */
  readonly digesting?: Digesting | undefined;
  /** Whether nobody may read it before it is an object. */
  readonly isHidden?: boolean | undefined;
}

/** A body that is written at once. */
interface Put {
  readonly body: Incoming;
  readonly signal?: AbortSignal | undefined;
  readonly beforeCommit: Recheck;
  readonly turn?: TakeTurn | undefined;
  readonly findPlace?: FindPlace | undefined;
  /** Whether a body of known length is sent in parts too. */
  readonly inParts?: boolean | undefined;
  readonly headers?: KeptHeaders | undefined;
  readonly digesting?: Digesting | undefined;
  readonly begun?: ((file: BegunFile) => void) | undefined;
}

interface Unreserved {
  /** Bytes of a body of unknown length; undefined where nothing of its owner's limits it. */
  readonly most?: number | undefined;
  readonly length: number | undefined;
  /** Bytes of the file that is replaced. */
  readonly replaces: () => Promise<number>;
}

export interface ReceiveBodyDependencies {
  readonly table: UploadsTable;
  readonly clock: Clock;
  readonly stores: Stores;
  readonly inFlight: InFlight;
  readonly growing: Growing;
  readonly quota: Quota;
  readonly changes: Changes;
  readonly intents: Pick<Intents, "write" | "stage">;
  readonly reservations: Reservations;
  /** Told of a file that the server or its storage could not take. */
  readonly failed?: ((upload: FailedUpload) => void) | undefined;
}

/** A file that was not stored, and why. */
interface FailedUpload {
  readonly storage: string;
  readonly key: string;
  readonly reason: FailureCode;
}

/** Takes the bodies of uploads and of their parts. */
export function createReceiveBody(dependencies: ReceiveBodyDependencies) {
  const { table, clock, stores, inFlight, growing, quota, changes, failed } = dependencies;
  const write = createWrite(dependencies);

  /** Tells of what is no fault of the sender, who learns of it too. */
  const watched = async <Result>({ storage, key }: Place, take: () => Promise<Result>): Promise<Result> => {
    try {
      return await take();
    } catch (error) {
      if (error instanceof Failure && error.status >= 500) failed?.({ storage, key, reason: error.code });
      throw error;
    }
  };

  /** Throws when the owner of an upload may not finish it any more. 401, 403, 423 path.locked. */
  const admit = (row: UploadRow): Promise<void> =>
    changes.admit({ at: row, by: { owner: row.created_by, credential: row.credential }, shared: row.overwrites === 0 });

  /** Records before and after a body that something arrives, so that cleanup leaves the upload alone. 409 upload.finished. */
  const arriving = <Result>(
    { id, overwrites }: UploadRow,
    part: number | symbol,
    take: (signal: AbortSignal) => Promise<Result>,
  ) =>
    inFlight.latest(id, part, async (signal) => {
      if (!(await table.touch(id, clock()))) throw new Failure("upload.finished");
      const taken = await take(signal);
      // What becomes visible later was touched right before its file was put in place (`beforeCommit`).
      if (part !== 0) await table.touch(id, clock());
      else if (overwrites === 1) await table.arrived(id, clock());
      return taken;
    });

  const receive = async (
    row: UploadRow,
    { body, length, part, digesting, isHidden = false }: Received,
  ): Promise<ObjectHead | StoredPart> => {
    const storage = await stores.get(row.storage);
    const { store } = storage;
    if (row.multipart || part) {
      const { name, number, length: expected } = checkPart(row, part, length);
      const take = async (signal: AbortSignal) => {
        const stored = await store.putPart(name, number, body, { length: expected, signal, digesting });
        growing.notify(row.id);
        return stored;
      };
      if (!isOpenEnded(row)) return await arriving(row, number, take);
      // Of two bodies for one part the one counts that ends last, which is what S3 does; until the upload ends both are reserved.
      return await arriving(row, Symbol("part"), (signal) => quota.part(row, storage, expected, () => take(signal)));
    }
    if (row.size !== null && length !== undefined && length !== row.size) throw new Failure("upload.length");
    const replaces = async () => (row.overwrites === 1 ? ((await store.head(row.key))?.size ?? 0) : 0);
    const beforeCommit = async () => {
      // Another server may have finished it meanwhile.
      const [isPending] = await Promise.all([table.touch(row.id, clock()), admit(row)]);
      if (!isPending) throw new Failure("upload.finished");
    };
    const given = { body, length, digesting, replaces, beforeCommit };
    return await arriving(row, 0, (signal) =>
      growing.written(row.id, isHidden, (begun) => write(row, storage, { ...given, signal, begun })),
    );
  };

  return {
    admit,

    /**
     * Takes the body of an upload, or of one part of it. A later body for the same place stops an earlier one. 400 upload.length,
     * upload.parts; 404 upload.missing for parts of another upload; 409 upload.finished, path.reserved; 413, 507; 401, 403 and 423
     * when the owner may not write there any more.
     */
    receive: (row: UploadRow, received: Received): Promise<ObjectHead | StoredPart> =>
      watched(row, () => receive(row, received)),

    /**
     * Begins, receives and finishes an upload in one call. It is never recorded, because no other caller can name it,
     * so it costs no statement: a crash leaves the old file at the key. 400 upload.length, 409 path.reserved, 413
     * file.tooLarge, visitors.files, 507 storage.full.
     */
    put: ({ size, ...request }: ReplaceRequest, body: Put): Promise<ObjectHead> => {
      const { storage, key, found, headers } = request;
      const row = newUpload({ ...request, size: undefined }, key, clock());
      const given = { ...body, headers, length: size, replaces: async () => found?.size ?? 0 };
      const written = { owner: row.created_by, storage: row.storage, size };
      return watched(row, () => quota.visitors.writing(written, (most) => write(row, storage, { ...given, most })));
    },
  };
}

/**
 * Returns the function that writes a whole body to the store, within the bytes that the upload has reserved or else
 * within the quota. A file that replaces another is visible from then on, so followers are notified here; a fresh one
 * becomes visible when its upload is finished.
 */
function createWrite({ quota, intents, reservations }: ReceiveBodyDependencies) {
  return (row: UploadRow, storage: Storage, given: Put & Unreserved) => {
    const { body, length, replaces, most, ...how } = given;
    const { key, content_type: type, size, overwrites } = row;
    const put: Write<ObjectHead> = async (bytes, bounds) => {
      const at = { storage: row.storage, key };
      const limit = length === undefined && most !== undefined ? Math.min(most, bounds.limit ?? most) : bounds.limit;
      const { findPlace } = how;
      if (findPlace && waitingKey(storage, key) !== key)
        return await viaWaiting({ row, storage, intents }, findPlace, (waits) => {
          const atOnce = { turn: undefined, beforeCommit: undefined, findPlace: undefined };
          return storage.store.put(waits, bytes, { type, ...bounds, limit, ...how, ...atOnce });
        });
      const store = () => storage.store.put(key, bytes, { type, ...bounds, limit, ...how });
      // Cleanup removes a fresh one whose writing failed.
      if (overwrites === 0) return await store();
      return await intents.write(at, store, (file) => {
        const { key: to } = file;
        return { kind: "written", at: { ...at, key: to }, file, tags: row.tags ?? "" };
      });
    };
    const take = async () =>
      size === null
        ? await quota.write(storage, { body, length, replaces: await replaces(), owner: row.created_by }, put)
        : await put(body, { length: size });
    return overwrites === 1 ? reservations.writing(storage, key, take) : take();
  };
}
