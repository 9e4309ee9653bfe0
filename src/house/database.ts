import { Failure } from "#contract/failures";
import { boundDatabase } from "../database/bounded.ts";
import { checkClock } from "../database/clock-check.ts";
import { checkCopied, noteUsed } from "../database/copy.ts";
import type { Database } from "../database/database.ts";
import { checkAge, migrate, type Schema } from "../database/migrate.ts";
import { checkSecret, noteSecret } from "../database/secret-check.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";

/** By what an opened database is checked. */
export interface DatabaseDependencies {
  readonly db: Database;
  readonly secret: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether `clock` must agree with that of the database, as it must where machines have one each. */
  readonly sameTime?: boolean | undefined;
}

/** Has a database that is full or away, and a text that is too long for it, fail as callers are told. */
export const bounded = (engine: Database, log: Log) =>
  boundDatabase(engine, {
    full: () => new Failure("storage.full", { bound: "database" }),
    unavailable(reason) {
      log.warn("database unavailable", { reason });
      return new Failure("database.unavailable");
    },
    tooLong: () => new Failure("text.tooLong"),
  });

/** Looks at the database and writes nothing, so that a start that is refused leaves it as it was. Throws as `openHouse`. */
export async function checkDatabase(db: Database, { secret, clock, sameTime }: DatabaseDependencies): Promise<void> {
  if (sameTime) await checkClock(db, clock);
  await checkAge(db);
  await checkSecret(db, secret);
  await checkCopied(db);
}

/** Brings the tables of a checked database to the present version, and makes it that of this secret key. Throws as `openHouse`. */
export async function openTables(
  db: Database,
  { secret }: DatabaseDependencies,
  holdsDataFolder: boolean,
): Promise<Schema> {
  const schema = await migrate(db, holdsDataFolder);
  await noteSecret(db, secret);
  if (holdsDataFolder && db.engine === "postgres") await noteUsed(db);
  return schema;
}
