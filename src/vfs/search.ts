import type { Database } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { unforeseen } from "../lib/unforeseen.ts";
import type { Stores } from "../stores/stores.ts";
import type { Change } from "../transfers/changes.ts";
import type { Place } from "../transfers/transfers.ts";
import { applyChange } from "./search-apply.ts";
import { createBuilds } from "./search-build.ts";
import { createFind, type Hits, type Search as Searched } from "./search-find.ts";
import { nodeAt } from "./search-keys.ts";
import { createQueue } from "./search-queue.ts";
import { createRecent } from "./search-recent.ts";
import { reconcile } from "./search-reconcile.ts";
import { createSheet, type FileFacts } from "./search-sheet.ts";
import { searchTable } from "./search-table.ts";

export type { Hit, Hits } from "./search-find.ts";
export type { Scope } from "./search-scope.ts";

interface SearchNeeds {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly stores: Pick<Stores, "configs" | "of">;
}

/** Everything that lies directly in a folder. */
export interface ListedFolder {
  readonly files: readonly (FileFacts & { readonly name: string })[];
  /** Their names without a slash. */
  readonly folders: readonly string[];
}

/** Entries of listings that may wait; what comes beyond is listed again some time. */
const MOST_LISTED = 200_000;

/**
 * The index of what is in the storages, by name and by size. It follows what happens, what is listed, and once a day the
 * storages themselves; in between it may know less than a storage has, or more.
 */
export function createSearch({ db, clock, log, stores }: SearchNeeds) {
  const table = searchTable(db);
  const sheet = createSheet(table);
  const recent = createRecent();
  const find = createFind(table);
  let listed = 0;

  /** What is broken off leaves nothing half done on the sheet. */
  const onSheet = async (task: () => Promise<void>): Promise<void> => {
    try {
      await task();
      await sheet.flush();
      await sheet.rest();
    } catch (error) {
      sheet.forget();
      throw error;
    }
  };

  const apply = (changes: readonly Change[]): Promise<void> =>
    onSheet(async () => {
      for (const change of changes) {
        const unsure = await applyChange(sheet, change);
        if (unsure !== undefined) builds.doubt(unsure);
        await sheet.breathe();
      }
    });

  const lost = (changes: readonly Change[]): void => {
    for (const change of changes) {
      if (change.kind === "moved") builds.doubt(change.from.storage);
      builds.doubt(change.kind === "moved" ? change.to.storage : change.at.storage);
    }
  };

  const tidy = async (): Promise<boolean> => {
    const folder = await table.adrift();
    if (folder === undefined) return await sheet.merge();
    await onSheet(() => sheet.clear(folder));
    return true;
  };

  const queue = createQueue({ log, apply, lost, tidy });
  const builds = createBuilds({ table, sheet, queue, recent, stores, clock, log, onSheet });

  const nodeOf = async ({ storage, key }: Place) => {
    await queue.calm();
    return await nodeAt({ find: table.byName }, storage, key);
  };

  return {
    /** Follows what happened, a few milliseconds later. */
    note(change: Change): void {
      recent.add(change);
      queue.add(change);
    },

    /** To be taken before a storage is asked for a listing, and given to `saw` with it. */
    moment: recent.moment,

    /** Follows a whole listing of a folder that was just fetched, except for what was noted since it was asked for. */
    saw({ storage, key: folder }: Place, { files, folders }: ListedFolder, since: number): void {
      const outdated = recent.since(since, storage);
      const count = files.length + folders.length;
      if (!outdated || queue.isClosed() || (listed > 0 && listed + count > MOST_LISTED)) return;
      listed += count;
      const entries = new Map<string, FileFacts | undefined>(files.map((file) => [file.name, file]));
      for (const name of folders) entries.set(`${name}/`, undefined);
      queue
        .run(async () => {
          // Whoever the listing was fetched for has it first.
          await new Promise(setImmediate);
          await onSheet(() => reconcile(sheet, { folder, entries }, { storage, outdated }));
        })
        .catch((error: unknown) => log.error("listing not indexed", { storage, ...unforeseen(error) }))
        .finally(() => {
          listed -= count;
        });
    },

    /** Returns when all that was noted and seen so far is in the index. */
    settled: queue.settled,

    async find(search: Searched): Promise<Hits> {
      await queue.calm();
      return await find(search);
    },

    /** Bytes of everything below each folder that lies directly in this one, by its name. */
    async sizes(folder: Place): Promise<ReadonlyMap<string, number>> {
      const node = await nodeOf(folder);
      const folders = node ? await table.folders(node.id) : [];
      return new Map(folders.map(({ name, size }) => [name.slice(0, -1), size]));
    },

    /** What lies below a folder, of a storage itself for an empty key: bytes and files. */
    async folder(place: Place): Promise<{ readonly size: number; readonly files: number } | undefined> {
      const node = await nodeOf(place);
      return node && { size: node.size, files: node.files };
    },

    /** Makes the index what a storage is now. Fails with the failures of the storage, and then removes nothing that it has not seen gone. */
    build: builds.build,

    /** Builds what of these storages was not built for a day or has to be, one after the other; answers how many. */
    rebuildDue: builds.due,

    /** When the index of a storage was last complete, in epoch milliseconds; null when it has to be built. */
    status: async (storage: string): Promise<{ readonly built_at: number | null }> => ({
      built_at: await builds.builtAt(storage),
    }),

    /** Finishes what was noted; a build that is under way stops. */
    close: queue.close,
  };
}

export type Search = ReturnType<typeof createSearch>;
