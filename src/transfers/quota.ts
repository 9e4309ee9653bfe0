/** The bytes that an upload can take: the largest file of all, and what each storage has left of its quota and its disk. */
import { Failure, type FailureDetails } from "#contract/failures";
import { sizeText } from "#contract/limits";
import { type Bearer, VISITOR } from "../access/callers.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { Settings } from "../settings/settings.ts";
import type { Incoming, PutOptions } from "../stores/store.ts";
import type { Storage } from "../stores/stores.ts";
import type { Changes } from "./changes.ts";
import type { UploadRow, UploadsTable } from "./uploads-table.ts";

const MiB = 1024 * 1024;
/** Bytes that a body of unknown size reserves ahead, and at most this share of the free bytes. */
const AHEAD = 16 * MiB;
const SHARE = 1 / 16;
/** How much of the bytes that are free without them unfinished uploads may have reserved, unless one alone needs more. */
const PROMISED_SHARE = 1 / 2;

interface QuotaDependencies {
  readonly table: UploadsTable;
  readonly settings: Settings;
  readonly changes: Changes;
  readonly cluster: Pick<Cluster, "turns" | "leases">;
}

/** A body to write. */
interface Unwritten {
  /** Of unknown size: its chunks are for the store alone, which gives back their memory once it has written them. */
  readonly body: Incoming;
  /** Bytes; undefined if unknown. */
  readonly length: number | undefined;
  /** Bytes of the replaced file, which count as free. */
  readonly replaces: number;
}

/** Writes a body within its bounds. */
export type Write<Result> = (
  body: Incoming,
  bounds: Pick<PutOptions, "length" | "limit" | "disposable">,
) => Promise<Result>;

