/** Keeps apart uploads, which reserve a key and bytes before they write, and everything else that writes to a storage now. */
import { Failure } from "#contract/failures";
import { MAX_OPEN_UPLOADS, MAX_OPEN_UPLOADS_OF_ADDRESS } from "#contract/limits";
import { isTooDeep, nameWith } from "#contract/paths";
import type { Bearer } from "../access/callers.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { Clock } from "../lib/clock.ts";
import { type ChecksumPlan, planText } from "../lib/digests/part-checksums.ts";
import type { KeptHeaders } from "../lib/kept-headers.ts";
import { randomToken } from "../lib/secret.ts";
import { isBelowFile, keysAbove, type ObjectHead, type ObjectStore } from "../stores/store.ts";
import type { Storage } from "../stores/stores.ts";
import type { InFlight } from "./in-flight.ts";
import { forgetParts, versionOf } from "./parts.ts";
import type { Quota } from "./quota.ts";
import type { UploadRow, UploadsTable } from "./uploads-table.ts";

interface AnyRequest {
  readonly storage: Storage;
  readonly type: string;
  /** Bytes; undefined if unknown. */
  readonly size: number | undefined;
  /** Bytes of every part but the last, for an upload in parts; 0 when each part says its own. */
  readonly partSize?: number | undefined;
  readonly headers?: KeptHeaders | undefined;
  /** The checksum that an object in parts is to have. */
  readonly checksum?: ChecksumPlan | undefined;
  /** Tags of a file that replaces, in the form of the header `x-amz-tagging`. */
  readonly tags?: string | undefined;
  readonly resumable?: Resumable | undefined;
  readonly by: Bearer;
}

/** What is said of an upload to which requests append. */
export interface Resumable {
  /** Bytes of each part but the last. */
  readonly partSize: number;
  /** As the header Upload-Metadata has it. */
  readonly metadata: string | undefined;
}

/** A file that gets a key of its own: its name, with a suffix when something has that name. */
interface FreshRequest extends AnyRequest {
  readonly policy: "fresh";
  /** Empty or ending in a slash. */
  readonly folder: string;
  readonly filename: string;
}

/** A file that replaces the one at its key. */
export interface ReplaceRequest extends AnyRequest {
  readonly policy: "replace";
  readonly key: string;
  /** The file at the key, whose bytes count as free. */
  readonly found: ObjectHead | undefined;
}

export type UploadRequest = FreshRequest | ReplaceRequest;

interface ReservationsDependencies {
  readonly table: UploadsTable;
  readonly clock: Clock;
  readonly inFlight: InFlight;
  readonly quota: Quota;
  /** They announce the keys that are being written, here and on other servers. */
  readonly leases: Pick<Cluster["leases"], "announce" | "isAnnounced">;
}

/** Leaves a task to the end. */
export type Leave = (task: () => Promise<void>) => void;

const KEY_TRIES = 5;
/** Records that are removed in one go. */
const SLICE = 50;

/** Each side announces its intent before it checks for one of the other. */
export function createReservations({ table, clock, inFlight, quota, leases }: ReservationsDependencies) {
  const isWritten = (storage: Storage, key: string): Promise<boolean> =>
    leases.isAnnounced(namesCovering(storage, key));

  /** Removes the record of a deleted share: the next object at its key is not its own. */
  const letGo = (row: UploadRow, store: ObjectStore): Promise<void> =>
    inFlight.exclusively(row.id, async () => {
      await forgetParts(row, store);
      if (!(await table.removeReleased(row.id)) && (await table.find(row.id))) throw new Failure("path.reserved");
    });

  /** Refuses a key, or a folder with everything below it, that a fresh upload has reserved. 409 path.reserved. */
  const requireFree = async ({ config, store }: Storage, key: string): Promise<void> => {
    for (;;) {
      const reserved = await table.reserved({ storage: config.id, key }, SLICE);
      if (reserved.length === 0) return;
      if (reserved.some(({ state }) => state !== "removing")) throw new Failure("path.reserved");
      for (const row of reserved) await letGo(row, store);
    }
  };

  /** Reports whether the key and the bytes were free. 429 upload.tooMany, 507 storage.reserved. */
  const insert = ({ storage, size = 0, by }: UploadRequest, row: UploadRow, replaces = 0): Promise<boolean> =>
    quota.inOwnTurn(storage, by.owner, async () => {
      await quota.requireShare(storage, size, by);
      await requireFew(row, table);
      return await table.insert(row, await quota.bounds(storage, by.owner, replaces));
    });

  const reserveFresh = async (request: FreshRequest): Promise<UploadRow> => {
    const { storage, folder, filename, size = 0, by } = request;
    await quota.check(storage, size, { owner: by.owner });
    await requireFolder(storage, folder, table);
    for (let attempt = 0; attempt < KEY_TRIES; attempt++) {
      const key = folder + objectName(filename, attempt);
      if (await isTaken(storage, key)) continue;
      const row = newUpload(request, key, clock());
      const reserved = await insert(request, row);
      if (reserved && !(await isWritten(storage, key)) && !(await isStored(storage, key))) return row;
      // A writer began before the record was there and did not see it; it may have ended since.
      if (reserved) await table.remove(row.id);
      else await quota.requireSpace(storage, size, by);
    }
    throw new Failure("server.busy");
  };

  /** Reports whether a file, a folder or an upload has the key or a key below it, or somebody writes there. Asks everybody at once. */
  const isTaken = async (storage: Storage, key: string): Promise<boolean> => {
    const below = table.hasBelow(storage.config.id, key);
    return (await Promise.all([isWritten(storage, key), below, isStored(storage, key)])).includes(true);
  };

  const reserveReplacing = async (request: ReplaceRequest): Promise<UploadRow> => {
    const { storage, key, size = 0, found, by } = request;
    await quota.visitors.requireSize(request);
    const replaces = found?.size ?? 0;
    await requireFree(storage, key);
    await quota.check(storage, size, { replaced: replaces, owner: by.owner });
    const row = { ...newUpload(request, key, clock()), found: found ? versionOf(found) : null };
    if (!(await insert(request, row, replaces))) {
      await requireFree(storage, key);
      throw await quota.refusal(storage, size, by);
    }
    return row;
  };

  return {
    /** Records an upload with its key and its declared bytes. 409 path.conflict, path.reserved; 411 visitors.size; 413 file.tooLarge, visitors.files; 429 upload.tooMany; 507 storage.full, storage.reserved. */
    reserve: (request: UploadRequest): Promise<UploadRow> =>
      request.policy === "fresh" ? reserveFresh(request) : reserveReplacing(request),

    /**
     * Runs what writes to a key, or to a folder, while no fresh upload can reserve it. What `write` leaves to the end is done along with
     * the end of that, so that nobody waits for the one behind the other. 409 path.reserved.
     */
    async writing<Result>(storage: Storage, key: string, write: (leave: Leave) => Promise<Result>): Promise<Result> {
      const writer = await leases.announce(nameOf(storage, key));
      const left = [writer.release];
      try {
        await requireFree(storage, key);
        return await write((task) => void left.push(task));
      } finally {
        await Promise.all(left.map((task) => task()));
      }
    },

    /** Reports whether a key is being written. */
    isWritten,
  };
}

