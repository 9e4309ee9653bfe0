import { SQL } from "bun";

/** Milliseconds. */
export interface Patience {
  /** Until a connection stands. */
  readonly connect: number;
  /** Until there is a connection for a statement, and during which what may be done again is tried again. */
  readonly wait: number;
  /** Until PostgreSQL gives up a statement. */
  readonly statement: number;
  /** Until an answer that PostgreSQL should have given is given up, and the connections with it. */
  readonly silence: number;
  /** From leaving a server that is not the primary to leaving the next: a refusal that new connections do not end costs no more. */
  readonly elsewhere: number;
  /** From one renewal of the connections to the next: they forget the statements they prepared, and find another primary. */
  readonly lifetime: number;
  /** Until running statements are given up when their connections are closed. */
  readonly closing: number;
}

export const usual: Patience = {
  connect: 5000,
  wait: 5000,
  statement: 20_000,
  silence: 25_000,
  elsewhere: 1000,
  lifetime: 1_800_000,
  closing: 5000,
};

/** Seconds. */
const IDLE = 300;

/** Makes connections to a PostgreSQL: so many at most, each when it is needed. */
export type Connect = (most: number, onclose?: () => void) => SQL;

/**
 * Where a pooler shares connections between transactions, nothing is said once for a connection: no settings, and no names of statements, which another
 * connection would not know.
 */
export const createConnect =
  (url: string, times: Patience, { isShared }: { readonly isShared: boolean }): Connect =>
  (most, onclose) =>
    new SQL({
      ...(onclose && { onclose }),
      url,
      adapter: "postgres",
      // PGDATABASE in the environment would win over the URL.
      database: databaseOf(url),
      max: most,
      bigint: true,
      connectionTimeout: times.connect / 1000,
      idleTimeout: IDLE,
      // Bun would end a connection with what runs on it.
      maxLifetime: 0,
      prepare: !isShared,
      connection: { application_name: "satchel", ...(isShared ? {} : settings(times)) },
    });

/** What is said when a connection begins. `deploy/pgbouncer.ini` says the same for a pooler. */
const settings = ({ statement }: Patience) => ({
  statement_timeout: statement,
  // A server that vanished must not keep its locks.
  idle_in_transaction_session_timeout: statement,
  // Unless a transaction says otherwise.
  default_transaction_isolation: "read committed",
  // Statements take milliseconds: compiling one, or starting processes for it, takes longer than they save.
  jit: "off",
  max_parallel_workers_per_gather: 0,
});

const databaseOf = (url: string): string => decodeURIComponent(new URL(url).pathname.slice(1));
