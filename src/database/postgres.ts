import { type ReservedSQL, SQL } from "bun";
import { type Database, plainSql, type Sql, type Step, TooLong, Unavailable } from "./database.ts";
import { compile, migration, unescapeText } from "./postgres-dialect.ts";

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`; `sslmode` may be in its query. */
  readonly url: string;
  /** Connections at most; 10 unless it is given. */
  readonly connections?: number | undefined;
  /** For tests, whose patience is shorter. */
  readonly patience?: Partial<Patience> | undefined;
}

/** Milliseconds. */
interface Patience {
  /** Until a connection stands. */
  readonly connect: number;
  /** Until there is a connection for a statement, and during which what may be done again is tried again. */
  readonly wait: number;
  /** Until PostgreSQL gives up a statement. */
  readonly statement: number;
  /** Until an answer that PostgreSQL should have given is given up, and the connections with it. */
  readonly silence: number;
}

const usual: Patience = { connect: 5000, wait: 5000, statement: 20_000, silence: 25_000 };

const CONNECTIONS = 10;
/** Connections that transactions leave to single statements. */
const LEFT = 2;
/** Seconds. A connection forgets the statements it prepared when it ends, and finds another primary when it begins. */
const MAX_LIFETIME = 1800;
/** Seconds. */
const IDLE = 300;
/** Milliseconds between two attempts, at first and at most; the time is drawn, so that rivals do not meet again. */
const PAUSE = { first: 2, most: 200 };

type Row = Record<string, unknown>;

/** An answer of Bun.SQL: the rows, and what is known of them. */
interface Answer extends Array<Row> {
  readonly affectedRows: number;
  readonly columns: readonly { readonly name: string; readonly type: number }[] | null;
}

/** What an error says: its code in PostgreSQL ("PostgreSQL Error Codes"), or Bun's. */
function codeOf(error: unknown): string {
  if (!(error instanceof SQL.PostgresError)) return "";
  if (error.errno === "0A000" && error.message.includes("cached plan")) return STALE;
  return error.errno ? `${error.errno}` : error.code;
}

/** A statement was prepared before its tables changed. */
const STALE = "stale";
const FULL_DISK = "53100";
const ONLY_READS = "25006";

/** Another change was in the way, and nothing of this one was made. */
const isInTheWay = (code: string): boolean => code === "40001" || code === "40P01";

/** Nothing was sent, or PostgreSQL began nothing: it starts or stops, or has too many connections. */
const isBefore = (code: string): boolean => BEFORE.has(code);
const BEFORE = new Set([
  ...["ERR_POSTGRES_CONNECTION_REFUSED", "ERR_POSTGRES_CONNECTION_FAILED", "ERR_POSTGRES_CONNECTION_TIMEOUT"],
  ...[STALE, "57P03", "53300"],
]);

/** The connection ended under the statement. */
const isLost = (code: string): boolean => LOST.has(code) || code.startsWith("08");
const LOST = new Set([
  "ERR_POSTGRES_CONNECTION_CLOSED",
  "ERR_POSTGRES_IDLE_TIMEOUT",
  "ERR_POSTGRES_LIFETIME_TIMEOUT",
  // Ended by an administrator, a crash, or because the connection or its transaction was idle for too long.
  ...["57P01", "57P02", "57P05", "25P03"],
]);

/** PostgreSQL gave the statement up, does not let us in, has not the means, or only reads, as one that is no longer the primary. */
const isRefused = (code: string): boolean =>
  ["57014", "55P03", ONLY_READS, "3D000", "ERR_POSTGRES_QUERY_CANCELLED"].includes(code) ||
  code.startsWith("28") ||
  code.startsWith("53");

/** An error as rooms know it. */
function told(error: unknown): unknown {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  if (code === FULL_DISK) return error;
  if (code === "54000") return new TooLong(message);
  if (isInTheWay(code)) return new Unavailable("other changes were in the way for too long, and nothing was changed");
  if (isBefore(code)) return new Unavailable(`nothing was sent: ${message}`);
  return isLost(code) || isRefused(code) ? new Unavailable(message) : error;
}

/**
 * PostgreSQL over a pool of connections. Statements that only read, and changes of rows that decide for themselves, run as they are
 * (READ COMMITTED); all other changes are SERIALIZABLE transactions, which are made again when another was in the way, so that rooms
 * see one change after the other as with SQLite. A change that may have been made when its connection was lost is never made again.
 * Throws Unavailable then, and when there is no answer in time.
 */
export function openPostgres({ url, connections = CONNECTIONS, patience }: PostgresOptions): Database {
  const times = { ...usual, ...patience };
  const connect = () =>
    new SQL({
      url,
      adapter: "postgres",
      // PGDATABASE in the environment would win over the URL.
      database: databaseOf(url),
      max: connections,
      bigint: true,
      connectionTimeout: times.connect / 1000,
      idleTimeout: IDLE,
      maxLifetime: MAX_LIFETIME,
      connection: {
        application_name: "satchel",
        statement_timeout: times.statement,
        // A server that vanished must not keep its locks.
        idle_in_transaction_session_timeout: times.statement,
      },
    });
  let pool = connect();
  let isClosed = false;

  /** Leaves all connections for new ones. */
  const renew = (old: SQL): void => {
    if (old !== pool || isClosed) return;
    pool = connect();
    void old.close({ timeout: 0 });
  };

  /** Waits for an answer as long as it may take. */
  const answered = async (query: SQL.Query<unknown>): Promise<Answer> => {
    const from = pool;
    const unsent = setTimeout(() => query.active || query.cancel(), times.wait);
    const silent = setTimeout(() => renew(from), times.silence);
    try {
      return (await query) as unknown as Answer;
    } catch (error) {
      if ([STALE, ONLY_READS].includes(codeOf(error))) renew(from);
      throw error;
    } finally {
      clearTimeout(unsent);
      clearTimeout(silent);
    }
  };

  const send = async (client: SQL, { text, values }: Sql): Promise<Answer> => {
    const { text: numbered, parameters } = compile(text, values);
    return await answered(client.unsafe(numbered, [...parameters]));
  };

  /** Runs what may be made again until it is made or the time is over. */
  const persist = async <Result>(mayRepeat: (code: string) => boolean, run: () => Promise<Result>): Promise<Result> => {
    const end = performance.now() + times.wait;
    for (let pause = PAUSE.first; ; pause = Math.min(2 * pause, PAUSE.most)) {
      try {
        return await run();
      } catch (error) {
        if (isClosed) throw error;
        if (!mayRepeat(codeOf(error)) || performance.now() > end) throw told(error);
        await Bun.sleep(Math.random() * pause);
      }
    }
  };

  const slot = createSlots(Math.max(1, connections - LEFT), times.wait);

  /** A connection of one's own. One that comes too late goes back. */
  const reserve = async (): Promise<ReservedSQL> => {
    const coming = pool.reserve();
    const { promise: tooLate, reject } = Promise.withResolvers<never>();
    const late = setTimeout(() => {
      reject(new Unavailable("nothing was sent: no connection was free in time"));
      coming.then((client) => client.release()).catch(() => undefined);
    }, times.wait);
    try {
      return await Promise.race([coming, tooLate]);
    } finally {
      clearTimeout(late);
    }
  };

  /** One transaction on a connection of its own. Commits when `work` succeeds. */
  const transact = async <Result>(
    isolation: string,
    work: (client: SQL, begun: Promise<Answer>) => Promise<Result>,
  ) => {
    const client = await reserve();
    try {
      let result: Result;
      try {
        result = await work(client, answered(client.unsafe(`begin isolation level ${isolation}`)));
      } catch (error) {
        // A connection that is lost has ended its transaction.
        await answered(client.unsafe("rollback")).catch(() => undefined);
        throw error;
      }
      await answered(client.unsafe("commit")).catch((error: unknown) => {
        if (isInTheWay(codeOf(error))) throw error;
        throw new Unavailable("the connection was lost while a change was committed, and nobody knows whether it was");
      });
      return result;
    } finally {
      await client.release();
    }
  };

  /** Sends all statements at once and waits for their answers, so that the way to PostgreSQL counts once. */
  const sendAll = async (client: SQL, begun: Promise<Answer>, queries: readonly Sql[]): Promise<Answer[]> => {
    const [first, ...settled] = await Promise.allSettled([begun, ...queries.map((query) => send(client, query))]);
    if (first.status === "rejected") throw first.reason;
    // In order, because what was not as expected may have made the next one fail.
    return settled.map((one, index) => {
      if (one.status === "rejected") throw one.reason;
      const { expected } = queries[index] ?? {};
      if (expected && one.value.affectedRows !== expected.rows) throw expected.failure;
      return one.value;
    });
  };

  const change = (queries: readonly Sql[]): Promise<Answer[]> => {
    const isolation = queries.every(({ isByRow }) => isByRow) ? "read committed" : "serializable";
    const run = () => transact(isolation, (client, begun) => sendAll(client, begun, queries));
    return slot(() => persist((code) => isBefore(code) || isLost(code) || isInTheWay(code), run));
  };

  const one = async (query: Sql): Promise<Answer> => {
    if (READS.test(query.text)) {
      return await persist(
        (code) => isBefore(code) || isLost(code),
        () => send(pool, query),
      );
    }
    if (query.isByRow || !ASKS.test(query.text)) {
      return await persist(
        (code) => isBefore(code) || isInTheWay(code),
        () => send(pool, query),
      );
    }
    const [answer] = await change([query]);
    if (!answer) throw new Error("A statement was not answered.");
    return answer;
  };

  const applyStep = ({ number, statements }: Step) =>
    transact("read committed", async (client, begun) => {
      await begun;
      // Building an index may take long.
      await client.unsafe("set local statement_timeout = 0");
      // Whoever else applies steps waits here.
      await client.unsafe("select number from migrations where number = 0 for update");
      const [there] = await client.unsafe<unknown[]>(`select number from migrations where number = ${number}`);
      if (there) return;
      for (const text of statements.flatMap(migration)) await client.unsafe(text);
      await client.unsafe(`insert into migrations (number, applied_at) values (${number}, ${Date.now()})`);
    });

  return {
    engine: "postgres",
    now: plainSql("floor(extract(epoch from clock_timestamp()) * 1000)::bigint"),
    first: async <Row>(query: Sql) => rowsOf<Row>(await one(query))[0],
    all: async <Row>(query: Sql) => rowsOf<Row>(await one(query)),
    run: async (query) => (await one(query)).affectedRows,
    batch: async (queries) =>
      queries.length === 0 ? [] : (await change(queries)).map(({ affectedRows }) => affectedRows),
    // Nothing is moved between files here.
    holdBack: () => undefined,
    ready: () => Promise.resolve(),
    // PostgreSQL vacuums by itself.
    shrink: async () => 0,
    async lastStep() {
      await persist(
        // Two servers that make the same table at once meet in the catalog.
        (code) => isBefore(code) || isLost(code) || ["23505", "42P07"].includes(code),
        async () => {
          await answered(
            pool.unsafe(
              "create table if not exists migrations (number bigint primary key, applied_at bigint not null)",
            ),
          );
          await answered(
            pool.unsafe(`insert into migrations (number, applied_at) values (0, ${Date.now()}) on conflict do nothing`),
          );
        },
      );
      const answer = await answered(pool.unsafe("select max(number) as number from migrations"));
      return rowsOf<{ number: number }>(answer)[0]?.number ?? 0;
    },
    async apply(steps) {
      for (const step of steps)
        await persist(
          (code) => isBefore(code) || isLost(code) || isInTheWay(code),
          () => applyStep(step),
        );
    },
    async close() {
      isClosed = true;
      await pool.close({ timeout: CLOSING });
    },
  };
}

/** Seconds that running statements have when the database is closed. */
const CLOSING = 5;

const READS = /^\s*select\b/i;
/** A change that reads more than the rows that it changes. */
const ASKS = /\bselect\b/i;

/** Lets so many tasks run at once; others wait in order, at most so many milliseconds. */
function createSlots(width: number, wait: number) {
  let running = 0;
  const waiting = new Set<() => void>();

  const enter = () =>
    new Promise<void>((resolve, reject) => {
      if (running < width) {
        running += 1;
        return resolve();
      }
      const next = () => {
        clearTimeout(late);
        waiting.delete(next);
        resolve();
      };
      const late = setTimeout(() => {
        waiting.delete(next);
        reject(new Unavailable("nothing was sent: all connections were in use for too long"));
      }, wait);
      waiting.add(next);
    });

  const leave = () => {
    const [next] = waiting;
    if (next) next();
    else running -= 1;
  };

  return async <Result>(task: () => Promise<Result>): Promise<Result> => {
    await enter();
    try {
      return await task();
    } finally {
      leave();
    }
  };
}

/** Rows with numbers and texts as rooms know them. Throws when a number is not safe. */
function rowsOf<Row>(answer: Answer): Row[] {
  for (const { name, type } of answer.columns ?? []) {
    const read = readers.get(type);
    if (read) for (const row of answer) if (row[name] !== null) row[name] = read(row[name]);
  }
  return answer as unknown as Row[];
}

function safeNumber(value: unknown): number {
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  throw new RangeError("The database answered with a number that is not safe.");
}

/** How values are read, by the number of their type (pg_type.dat); others are as Bun gives them. */
const readers = new Map<number, (value: unknown) => unknown>([
  [20, safeNumber], // int8
  [1700, safeNumber], // numeric, which sums of int8 are
  [25, (value) => unescapeText(String(value))], // text
  [17, (value) => new Uint8Array(value as Uint8Array)], // bytea
]);

const databaseOf = (url: string): string => decodeURIComponent(new URL(url).pathname.slice(1));