export type Reservations = ReturnType<typeof createReservations>;

/** Refuses one more upload in parts of an owner who has begun so many, or of a visitor whose network has. 429 upload.tooMany. */
async function requireFew(row: UploadRow, table: UploadsTable): Promise<void> {
  if (row.part_size === null) return;
  const { open, near } = await table.openInParts(row, MAX_OPEN_UPLOADS);
  if (near >= MAX_OPEN_UPLOADS_OF_ADDRESS)
    throw new Failure("upload.tooMany", { limit: MAX_OPEN_UPLOADS_OF_ADDRESS, bound: "address" });
  if (open >= MAX_OPEN_UPLOADS) throw new Failure("upload.tooMany", { limit: MAX_OPEN_UPLOADS });
}

/** Refuses a folder that is too deep, below a file, or below a key that an upload has. 400 path.tooDeep, 409 path.conflict. */
async function requireFolder({ config, store }: Storage, folder: string, table: UploadsTable): Promise<void> {
  const file = `${folder}file`;
  if (isTooDeep(file)) throw new Failure("path.tooDeep");
  if ((await isBelowFile(store, file)) || (await table.hasAny(config.id, keysAbove(file))))
    throw new Failure("path.conflict");
}

const isStored = async ({ store }: Storage, key: string): Promise<boolean> =>
  (await store.head(key)) !== undefined || (await store.head(`${key}/`)) !== undefined;

/** The record of an upload to a key that begins now. */
export const newUpload = (
  { storage, policy, type, size, partSize, checksum, tags, resumable, by }: UploadRequest,
  key: string,
  now: number,
): UploadRow => ({
  id: Bun.randomUUIDv7(),
  storage: storage.config.id,
  key,
  content_type: type,
  size: size ?? (partSize === 0 ? 0 : null),
  state: "pending",
  multipart: null,
  part_size: partSize ?? null,
  created_by: by.owner,
  credential: by.credential,
  created_at: now,
  touched_at: now,
  addressed_until: 0,
  overwrites: policy === "replace" ? 1 : 0,
  found: null,
  arrived: 0,
  claimed: null,
  checksum: checksum ? planText(checksum) : null,
  tags: tags || null,
  network: by.network ?? null,
  append_size: resumable?.partSize ?? null,
  total_size: null,
  tail_part: null,
  tail_size: null,
  metadata: resumable?.metadata || null,
});

/** Several storages can be one bucket. */
const nameOf = ({ config }: Storage, key: string): string =>
  `writing ${config.endpoint_url} ${config.bucket_name} ${key}`;

/** The name of a key, and of every folder that it lies in: one that ends in a slash covers everything below it. */
function namesCovering(storage: Storage, key: string): string[] {
  const slashes = [...key.matchAll(/\//g)].map(({ index }) => key.slice(0, index + 1));
  return [...new Set([nameOf(storage, key), ...slashes.map((folder) => nameOf(storage, folder))])];
}

const SUFFIX_CHARACTERS = 6;

/** Returns a name that every system takes as a file name; each further attempt has another random suffix before its ending. */
export function objectName(filename: string, attempt: number): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is replaced.
  const name = filename.toWellFormed().replace(/[\u0000-\u001f\u007f<>:"|?*\\/]/g, "_");
  return nameWith(name, attempt === 0 ? "" : `-${randomLetters()}`);
}

const randomLetters = (): string => randomToken(12).replace(/[-_]/g, "").slice(0, SUFFIX_CHARACTERS).padEnd(6, "0");
