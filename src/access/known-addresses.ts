/** From which addresses the account, a chosen key or a share has been opened: what strangers guess does not keep those out. */
import type { Cluster } from "../cluster/cluster.ts";
import type { Sql } from "../database/sql.ts";
import { Lru } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import { type Log, unforeseen } from "../lib/log.ts";
import { removeInSlices } from "../lib/turns.ts";
import { knownAddressesTable } from "./guesses-table.ts";
import { type Known, MAX_KNOWN, type Password } from "./limiter.ts";

/** Statements for the transaction that makes an address known, if this condition holds there. */
type ToldNew = (address: string, when: Sql) => readonly Sql[];

interface KnownAddressesDeps {
  readonly cluster: Pick<Cluster, "db" | "now">;
  readonly clock: Clock;
  readonly log: Log;
  /** Told of an address that becomes a known one of the account. */
  readonly signedIn?: ToldNew | undefined;
}

/** Milliseconds that a known address stays known without a use. */
const KNOWN_FOR = 30 * 24 * 60 * 60_000;
/** Milliseconds after which a server notes the next use of a known address. */
const NOTED_EVERY = 24 * 60 * 60_000;
/** Those that this server remembers without asking the database. */
const MAX_SEEN = 10_000;
/** New ones after which a server does not wait for the sweeper, and rows that are removed at once. */
const SWEPT_AFTER = 1000;
const SLICE = 500;

const kinds = Object.keys(MAX_KNOWN) as (keyof typeof MAX_KNOWN)[];

const nameOf = ({ byStrangers, subject }: Password, address: string) => `${byStrangers} ${subject} ${address}`;

/** Keeps the known addresses in the database, because a restart during an attack must lock nobody out. */
export function createKnownAddresses({ cluster, clock, log, signedIn }: KnownAddressesDeps) {
  const table = knownAddressesTable(cluster.db, cluster.now);
  /** By `clock`, when this server noted a use last; an address that another noted, or this one before it started, counts as long ago. */
  const seen = new Lru<string, number>(MAX_SEEN);
  let added = 0;

  /** Forgets addresses that were not seen for long, and those seen longest ago where there are too many; returns how many. */
  const sweep = async (): Promise<number> => {
    let removed = await table.removeUnused(KNOWN_FOR);
    for (const kind of kinds)
      removed += await removeInSlices((limit) => table.removeOldest(kind, MAX_KNOWN[kind], limit), SLICE);
    return removed;
  };

  const note = async (name: string, told: ToldNew | undefined, address: string): Promise<void> => {
    await table.add(name, told && ((when) => told(address, when)));
    added += 1;
    if (added < SWEPT_AFTER) return;
    added = 0;
    await sweep();
  };

  return {
    async knows(password: Password, address: string): Promise<boolean> {
      const name = nameOf(password, address);
      if (seen.get(name) !== undefined) return true;
      if (!(await table.has(name))) return false;
      seen.set(name, Number.NEGATIVE_INFINITY);
      return true;
    },

    /** Makes an address no stranger any more for guesses of a password; one that the database does not take is known until the next start. */
    async trust(password: Password, address: string): Promise<void> {
      const name = nameOf(password, address);
      const now = clock();
      if (now - (seen.get(name) ?? Number.NEGATIVE_INFINITY) < NOTED_EVERY) return;
      seen.set(name, now);
      const told = password.byStrangers === "loginByAccount" ? signedIn : undefined;
      await note(name, told, address).catch((error: unknown) => log.warn("known address not noted", unforeseen(error)));
    },

    sweep,
  } satisfies Known & { sweep: unknown };
}
