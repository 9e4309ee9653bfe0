/** How rooms ask the database of several servers. */

import type { Database, Reading, Standby } from "../database/database.ts";
import { createReplica, type Replica } from "../database/replica.ts";
import { onlyReads, type Sql } from "../database/sql.ts";
import type { Log } from "../lib/log.ts";

interface DatabaseAccessDeps {
  readonly db: Database;
  readonly standby: Standby | undefined;
  readonly elapsed: () => number;
  readonly log: Log;
}

interface DatabaseAccess {
  /** The database, observed: what it is asked and what is written to it is noted. */
  readonly observedDb: Database;
  readonly reading: Reading;
  readonly replica: Replica | undefined;
  /** What is read from now on has all that was written until now. */
  renew(): void;
  /** Milliseconds since the last query. */
  sinceQuery(): number;
}

/** The database as rooms ask it, and where it has a standby, what they may read from that. */
export function createDatabaseAccess({ db, standby, elapsed, log }: DatabaseAccessDeps): DatabaseAccess {
  let queriedAt = elapsed();
  let replica: Replica | undefined;
  const renew = () => replica?.renew();
  const queried = () => {
    queriedAt = elapsed();
  };
  const observedDb = observe(db, { queried, wrote: standby && renew });
  replica = standby && createReplica({ primary: observedDb, standby, elapsed, log });
  return { observedDb, reading: replica ?? observedDb, replica, renew, sinceQuery: () => elapsed() - queriedAt };
}

interface Observer {
  readonly queried: () => void;
  /** Something was written, or may have been. */
  readonly wrote: (() => void) | undefined;
}

/** Tells the observer of each query, and of each that may have changed something once it is answered. */
const observe = (db: Database, { queried, wrote }: Observer): Database => {
  const observing =
    <Query, Result>(ask: (query: Query) => Promise<Result>, reads: (query: Query) => boolean = () => false) =>
    (query: Query): Promise<Result> => {
      queried();
      return !wrote || reads(query) ? ask(query) : ask(query).finally(wrote);
    };
  const isReading = ({ text }: Sql) => onlyReads(text);
  return {
    ...db,
    get now() {
      return db.now;
    },
    first: observing(db.first, isReading) as Database["first"],
    all: observing(db.all, isReading) as Database["all"],
    run: observing(db.run),
    batch: observing(db.batch),
  };
};
