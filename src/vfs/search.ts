import type { Database } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import { createLocks } from "../lib/locks.ts";
import type { Log } from "../lib/log.ts";
import { createSlices } from "../lib/slices.ts";
import { unforeseen } from "../lib/unforeseen.ts";
import type { Stores } from "../stores/stores.ts";
import type { Change } from "../transfers/changes.ts";
import type { Place } from "../transfers/transfers.ts";
import { parentKey } from "./listing.ts";
import { applyChange } from "./search-apply.ts";
import { createBuilds } from "./search-build.ts";
import { createFind, type Hits, type Search as Searched } from "./search-find.ts";
import { nameBelow, nodeAt } from "./search-keys.ts";
import { createQueue } from "./search-queue.ts";
import { createRecent } from "./search-recent.ts";
import { entriesOf, type ListedFolder, reconcile } from "./search-reconcile.ts";
import { createSheet } from "./search-sheet.ts";
import { searchTable } from "./search-table.ts";

export type { Hit, Hits } from "./search-find.ts";
export type { Scope } from "./search-scope.ts";

interface SearchNeeds {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly stores: Pick<Stores, "configs" | "of">;
}

/** Entries of listings that may wait; what comes beyond is listed again some time. */
const MOST_LISTED = 200_000;
/** Milliseconds after which a listing is compared: whoever it was fetched for has it first. */
const LATER = 20;
/** Folders whose sizes are read at once. */
const SIZES = 1000;

/**
 * The index of what is in the storages, by name and by size. It follows what happens, what is listed, and once a day the
 * storages themselves; in between it may know less than a storage has, or more. One that nobody closed has to be built anew.
 */
export async function openSearch({ db, clock, log, stores }: SearchNeeds) {
  const table = searchTable(db);
  await table.open();
  const sheet = createSheet(table);
  const recent = createRecent();
  const find = createFind(table);
  const alone = createLocks();
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

  /** One after the other: what was listed later counts. */
  const inSlices = (slices: AsyncGenerator<void>, after = 0): Promise<void> =>
    alone("slices", async () => {
      if (after > 0) await Bun.sleep(after);
      for (let more = true; more && !queue.isClosed(); )
        await queue.run(() =>
          onSheet(async () => {
            more = !(await slices.next()).done;
          }),
        );
    });

  const builds = createBuilds({ table, sheet, queue, recent, stores, clock, log, onSheet, inSlices });

  async function* reconcileSeen(seen: ListedFolder, since: number) {
    const { storage, key: folder } = seen;
    const entries = yield* entriesOf(seen);
    const outdated = () => recent.since(since, storage);
    // What was moved in the middle of it has come to its new place without the rest.
    // Another process has made it: the next sweep looks into it.
    const strange = () => builds.doubt(storage);
    if (!(yield* reconcile(sheet, { folder, entries }, { storage, outdated, strange }))) builds.doubt(storage);
  }

  const nodeOf = async ({ storage, key }: Place) => {
    await queue.calm();
    return await nodeAt(table.byName, storage, key);
  };

  const note = (change: Change): void => {
    recent.add(change);
    queue.add(change);
  };

  return {
    /** Follows what happened, a few milliseconds later. */
    note,

    /** To be taken before a storage is asked, and given to `saw` or `missed` with its answer. */
    moment: recent.moment,

    /** Follows a whole listing of a folder that was just fetched, except for what was noted since it was asked for. */
    saw(seen: ListedFolder, since: number): void {
      const { storage, files, folders } = seen;
      const count = files.length + folders.length;
      if (queue.isClosed() || (listed > 0 && listed + count > MOST_LISTED)) return;
      listed += count;
      inSlices(reconcileSeen(seen, since), LATER)
        .catch((error: unknown) => log.error("listing not indexed", { storage, ...unforeseen(error) }))
        .finally(() => {
          listed -= count;
        });
    },

    /** Notes that a storage had nothing at a key, unless something was noted of it since it was asked. */
    missed(at: Place, since: number): void {
      const told = recent.since(since, at.storage);
      const folder = parentKey(at.key);
      if (!told || told.whole(folder) || told.names(folder).has(nameBelow(folder, at.key))) return;
      note({ kind: "removed", at });
    },

    /** Returns when all that was noted so far is in the index. */
    applied: queue.applied,

    /** Returns when all that was noted and seen so far is in the index. */
    async settled(): Promise<void> {
      await alone("slices", async () => undefined);
      await queue.applied();
    },

    async find(search: Searched): Promise<Hits> {
      await queue.calm();
      return await find(search);
    },

    /** Bytes of everything below folders that lie beside each other in this one, as old as `folder`'s. By their keys, which come in order. */
    async sizes({ storage, key }: Place, folders: readonly string[]): Promise<ReadonlyMap<string, number>> {
      const sizes = new Map<string, number>();
      const upTo = folders.at(-1)?.slice(key.length);
      const node = upTo !== undefined && (await nodeOf({ storage, key }));
      if (!node) return sizes;
      const slices = createSlices();
      for (let from = folders[0]?.slice(key.length); from !== undefined; ) {
        const some = await table.folders(node.id, { from, upTo, limit: SIZES });
        for (const { name, size } of some) sizes.set(key + name, size);
        from = some.length === SIZES ? some.at(-1)?.name : undefined;
        await slices.next();
      }
      return sizes;
    },

    /** What lies below a folder, of a storage itself for an empty key: bytes and files, a day old where others changed it. */
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
    async close(): Promise<void> {
      await queue.close();
      try {
        await table.close();
      } catch (error) {
        // The mark stays, and the next start builds the index anew.
        log.error("index not closed", unforeseen(error));
      }
    },
  };
}

export type Search = Awaited<ReturnType<typeof openSearch>>;
