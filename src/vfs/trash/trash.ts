/**
 * The trash of each storage: a hidden folder at its root (TRASH) and a row for each thing in it. What is deleted moves there by a move that
 * is recorded as any other, and its row comes and goes with the news of such moves. Killed between any two steps, it is found whole at
 * its place or whole in the trash, and the row follows when the move is told.
 */
import { Failure } from "#contract/failures";
import { isTrashed, TRASH } from "#contract/paths";
import type { Cluster, InTurn } from "../../cluster/cluster.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Settings } from "../../settings/settings.ts";
import type { Change } from "../../stores/changes.ts";
import type { Storage } from "../../stores/stores.ts";
import { removeAll } from "../../transfers/at-key.ts";
import { clearEach } from "../../transfers/cleanup.ts";
import type { Transfers } from "../../transfers/transfers.ts";
import { type TrashRow, type TrashScope, trashTable } from "./trash-table.ts";

interface TrashDeps {
  readonly cluster: Pick<Cluster, "db">;
  readonly clock: Clock;
  readonly settings: Pick<Settings, "get">;
  readonly transfers: Pick<Transfers, "storage" | "objects">;
  readonly inTurn: InTurn;
}

const DAY = 24 * 60 * 60_000;
/** What is removed for ever while somebody waits who has emptied the trash; the sweeper removes the rest. */
const EMPTIED_AT_ONCE = 500;

/** Opens the trash of all storages. */
export function openTrash({ cluster, clock, settings, transfers, inTurn }: TrashDeps) {
  const table = trashTable(cluster.db);

  /** Nobody restores what somebody else removes. */
  const exclusively = <Result>(id: string, task: () => Promise<Result>): Promise<Result> =>
    inTurn([`trash ${id}`], task);

  /** Removes something that has to go, unless it has come back meanwhile. */
  const removeForever = ({ id }: Pick<TrashRow, "id">): Promise<void> =>
    exclusively(id, async () => {
      const row = await table.find(id);
      if (!row || row.purge_at > clock()) return;
      const at = { storage: row.storage, key: row.key };
      const storage = await storageOf(row.storage);
      if (!storage) return void (await table.removeAt(at));
      await transfers.objects.change([{ kind: "removed", at }], () => removeAll(storage.store, row.key));
      await tidy(storage);
    });

  /** Undefined for a storage that is not configured any more. */
  const storageOf = async (id: string): Promise<Storage | undefined> => {
    try {
      return await transfers.storage(id);
    } catch (error) {
      if (error instanceof Failure && error.code === "storage.missing") return undefined;
      throw error;
    }
  };

  return {
    find: table.find,
    page: table.page,
    exclusively,
    tidy,

    /** Until when something stays that is deleted now; undefined when it goes at once. */
    until(): number | undefined {
      const days = settings.get("trash_days");
      return days === 0 ? undefined : clock() + days * DAY;
    },

    /** Removes something for ever. */
    async remove({ id }: Pick<TrashRow, "id">): Promise<void> {
      await table.end(id, clock());
      await removeForever({ id });
    },

    /** Has all of a scope go for ever, and removes some of it at once. Answers how many there were. */
    async empty(scope: TrashScope): Promise<number> {
      const ended = await table.endAll(scope, clock());
      let left = EMPTIED_AT_ONCE;
      await clearEach(
        async (limit, without) => (left > 0 ? await table.due(clock(), limit, without) : []),
        async (row) => {
          left -= 1;
          await removeForever(row);
        },
      );
      return ended;
    },

    /** Removes what has waited long enough, except in silent storages; returns how many. */
    sweep: (silent: Set<string>): Promise<number> =>
      clearEach((limit, without) => table.due(clock(), limit, without), removeForever, silent),

    /** A row comes with what moves to the trash, and goes with what leaves it. */
    async follow(change: Change): Promise<void> {
      if (change.kind === "moved" && isTrashed(change.from.key)) await table.removeAt(change.from);
      if (change.kind === "moved" && change.trash) await table.insert(change.to, change.trash);
      if (change.kind === "removed" && isTrashed(change.at.key)) await table.removeAt(change.at);
    },
  };
}

export type Trash = ReturnType<typeof openTrash>;

/** Removes the folder of the trash where nothing is in it: among the files of a folder of the machine nothing of ours stays. */
const tidy = async ({ store }: Storage): Promise<void> => void (await store.tree?.removeEmpty(TRASH));
