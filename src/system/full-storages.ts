import { NEARLY_FULL_SHARE, USED_UP_SHARE } from "#contract/limits";
import type { EventItem } from "#contract/webhooks";
import type { Cluster } from "../cluster/cluster.ts";
import type { Sql } from "../database/sql.ts";
import { type Log, unforeseen } from "../lib/log.ts";
import type { Transfers } from "../transfers/transfers.ts";
import { share } from "./dashboard.ts";
import { fullStoragesTable, NotedElsewhere } from "./full-storages-table.ts";

interface FullStoragesDeps {
  readonly cluster: Pick<Cluster, "db">;
  readonly log: Log;
  readonly transfers: Pick<Transfers, "storages">;
  /** Statements for the transaction that notes that a storage is full. */
  readonly full: (item: EventItem<"storage.full">) => readonly Sql[];
  /** Whether anybody wants to know anything. */
  readonly isWanted: () => boolean;
}

/** Milliseconds between two looks. */
const EVERY = 60_000;

/** Tells once of a storage that has become full, on whichever server: again only when it had room in between. */
export function createFullStorages({ cluster, log, transfers, full, isWanted }: FullStoragesDeps) {
  const table = fullStoragesTable(cluster.db);
  let timer: Timer | undefined;

  const compare = async (): Promise<void> => {
    const [before, storages] = [await table.read(), await transfers.storages()];
    // One that is emptied by a file, and filled again by the next one, is told of once.
    const now = storages
      .map((one) => ({ one, share: share(one) }))
      .filter(({ one, share }) => share >= (before.ids.includes(one.config.id) ? NEARLY_FULL_SHARE : USED_UP_SHARE));
    const ids = now.map(({ one }) => one.config.id).sort();
    if (JSON.stringify(ids) === (before.text || "[]")) return;
    const fresh = now.filter(({ one }) => !before.ids.includes(one.config.id));
    const told = fresh.flatMap(({ one: { config }, share }) =>
      full({ storage: config.id, name: config.name, percent: Math.round(share * 100) }),
    );
    await table.write(ids, before.text, told);
  };

  /** Looks how full they are. Never rejects. */
  const look = async (): Promise<void> => {
    if (!isWanted()) return;
    try {
      await compare();
    } catch (error) {
      if (!(error instanceof NotedElsewhere)) log.warn("storages were not looked at", unforeseen(error));
    }
  };

  return {
    look,
    start(): void {
      timer = setInterval(look, EVERY);
      timer.unref();
    },
    stop: (): void => clearInterval(timer),
  };
}
