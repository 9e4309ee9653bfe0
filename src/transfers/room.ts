import { Failure } from "#contract/failures";
import { sizeText } from "../lib/sizes.ts";
import type { Settings } from "../settings/settings.ts";
import type { Storage } from "../stores/stores.ts";
import type { UploadsTable } from "./uploads-table.ts";

const MiB = 1024 * 1024;

/** How much may be uploaded: the largest file of all, and what a storage still takes. */
export function createRoom({ table, settings }: { table: UploadsTable; settings: Settings }) {
  const largest = () => Math.floor(settings.get("max_upload_size") * MiB);

  /** Bytes that a storage still takes. */
  const left = async ({ config, store }: Storage): Promise<number> => {
    const quota = config.total_storage_bytes;
    const unused = quota === null ? Number.POSITIVE_INFINITY : quota - (await table.used(config.id));
    return Math.max(0, Math.min(unused, (await store.free()) ?? Number.POSITIVE_INFINITY));
  };

  const full = async (storage: Storage, size: string) =>
    new Failure("storage.full", { size, free: sizeText(await left(storage)) });

  return {
    /** Bytes that a storage still takes; null when nobody can tell. */
    async free(storage: Storage): Promise<number | null> {
      const bytes = await left(storage);
      return Number.isFinite(bytes) ? bytes : null;
    },

    /** The refusal of a file beyond the largest size: 413 file.tooLarge. */
    tooLarge: (size: number): Failure | undefined =>
      size > largest() ? new Failure("file.tooLarge", { limit: sizeText(largest()) }) : undefined,

    full: (storage: Storage, size: number) => full(storage, sizeText(size)),

    /** 413 file.tooLarge, 507 storage.full. */
    async check(storage: Storage, size: number): Promise<void> {
      if (size > largest()) throw new Failure("file.tooLarge", { limit: sizeText(largest()) });
      if (size > (await left(storage))) throw await full(storage, sizeText(size));
    },

    /** Bytes that a body of unknown size may have. */
    limit: async (storage: Storage): Promise<number> => Math.min(largest(), await left(storage)),

    /** What a body that grew beyond a limit ran into: a limit below the largest size is the storage's. */
    async beyond(storage: Storage, limit: number): Promise<Failure> {
      if (limit < largest()) return await full(storage, `> ${sizeText(limit)}`);
      return new Failure("file.tooLarge", { limit: sizeText(limit) });
    },
  };
}

export type Room = ReturnType<typeof createRoom>;
