/** The room through which bytes reach storages: it composes uploads, presigned addresses, quotas and changes of objects. */
import { isLocal } from "#contract/providers";
import type { KeyCaller } from "../access/principal.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { Settings } from "../settings/settings.ts";
import type { Spooled } from "../stores/disk/files.ts";
import type { Incoming } from "../stores/store.ts";
import type { Stores } from "../stores/stores.ts";
import { createAddresses } from "./addresses.ts";
import { createAppends } from "./appends.ts";
import { appendsTable } from "./appends-table.ts";
import type { Changes } from "./changes.ts";
import { clearEach, noteUnsettled } from "./cleanup.ts";
import { createGrowing } from "./growing.ts";
import { createInFlight } from "./in-flight.ts";
import { createIntents } from "./intents.ts";
import { createObjects } from "./objects.ts";
import { createQuota } from "./quota.ts";
import { createReading } from "./reading.ts";
import type { ReceiveBodyDependencies } from "./receive-body.ts";
import { createReservations } from "./reservations.ts";
import { createUploadResults } from "./upload-results.ts";
import { createUploadWriters } from "./upload-writers.ts";
import { createUploads, type Uploads } from "./uploads.ts";
import { type UploadsTable, uploadsTable } from "./uploads-table.ts";
import { createUsage } from "./usage.ts";

interface TransfersDependencies {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly log: Log;
  readonly stores: Stores;
  readonly settings: Settings;
  readonly changes: Changes;
  /** Whoever acts with the visitors' key; undefined without one. */
  readonly visitors: () => Promise<KeyCaller | undefined>;
  readonly failed?: ReceiveBodyDependencies["failed"];
}

interface Settling extends Pick<TransfersDependencies, "log"> {
  readonly table: UploadsTable;
  readonly uploads: Pick<Uploads, "settle">;
}

/** Makes the function that ends uploads whose files were made, except in silent storages; it returns how many. */
const createSettling =
  ({ table, uploads, log }: Settling) =>
  async (silent: Set<string>): Promise<number> => {
    let settled = 0;
    for (const row of await table.claimed([...silent])) {
      if (silent.has(row.storage)) continue;
      try {
        if (await uploads.settle(row)) settled += 1;
      } catch (error) {
        noteUnsettled(error, { storage: row.storage, silent, log });
      }
    }
    return settled;
  };

/**
 * An upload is pending once it reserves its key and its bytes, ready once the storage has the promised object, and
 * removing once it is dropped. One caller at a time finishes or drops an upload.
 */
export function createTransfers(dependencies: TransfersDependencies) {
  const { cluster, clock, log, stores, settings, changes, visitors, failed } = dependencies;
  const table = uploadsTable(cluster.db, clock);
  const inFlight = createInFlight(cluster.turns("upload"));
  const growing = createGrowing({ table, stores, clock, log, shared: cluster.shared });
  const quota = createQuota({ table, settings, changes, visitors, cluster });
  const reservations = createReservations({ table, clock, inFlight, quota, leases: cluster.leases });
  const intents = createIntents({ cluster, log, stores, changes });
  const results = createUploadResults(cluster);
  const bodies = { table, clock, stores, inFlight, growing, quota, changes, intents, reservations, failed };
  const uploads = createUploads({ ...bodies, results });

  const settleUploads = createSettling({ table, uploads, log });

  return {
    uploads,

    /** Resumable uploads, whose requests append to what has come. */
    appends: createAppends({ table: { ...table, ...appendsTable(cluster.db) }, clock, stores, quota, uploads }),

    /** Has one request at a time work on a resumable upload, the newest of them. */
    newest: createUploadWriters(cluster),

    ...createAddresses({ stores, table, clock, uploads }),

    /** Changes of objects that are no uploads. */
    objects: createObjects({ quota, changes, intents, reservations }),

    /** The storage of this id, or the default one. 404 storage.missing. */
    storage: stores.get,

    ...createUsage({ table, stores, quota }),

    ...createReading(stores),

    /** Who signs the built-in store's addresses, and for which storage they are. */
    internal: { secretOf: stores.presign.secretOf, storageOf: stores.presign.storageOf },

    /** Bytes of the largest file that may be uploaded. */
    largest: quota.largest,

    /** Forgets which files visitors have written where nothing limits them; returns how many. */
    sweepVisitors: quota.visitors.sweep,

    /** Stores a body in a temporary file until its target is known. 413 file.tooLarge, 507 storage.full. */
    spool: (body: Incoming): Promise<Spooled> => stores.spool(body, quota.largest()),

    /** Writes what is too large for memory to a temporary file. 413 body.tooLarge, 507 storage.full. */
    temporary: stores.temporary,

    /**
     * Reports the changes that the last process did not report, and ends the uploads whose files it had made. Call it once, before
     * any request is answered.
     */
    async start(): Promise<void> {
      const configs = await stores.configs.all();
      const elsewhere = configs.filter((config) => !isLocal(config)).map(({ id }) => id);
      await intents.start(elsewhere);
      await settleUploads(new Set(elsewhere));
    },

    /**
     * Reports changes that were not reported and ends uploads whose files were made, except in silent storages; returns how many of both
     * there were.
     */
    sweepChanges: async (silent: Set<string>): Promise<number> =>
      (await intents.sweep(silent)) + (await settleUploads(silent)),

    /** Forgets results of uploads that have ended long ago; returns how many. */
    sweepEnded: results.sweep,

    /** Uploads to read while they arrive. */
    growing: { open: growing.open, received: growing.received },

    /** Whether something is arriving for an upload. */
    isArriving: inFlight.has,

    /**
     * Drops unwanted uploads and those for which nothing has arrived since an instant, except in silent storages;
     * returns how many.
     */
    sweep: (before: number, silent: Set<string>): Promise<number> =>
      clearEach(
        async (limit, without) =>
          (await table.abandoned({ before, now: clock(), without }, limit)).filter(({ id }) => !inFlight.has(id)),
        ({ id }) => uploads.clearAbandoned(id, before),
        silent,
      ),
  };
}

export type Transfers = ReturnType<typeof createTransfers>;
