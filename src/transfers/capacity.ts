import { Failure, type FailureDetails } from "#contract/failures";
import { sizeText } from "#contract/limits";
import { type Bearer, VISITOR } from "../access/callers.ts";
import { linkNamed } from "../access/principal.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { Settings } from "../settings/settings.ts";
import type { Storage } from "../stores/stores.ts";
import type { Changes } from "./changes.ts";
import type { UploadsTable } from "./uploads-table.ts";
import type { VisitorLimits } from "./visitor-limits.ts";

const MiB = 1024 * 1024;
/** How much of the bytes that are free without them unfinished uploads may have reserved, unless one alone needs more. */
const PROMISED_SHARE = 1 / 2;

export interface CapacityDependencies {
  readonly table: UploadsTable;
  readonly settings: Settings;
  readonly changes: Changes;
  readonly cluster: Pick<Cluster, "leases">;
  readonly visitors: VisitorLimits;
}

/** What a file takes the place of, and who brings it. */
export interface CapacityOptions {
  /** Bytes. */
  readonly replaced?: number | undefined;
  readonly owner?: string | undefined;
}

/** Under this, bytes of a storage that are being written now and that no record reserves. */
export const heldAt = (storage: string): string => `bytes of ${storage}`;

/** Says how many bytes files and storages may still have, and refuses what is more. */
export function createCapacity({ table, settings, changes, visitors, cluster: { leases } }: CapacityDependencies) {
  const largest = () => Math.floor(settings.get("max_upload_size") * MiB);

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

  const largestOf = async (owner: string | undefined): Promise<number> =>
    Math.min(largest(), await visitors.largest(owner));

  const tooLarge = async (size: number, owner: string | undefined): Promise<Failure | undefined> => {
    const most = await largestOf(owner);
    return size > most ? new Failure("file.tooLarge", { limit: sizeText(most) }) : undefined;
  };

  const check = async (
    storage: Storage,
    size: number,
    { replaced = 0, owner }: CapacityOptions = {},
  ): Promise<void> => {
    if (storage.readOnly) throw new Failure("storage.readOnly");
    const refusal = await tooLarge(size, owner);
    if (refusal) throw refusal;
    if (size > (await left(storage)) + replaced) throw await full(storage, sizeText(size));
  };

  return {
    used,
    limit,
    check,
    isOver,
    left,

    /** Returns the free bytes of a storage; null if unknown. */
    async bytes(storage: Storage): Promise<number | null> {
      const bytes = await left(storage);
      return Number.isFinite(bytes) ? bytes : null;
    },

    /** Bytes that any file may have. */
    largest,

    /** Bytes that a file of an owner may have. */
    largestOf,

    /** The refusal of a file beyond the largest size: 413 file.tooLarge. */
    tooLarge,

    /**
     * Refuses an upload of a visitor, with a key or by a link, that would leave others little room, because visitors have reserved much for files that do not
     * come. One alone may have all that is free. 507 storage.reserved.
     */
    async requireShare(storage: Storage, size: number, by: Bearer): Promise<void> {
      const { id, total_storage_bytes: total } = storage.config;
      const isStranger = by.credential === VISITOR || linkNamed(by.owner) !== undefined;
      if (total === null || size === 0 || !isStranger) return;
      const promised = await table.promised(id);
      const most = Math.floor((promised + (await left(storage))) * PROMISED_SHARE);
      if (promised > 0 && promised + size > most)
        throw new Failure("storage.reserved", { reserved: sizeText(promised), most: sizeText(most) });
    },

    /** The refusal of so many bytes: 507 storage.full. */
    full,
  };
}

export type Capacity = ReturnType<typeof createCapacity>;