export function createQuota({ table, settings, changes, cluster: { turns, leases } }: QuotaDependencies) {
  const lock = turns("quota");
  /** Under this, bytes that are being written now and that no record reserves. */
  const heldAt = (storage: string) => `bytes of ${storage}`;
  const largest = () => Math.floor(settings.get("max_upload_size") * MiB);

  /** Runs a task that reads the free bytes and reserves some, so that no other task reserves them in between. */
  const inTurn = <Result>({ config }: Storage, take: () => Promise<Result>): Promise<Result> =>
    config.total_storage_bytes === null ? take() : lock(config.id, take);

  /** Bytes that records of a storage can reserve and hold; null without a quota. */
  const limit = async (
    { config: { id, total_storage_bytes: total } }: Storage,
    replaced = 0,
  ): Promise<number | null> => (total === null ? null : total - (await leases.amount(heldAt(id))) + replaced);

  /** Bytes that a storage holds or has reserved, including those just written. */
  const used = async (storage: string): Promise<number> => {
    await changes.settled();
    return await table.used(storage);
  };

  /** Bytes that a storage still takes, and whether its quota is what bounds them. */
  const room = async (storage: Storage) => {
    const { config, store } = storage;
    const most = await limit(storage);
    const unused = most === null ? Number.POSITIVE_INFINITY : most - (await used(config.id));
    const free = (await store.free()) ?? Number.POSITIVE_INFINITY;
    return { bytes: Math.max(0, Math.min(unused, free)), byQuota: unused <= free };
  };

  const left = async (storage: Storage): Promise<number> => (await room(storage)).bytes;

  /** Reports whether so many bytes more would be beyond the quota, of a file that may be empty too. */
  const isOver = async (storage: Storage, size: number): Promise<boolean> => {
    const most = await limit(storage);
    return most !== null && (await used(storage.config.id)) + size > most;
  };

  const full = async (storage: Storage, size: string) => {
    const total = storage.config.total_storage_bytes;
    const { bytes, byQuota } = await room(storage);
    const bound: FailureDetails =
      byQuota && total !== null ? { bound: "capacity", limit: sizeText(total) } : { bound: "disk" };
    return new Failure("storage.full", { size, free: sizeText(bytes), ...bound });
  };

  const tooLarge = (size: number): Failure | undefined =>
    size > largest() ? new Failure("file.tooLarge", { limit: sizeText(largest()) }) : undefined;

  const check = async (storage: Storage, size: number, replaced = 0): Promise<void> => {
    const refusal = tooLarge(size);
    if (refusal) throw refusal;
    if (size > (await left(storage)) + replaced) throw await full(storage, sizeText(size));
  };

  /** Keeps bytes until the function that it returns is called; without a quota nothing has to be. */
  const hold = async ({ config }: Storage, bytes: number): Promise<() => Promise<void>> =>
    config.total_storage_bytes === null
      ? async () => undefined
      : (await leases.announce(heldAt(config.id), bytes)).release;

  /** Runs a task that writes so many bytes, reserved for it. 413 file.tooLarge, 507 storage.full. */
  const within = async <Result>(storage: Storage, bytes: number, replaced: number, write: () => Promise<Result>) => {
    const release = await inTurn(storage, async () => {
      await check(storage, bytes, replaced);
      return await hold(storage, Math.max(0, bytes - replaced));
    });
    try {
      return await write();
    } finally {
      await release();
    }
  };

  /** Writes a body of unknown size, which takes the bytes that it needs as they come. */
  const growing = async <Result>(storage: Storage, { body, replaces }: Unwritten, write: Write<Result>) => {
    const releases: (() => Promise<void>)[] = [];
    let [kept, size] = [replaces, 0];
    const more = () =>
      inTurn(storage, async () => {
        const [wanted, free] = [size - kept, await left(storage)];
        if (wanted > free) throw await full(storage, `> ${sizeText(size)}`);
        const bytes = Math.floor(Math.max(wanted, Math.min(AHEAD, free * SHARE)));
        releases.push(await hold(storage, bytes));
        kept += bytes;
      });
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      async transform(chunk, controller) {
        size += chunk.byteLength;
        if (size > kept) await more();
        controller.enqueue(chunk);
      },
    });
    try {
      return await write(new Response(body.body?.pipeThrough(counted) ?? null), {
        limit: largest(),
        disposable: true,
      });
    } finally {
      for (const release of releases) await release();
    }
  };

  /** Writes a body of unknown size where nothing but the disk sets a limit. */
  const limited = async <Result>(storage: Storage, { body, replaces }: Unwritten, write: Write<Result>) => {
    const most = Math.min(largest(), (await left(storage)) + replaces);
    try {
      return await write(body, { limit: most, disposable: true });
    } catch (error) {
      const beyond = error instanceof Failure && error.code === "file.tooLarge" && most < largest();
      throw beyond ? await full(storage, `> ${sizeText(most)}`) : error;
    }
  };

  return {
    /** Reserves the bytes of a part of an open-ended upload while they come, and for as long as they stay. 413 file.tooLarge, 507 storage.full. */
    async part<Result>(row: UploadRow, storage: Storage, bytes: number, take: () => Promise<Result>): Promise<Result> {
      const grown = await inTurn(storage, () => limit(storage).then((most) => table.grow(row, bytes, most)));
      if (!grown)
        throw (await isOver(storage, bytes)) ? await full(storage, sizeText(bytes)) : new Failure("upload.missing");
      try {
        const refusal = tooLarge(grown.size);
        if (refusal) throw refusal;
        return await take();
      } catch (error) {
        await table.grow(row, -bytes, null);
        throw error;
      }
    },

    used,
    inTurn,
    limit,
    check,
    isOver,
    within,

    /** Returns the free bytes of a storage; null if unknown. */
    async free(storage: Storage): Promise<number | null> {
      const bytes = await left(storage);
      return Number.isFinite(bytes) ? bytes : null;
    },

    /** Bytes that any file may have. */
    largest,

    /** The refusal of a file beyond the largest size: 413 file.tooLarge. */
    tooLarge,

    /**
     * Refuses an upload of a visitor that would leave others little room, because visitors have reserved much for files that do not
     * come. One alone may have all that is free. 507 storage.reserved.
     */
    async requireShare(storage: Storage, size: number, by: Bearer): Promise<void> {
      const { id, total_storage_bytes: total } = storage.config;
      if (total === null || size === 0 || by.credential !== VISITOR) return;
      const promised = await table.promised(id);
      const most = Math.floor((promised + (await left(storage))) * PROMISED_SHARE);
      if (promised > 0 && promised + size > most)
        throw new Failure("storage.reserved", { reserved: sizeText(promised), most: sizeText(most) });
    },

    full: (storage: Storage, size: number) => full(storage, sizeText(size)),

    /** As `within`, for a body whose size may be unknown. */
    async write<Result>(storage: Storage, unwritten: Unwritten, write: Write<Result>): Promise<Result> {
      const { body, length, replaces } = unwritten;
      if (length !== undefined) return await within(storage, length, replaces, () => write(body, { length }));
      return await (storage.config.total_storage_bytes === null ? limited : growing)(storage, unwritten, write);
    },
  };
}

export type Quota = ReturnType<typeof createQuota>;
