import type { Cluster } from "../cluster/cluster.ts";
import type { ObjectStore, Place, Recheck } from "../stores/store.ts";
import type { Changes } from "./changes.ts";
import type { CarriedMove, Carrying } from "./copy-then-delete.ts";
import { type IntentRow, intentsTable } from "./intents-table.ts";
import type { Moving, PlannedMove } from "./moves.ts";
import type { Removal } from "./removal-order.ts";

/** A change that can be recorded before it is made: afterwards the storage shows whether it was. */
export type PlannedChange =
  | PlannedMove
  | CarriedMove
  | Removal
  | { readonly kind: "staged"; readonly at: Place }
  | { readonly kind: "doubted"; readonly at: Place };

/** Another server has taken over what this one was about, because it took this one for dead. */
export class TakenOver extends Error {}

/** A new record of changes of one storage. */
export const recordOf = (storage: string, planned: readonly PlannedChange[]): IntentRow => ({
  id: Bun.randomUUIDv7(),
  storage,
  certain: 0,
  changes: JSON.stringify(planned),
});

/** A new record of a move to another mount. Whoever settles it asks the storage first that is elsewhere. */
export const recordOfCarried = (move: CarriedMove, source: ObjectStore): IntentRow =>
  recordOf(source.tree ? move.to.storage : move.from.storage, [move]);

interface IntentRecordsDependencies {
  readonly cluster: Cluster;
  readonly changes: Pick<Changes, "tell" | "outdated">;
}

/** The records of changes, and which of them this server is about. */
export function createIntentRecords({ cluster, changes }: IntentRecordsDependencies) {
  const table = intentsTable(cluster);

  const requireOwn = async (id: string): Promise<void> => {
    if (cluster.shared && !(await table.isOwn(id))) throw new TakenOver();
  };

  /** Records another change in place of the one that was recorded. */
  const noteFor = async (id: string, now: PlannedChange): Promise<void> => {
    if (!(await table.replace({ id, changes: JSON.stringify([now]) }))) throw new TakenOver();
  };

  return {
    table,

    /** Ids of the changes that this server makes now, and that it leaves alone when it looks for others to settle. */
    underWay: new Set<string>(),

    noteFor,

    /** A recorded move, which is no other server's to make or to bring to an end. */
    movingOf: (
      id: string,
      store: ObjectStore,
      move: PlannedMove,
      beforeCommit: Recheck = async () => undefined,
    ): Moving => ({
      store,
      move,
      beforeCommit,
      note: (now) => noteFor(id, now),
      requireOwn: () => requireOwn(id),
      tell: changes.tell,
      outdated: changes.outdated,
    }),

    /** A recorded move to another mount, which is no other server's to make or to bring to an end. */
    carryingOf: (id: string, stores: Pick<Carrying, "source" | "target" | "move">): Carrying => ({
      ...stores,
      requireOwn: () => requireOwn(id),
      tell: changes.tell,
      outdated: changes.outdated,
    }),
  };
}

export type IntentRecords = ReturnType<typeof createIntentRecords>;
