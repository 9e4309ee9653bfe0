/** The bytes that an upload can take: the largest file of all, and what each storage has left of its quota and its disk. */
import { Failure } from "#contract/failures";
import { sizeText } from "#contract/limits";
import type { Cluster } from "../cluster/cluster.ts";
import type { Incoming } from "../stores/store.ts";
import type { Storage } from "../stores/stores.ts";
import { type CapacityDependencies, createCapacity, heldAt } from "./capacity.ts";
import { createUnknownLengthWrites, type Write } from "./unknown-length-writes.ts";
import type { UploadRow } from "./uploads-table.ts";

interface QuotaDependencies extends CapacityDependencies {
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

export function createQuota(dependencies: QuotaDependencies) {
  const { table, cluster } = dependencies;
  const lock = cluster.turns("quota");
  const free = createCapacity(dependencies);
  const { limit, check, isOver, tooLarge } = free;

  /** Runs a task that reads the free bytes and reserves some, so that no other task reserves them in between. */
  const inTurn = <Result>({ config }: Storage, take: () => Promise<Result>): Promise<Result> =>
    config.total_storage_bytes === null ? take() : lock(config.id, take);

  /** Keeps bytes until the function that it returns is called; without a quota nothing has to be. */
  const hold = async ({ config }: Storage, bytes: number): Promise<() => Promise<void>> =>
    config.total_storage_bytes === null
      ? async () => undefined
      : (await cluster.leases.announce(heldAt(config.id), bytes)).release;

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

  const writeUnknownLength = createUnknownLengthWrites({ free, inTurn, hold });

  return {
    /** Reserves the bytes of a part of an open-ended upload while they come, and for as long as they stay. 413 file.tooLarge, 507 storage.full. */
    async part<Result>(row: UploadRow, storage: Storage, bytes: number, take: () => Promise<Result>): Promise<Result> {
      const grown = await inTurn(storage, () => limit(storage).then((most) => table.grow(row, bytes, most)));
      if (!grown)
        throw (await isOver(storage, bytes))
          ? await free.full(storage, sizeText(bytes))
          : new Failure("upload.missing");
      try {
        const refusal = tooLarge(grown.size);
        if (refusal) throw refusal;
        return await take();
      } catch (error) {
        await table.grow(row, -bytes, null);
        throw error;
      }
    },

    used: free.used,
    inTurn,
    limit,
    check,
    isOver,
    within,
    free: free.bytes,
    largest: free.largest,
    tooLarge,
    requireShare: free.requireShare,

    /** The refusal of so many bytes: 507 storage.full. */
    full: (storage: Storage, size: number) => free.full(storage, sizeText(size)),

    /** Writes a body whose size may be unknown, within bytes that are reserved for it. 413 file.tooLarge, 507 storage.full. */
    async write<Result>(storage: Storage, unwritten: Unwritten, write: Write<Result>): Promise<Result> {
      const { body, length, replaces } = unwritten;
      if (length !== undefined) return await within(storage, length, replaces, () => write(body, { length }));
      return await writeUnknownLength(storage, { body, replaces }, write);
    },
  };
}

export type Quota = ReturnType<typeof createQuota>;
