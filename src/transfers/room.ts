import { Failure } from "#contract/failures";
import { sizeText } from "../lib/sizes.ts";
import type { Settings } from "../settings/settings.ts";
import type { Storage } from "../stores/stores.ts";
import type { Changes } from "./changes.ts";
import type { UploadsTable } from "./uploads-table.ts";

const MiB = 1024 * 1024;

interface RoomNeeds {
  readonly table: UploadsTable;
  readonly settings: Settings;
  readonly changes: Changes;
}

/** How much may be uploaded: the largest file of all, and what a storage still takes. */
export function createRoom({ table, settings, changes }: RoomNeeds) {
  /** Bytes that are being written now and that no record reserves, by storage. */
  const held = new Map<string, number>();
  const largest = () => Math.floor(settings.get("max_upload_size") * MiB);

  /** Bytes that may be recorded of a storage; null without a limit. */
  const quota = ({ config }: Storage): number | null =>
    config.total_storage_bytes === null ? null : config.total_storage_bytes - (held.get(config.id) ?? 0);

  /** Bytes that a storage holds or has reserved, what was written just now too. */
  const used = async (storage: string): Promise<number> => {
    await changes.settled();
    return await table.used(storage);
  };

  /** Bytes that a storage still takes. */
  const left = async (storage: Storage): Promise<number> => {
    const { config, store } = storage;
    const most = quota(storage);
    const unused = most === null ? Number.POSITIVE_INFINITY : most - (await used(config.id));
    return Math.max(0, Math.min(unused, (await store.free()) ?? Number.POSITIVE_INFINITY));
  };

  const full = async (storage: Storage, size: string) =>
    new Failure("storage.full", { size, free: sizeText(await left(storage)) });

  return {
    used,

    /** Bytes that a storage still takes; null when nobody can tell. */
    async free(storage: Storage): Promise<number | null> {
      const bytes = await left(storage);
      return Number.isFinite(bytes) ? bytes : null;
    },

    /** Bytes that any file may have. */
    largest,

    /** The refusal of a file beyond the largest size: 413 file.tooLarge. */
    tooLarge: (size: number): Failure | undefined =>
      size > largest() ? new Failure("file.tooLarge", { limit: sizeText(largest()) }) : undefined,

    full: (storage: Storage, size: number) => full(storage, sizeText(size)),

    quota,

    /** Keeps room for bytes that are being written, until what it answers is called. */
    hold(storage: string, bytes: number): () => void {
      held.set(storage, (held.get(storage) ?? 0) + bytes);
      return () => {
        const rest = (held.get(storage) ?? 0) - bytes;
        if (rest > 0) held.set(storage, rest);
        else held.delete(storage);
      };
    },

    /** Whether there is room for a file, in place of so many bytes. 413 file.tooLarge, 507 storage.full. */
    async check(storage: Storage, size: number, replaced = 0): Promise<void> {
      if (size > largest()) throw new Failure("file.tooLarge", { limit: sizeText(largest()) });
      if (size > (await left(storage)) + replaced) throw await full(storage, sizeText(size));
    },

    /** Bytes that a body of unknown size may have, in place of so many. */
    limit: async (storage: Storage, replaced = 0): Promise<number> =>
      Math.min(largest(), (await left(storage)) + replaced),

    /** What a body that grew beyond a limit ran into: a limit below the largest size is the storage's. */
    async beyond(storage: Storage, limit: number): Promise<Failure> {
      if (limit < largest()) return await full(storage, `> ${sizeText(limit)}`);
      return new Failure("file.tooLarge", { limit: sizeText(limit) });
    },
  };
}

export type Room = ReturnType<typeof createRoom>;
