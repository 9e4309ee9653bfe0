import { isFolderStorage } from "#contract/providers";
import type { Cluster } from "../cluster/cluster.ts";
import type { Clock } from "../lib/clock.ts";
import { createLocks } from "../lib/locks.ts";
import { type Log, unforeseen } from "../lib/log.ts";
import type { Stores } from "../stores/stores.ts";
import type { NodesTable } from "./nodes-table.ts";
import type { Queue } from "./queue.ts";
import { createWalk, type WalkDependencies } from "./walk.ts";

interface BuildDeps extends WalkDependencies {
  readonly table: NodesTable;
  readonly queue: Queue;
  readonly stores: Pick<Stores, "configs" | "of">;
  readonly clock: Clock;
  readonly log: Log;
  readonly cluster: Pick<Cluster, "shared" | "leases">;
}

/** Milliseconds after which an index is built anew. */
const DAILY = 24 * 60 * 60_000;
/** The same of a folder of the machine, in which other programs make files that no list has shown. */
const HOURLY = 60 * 60_000;
/** A folder that takes long to walk through is left alone for so many times as long. */
const REST = 50;

/** Makes the index match whole storages, page by page, while other changes are recorded. */
export function createBuilds(deps: BuildDeps) {
  const { table, writer, queue, stores, clock, log, cluster } = deps;
  const walk = createWalk(deps);
  /** Storages that changed since their last build started. */
  const outdatedStorages = new Set<string>();
  /** Names that were read of the storages whose index is being built. */
  const reading = new Map<string, number>();
  /** How often each was marked. */
  const marks = new Map<string, number>();
  const oneByOne = createLocks();
  /** Milliseconds that the last build of each took. */
  const took = new Map<string, number>();

  const periodOf = async (storage: string): Promise<number> =>
    isFolderStorage(await stores.configs.get(storage))
      ? Math.min(DAILY, Math.max(HOURLY, REST * (took.get(storage) ?? 0)))
      : DAILY;

  const builtAt = async (storage: string): Promise<number | null> =>
    outdatedStorages.has(storage) ? null : await table.builtAt(storage);

  const buildNow = async (storage: string): Promise<void> => {
    const { store } = stores.of(await stores.configs.get(storage));
    outdatedStorages.delete(storage);
    const before = marks.get(storage);
    const began = clock();
    reading.set(storage, 0);
    const read = (names: number) => reading.set(storage, (reading.get(storage) ?? 0) + names);
    const whole = await walk(storage, store, read).finally(() => reading.delete(storage));
    took.set(storage, clock() - began);
    if (whole && marks.get(storage) === before)
      await queue.run(async () => void (await table.setBuilt(storage, clock())));
  };

  /** Reports whether the storage was due when its turn came and could be built. */
  const buildWhenDue = async (storage: string): Promise<boolean> => {
    try {
      const at = queue.isClosed() ? clock() : await builtAt(storage);
      if (at !== null && at > clock() - (await periodOf(storage))) return false;
      await buildNow(storage);
      return true;
    } catch (error) {
      log.warn("index not built", { storage, ...unforeseen(error) });
      return false;
    }
  };

  /** Forgets storages that are no longer configured. */
  const forgetOthers = async (configured: ReadonlySet<string>): Promise<void> => {
    for (const root of await table.roots()) {
      if (configured.has(root.name)) continue;
      await queue.run(() => writer.run(async () => writer.remove(root)));
      await table.forgetBuild(root.name);
    }
  };

  return {
    build: (storage: string): Promise<void> => oneByOne("build", () => buildNow(storage)),

    /** When the index of a storage was last complete, in epoch milliseconds; null when it has to be built. */
    builtAt,

    /** How many names were read for an index that this server builds right now; undefined for any other. */
    progress: (storage: string): number | undefined => reading.get(storage),

    /** Marks the index of a storage as outdated, so that it is built anew. */
    setOutdated(storage: string): void {
      marks.set(storage, (marks.get(storage) ?? 0) + 1);
      if (outdatedStorages.has(storage)) return;
      outdatedStorages.add(storage);
      queue
        .run(async () => {
          await table.setBuilt(storage, null);
          // From now on the database knows, and another server may build it.
          if (cluster.shared) outdatedStorages.delete(storage);
        })
        .catch((error: unknown) => log.error("index not marked", { storage, ...unforeseen(error) }));
    },

    /** Builds the due storages of these, one after the other; returns how many. */
    async due(wanted: ReadonlySet<string>): Promise<number> {
      const lease = await cluster.leases.take("index builds");
      return lease ? await buildAll(wanted).finally(lease.release) : 0;
    },
  };

  async function buildAll(wanted: ReadonlySet<string>): Promise<number> {
    await forgetOthers(new Set((await stores.configs.all()).map(({ id }) => id)));
    let built = 0;
    for (const storage of wanted) {
      if (await oneByOne("build", () => buildWhenDue(storage))) built += 1;
    }
    queue.wake();
    return built;
  }
}
