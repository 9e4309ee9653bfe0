import type { Clock } from "../lib/clock.ts";
import type { Database } from "./database.ts";
import { sql } from "./sql.ts";

/** Milliseconds by which the clocks of a server and of its database may differ: leases, sessions, signatures and expiries are decided by both. */
const LARGEST_DIFFERENCE = 60_000;

/**
 * What is wrong with the clock of this server, compared with that of its database; undefined when they agree well enough. The time that
 * the question takes is not held against either.
 */
export async function clockFault(db: Database, clock: Clock): Promise<string | undefined> {
  const before = clock();
  const there = (await db.first<{ now: number }>(sql`select ${db.now} as now`))?.now ?? before;
  const ahead = Math.max(0, before - there) - Math.max(0, there - clock());
  if (Math.abs(ahead) <= LARGEST_DIFFERENCE) return undefined;
  const seconds = Math.round(Math.abs(ahead) / 1000);
  return `The clock of this server is ${seconds} seconds ${ahead > 0 ? "ahead of" : "behind"} that of the database`;
}

/** Stops a start whose clock is not that of the database. Throws an Error with a sentence for the operator. */
export async function checkClock(db: Database, clock: Clock): Promise<void> {
  const fault = await clockFault(db, clock);
  if (fault === undefined) return;
  const advice = "Set the one that is wrong, with NTP for instance";
  throw new Error(`${fault}; they may differ by ${LARGEST_DIFFERENCE / 1000} seconds. ${advice}.`);
}
