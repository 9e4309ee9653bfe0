import type { CallerOf } from "../access/keys.ts";
import type { Limiter } from "../access/limiter.ts";
import type { Passwords } from "../access/passwords.ts";
import type { Activity } from "../activity/activity.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { Clock } from "../lib/clock.ts";
import type { ShareLimits } from "../shares/share-limits.ts";
import type { Change } from "../stores/changes.ts";
import { type ArrivalsDeps, createArrivals } from "./arrivals.ts";
import { createBasicVisits } from "./basic-visits.ts";
import { createClosings } from "./closings.ts";
import { createImportedLinks } from "./imported-links.ts";
import { createKeptLinks } from "./kept-links.ts";
import { linksTable } from "./links-table.ts";
import { createOpening } from "./opening.ts";
import { createOwnLinks } from "./own-links.ts";
import { createReceipts } from "./receipts.ts";
import { createSealedKeys } from "./sealed-keys.ts";
import { createSigners } from "./signers.ts";
import { createVisitors, ownersOf } from "./visitors.ts";
import { createVisits } from "./visits.ts";

interface LinksDeps {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly secret: string;
  readonly passwords: Passwords;
  readonly limits: ShareLimits;
  readonly limiter: Limiter;
  /** The owner of this name with the rights of this moment; undefined when they may no longer act. */
  readonly callerOf: CallerOf;
  /** Called with what comes by links, and with links that are full. */
  readonly told: ArrivalsDeps["told"];
  readonly activity: Pick<Activity, "note">;
}

const SWEPT_AT_ONCE = 100;

/** Links to several things of the tree: made and changed by their owners, and looked up for whoever has opened one. */
export function createLinks(dependencies: LinksDeps) {
  const { cluster, clock, secret, passwords, limits, limiter, callerOf, told, activity } = dependencies;
  const table = linksTable(cluster.db, cluster.reading);
  const kept = createKeptLinks(table, cluster, clock);
  const visits = createVisits(secret);
  const ownerOf = ownersOf(callerOf);
  const closings = createClosings({ table, clock, ownerOf, told: told.closed, forget: kept.forget });
  const { note } = closings;
  const visitors = createVisitors({ table, kept, visits, ownerOf, note, clock });
  const { synced } = cluster;
  const opening = createOpening({
    table,
    kept,
    visits,
    visitors,
    ownerOf,
    note,
    passwords,
    limiter,
    clock,
    synced,
    activity,
  });

  const basic = createBasicVisits({ kept, visitors, open: opening.open, limiter, secret, synced });

  const sealedKeys = createSealedKeys(cluster.db, clock);

  const changed = async <Result>(change: Promise<Result>): Promise<Result> => {
    try {
      return await change;
    } finally {
      kept.forget();
    }
  };

  /** Whether a change is one of what links lead to. */
  const touches = async (change: Change): Promise<boolean> => {
    if (change.kind === "removed") return await table.lose(change.at, clock());
    return change.kind === "moved" && (await table.move(change, clock()));
  };

  return {
    ...visitors,

    ...opening,

    basic,

    signers: createSigners({ table, signed: basic.signed, secret }),

    arrivals: createArrivals({ table, cluster, clock, told }),

    receipts: createReceipts({ cluster, clock, callerOf: visitors.callerOf }),

    sealedKeys,

    imported: createImportedLinks({ table, changed }),

    ...createOwnLinks({ table, ownerOf, passwords, clock, limits, changed }),

    /** Whether a link has this slug, whether or not it still opens. */
    has: async (slug: string): Promise<boolean> => (await kept.lockOf(slug)) !== "none",

    /** Called when a text has changed: links that lead to it call it as it is called now. */
    textsChanged: kept.forget,

    /** Links follow what is moved, and lead nowhere once it is deleted for ever. */
    async follow(change: Change): Promise<void> {
      if (!(await touches(change))) return;
      kept.forget();
      await cluster.publish("links");
    },

    /** Notes which links have closed, removes links that ended longer than `lasting` milliseconds ago, and forgets downloads of openings that have ended. */
    async sweep(lasting: number): Promise<number> {
      await closings.sweep();
      await table.forgetDownloads(clock());
      await sealedKeys.sweep();
      let [removed, some] = [0, SWEPT_AT_ONCE];
      while (some === SWEPT_AT_ONCE) {
        some = await changed(table.sweep(clock() - lasting, clock(), SWEPT_AT_ONCE));
        removed += some;
      }
      return removed;
    },

    cache: kept.cache,
  };
}
