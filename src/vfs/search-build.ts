import { Failure } from "#contract/failures";
import type { Clock } from "../lib/clock.ts";
import { createLocks } from "../lib/locks.ts";
import type { Log } from "../lib/log.ts";
import { unforeseen } from "../lib/unforeseen.ts";
import type { ObjectStore } from "../stores/store.ts";
import type { Stores } from "../stores/stores.ts";
import type { Queue } from "./search-queue.ts";
import type { Recent } from "./search-recent.ts";
import { foldersOf, type Listed, reconcile } from "./search-reconcile.ts";
import type { Sheet } from "./search-sheet.ts";
import type { NodeRow, SearchTable } from "./search-table.ts";

interface BuildNeeds {
  readonly table: SearchTable;
  readonly sheet: Sheet;
  readonly queue: Queue;
  readonly recent: Recent;
  readonly stores: Pick<Stores, "configs" | "of">;
  readonly clock: Clock;
  readonly log: Log;
  /** Does something on the sheet and writes it. */
  readonly onSheet: (task: () => Promise<void>) => Promise<void>;
  /** Does one slice after the other on the sheet when its turn comes, unless the index closes, and writes it. */
  readonly inSlices: (slices: AsyncGenerator<void>) => Promise<void>;
}

/** Keys that a storage is asked for at once. */
const PAGE = 1000;
/** Milliseconds after which an index is built anew. */
const DAILY = 24 * 60 * 60_000;

/** Goes through whole storages and makes the index what they are, page by page, beside all else that happens. */
export function createBuilds({ table, sheet, queue, recent, stores, clock, log, onSheet, inSlices }: BuildNeeds) {
  /** Storages of which something was not noted since their last build began. */
  const unsure = new Set<string>();
  const alone = createLocks();

  async function* reconcileAll(storage: string, folders: readonly Listed[], since: number) {
    const outdated = () => recent.since(since, storage);
    for (const listed of folders) yield* reconcile(sheet, listed, { storage, outdated });
    if (!outdated()) throw new Failure("storage.busy");
  }

  /** Answers whether it came to the end. */
  const walk = async (storage: string, store: ObjectStore): Promise<boolean> => {
    let next: string | undefined = "";
    for (let after = ""; next !== undefined; ) {
      const since = recent.moment();
      const page = await store.list({ prefix: "", after: next === "" ? undefined : next, limit: PAGE });
      const folders = foldersOf({ objects: page.objects, after, last: page.next === undefined });
      await inSlices(reconcileAll(storage, folders, since));
      if (queue.isClosed()) return false;
      after = page.objects.at(-1)?.key ?? after;
      next = page.next;
    }
    return true;
  };

  /** When a storage's index was last complete; null when it has to be built. */
  const builtAt = async (storage: string): Promise<number | null> =>
    unsure.has(storage) ? null : await table.builtAt(storage);

  const buildNow = async (storage: string): Promise<void> => {
    const { store } = stores.of(await stores.configs.get(storage));
    unsure.delete(storage);
    const whole = await walk(storage, store);
    if (whole && !unsure.has(storage)) await queue.run(async () => void (await table.setBuilt(storage, clock())));
  };

  /** Answers whether it was due, when its turn came, and could be built. */
  const buildWhenDue = async (storage: string): Promise<boolean> => {
    try {
      const at = queue.isClosed() ? clock() : await builtAt(storage);
      if (at !== null && at > clock() - DAILY) return false;
      await buildNow(storage);
      return true;
    } catch (error) {
      log.warn("index not built", { storage, ...unforeseen(error) });
      return false;
    }
  };

  /** Forgets storages that nobody has configured any more. */
  const forget = async (roots: readonly NodeRow[], storages: ReadonlySet<string>): Promise<void> => {
    for (const root of roots) {
      if (storages.has(root.name)) continue;
      await queue.run(() => onSheet(() => sheet.remove(root)));
      await table.forgetBuild(root.name);
    }
  };

  return {
    build: (storage: string): Promise<void> => alone("build", () => buildNow(storage)),
    builtAt,

    /** Notes that the index of a storage is no longer what the storage is. */
    doubt(storage: string): void {
      if (unsure.has(storage)) return;
      unsure.add(storage);
      queue
        .run(async () => void (await table.setBuilt(storage, null)))
        .catch((error: unknown) => log.error("index not marked", { storage, ...unforeseen(error) }));
    },

    async due(wanted: ReadonlySet<string>): Promise<number> {
      const roots = await table.roots();
      await forget(roots, new Set((await stores.configs.list()).map(({ id }) => id)));
      let built = 0;
      for (const storage of wanted) {
        if (await alone("build", () => buildWhenDue(storage))) built += 1;
      }
      queue.wake();
      return built;
    },
  };
}
