import type { SQL } from "bun";
import { type Database, plainSql, type Sql, type Step, Unavailable } from "./database.ts";
import { compile, migration, unescapeText } from "./postgres-dialect.ts";
import { codeOf, isBefore, isInTheWay, isLost } from "./postgres-errors.ts";
import { type Answer, openPool, type PostgresOptions } from "./postgres-pool.ts";

type Statement = Pick<Sql, "text" | "values" | "expected" | "isByRow">;

/**
 * PostgreSQL over a pool of connections. Statements that only read, and changes of rows that decide for themselves, run as they are
 * (READ COMMITTED); all other changes are SERIALIZABLE transactions, which are made again when another was in the way, so that rooms
 * see one change after the other as with SQLite. A change that may have been made when its connection was lost is never made again.
 * Throws Unavailable then, and when there is no answer in time.
 */
export function openPostgres(options: PostgresOptions): Database {
  const pool = openPool(options);

  /**
   * One transaction on a connection of its own. Commits when `work` succeeds. Its level is set when it has begun: a standby refuses
   * SERIALIZABLE, and where that made `begin` fail, what is sent behind it would commit by itself, should the standby become the primary
   * between the two.
   */
  const transact = async <Result>(
    isolation: string,
    work: (client: SQL, begun: Promise<Answer>) => Promise<Result>,
  ) => {
    const client = await pool.reserve();
    try {
      let result: Result;
      try {
        result = await work(
          client,
          pool.answered(client.unsafe(`begin; set transaction isolation level ${isolation}`)),
        );
      } catch (error) {
        // A connection that is lost has ended its transaction.
        await pool.answered(client.unsafe("rollback")).catch(() => undefined);
        throw error;
      }
      await pool.answered(client.unsafe("commit")).catch((error: unknown) => {
        if (isInTheWay(codeOf(error))) throw error;
        throw new Unavailable("the connection was lost while a change was committed, and nobody knows whether it was");
      });
      return result;
    } finally {
      await client.release();
    }
  };

  /** Sends all statements at once and waits for their answers, so that the way to PostgreSQL counts once. */
  const sendAll = async (client: SQL, begun: Promise<Answer>, queries: readonly Statement[]): Promise<Answer[]> => {
    const [first, ...settled] = await Promise.allSettled([
      begun,
      ...queries.map((query) => pool.sendTo(client, compile(query.text, query.values))),
    ]);
    if (first.status === "rejected") throw first.reason;
    // In order, because what was not as expected may have made the next one fail.
    return settled.map((one, index) => {
      if (one.status === "rejected") throw one.reason;
      const { expected } = queries[index] ?? {};
      if (expected && one.value.affectedRows !== expected.rows) throw expected.failure;
      return one.value;
    });
  };

  const change = (queries: readonly Statement[]): Promise<Answer[]> => {
    const isolation = queries.every(({ isByRow }) => isByRow) ? "read committed" : "serializable";
    const run = () => transact(isolation, (client, begun) => sendAll(client, begun, queries));
    return pool.slot(() => pool.persist(mayBegin, run));
  };

  const one = async ({ text, values, isByRow }: Sql): Promise<Answer> => {
    const query = compile(text, values);
    if (query.reads) return await pool.persist(mayRead, () => pool.send(query));
    if (isByRow || !query.asks) return await pool.persist(mayWrite, () => pool.send(query));
    const [answer] = await change([{ text, values }]);
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
    waking: {
      all: plainSql(`select pg_notify('${CHANNEL}', '')`).byRow(),
      hear: (woken) => pool.listen(CHANNEL, woken),
    },
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
      const plain = (text: string, ...values: number[]) => compile(text, values);
      // Row 0 is what servers that migrate at once wait for.
      await pool.persist(
        (code) => mayBegin(code) || isThere(code),
        async () => {
          await pool.send(
            plain("create table if not exists migrations (number bigint primary key, applied_at bigint not null)"),
          );
          await pool.send(
            plain("insert into migrations (number, applied_at) values (0, ?) on conflict do nothing", Date.now()),
          );
        },
      );
      const answer = await pool.send(plain("select max(number) as number from migrations"));
      return rowsOf<{ number: number }>(answer)[0]?.number ?? 0;
    },
    async apply(steps) {
      for (const step of steps) await pool.persist(mayBegin, () => applyStep(step));
    },
    close: pool.close,
  };
}

/** Another made the same table at once: the table, its type or its name in the catalog was there first. */
const isThere = (code: string): boolean => ["42P07", "42710", "23505"].includes(code);

/** What servers wake each other by (NOTIFY). */
const CHANNEL = "satchel";

const mayRead = (code: string): boolean => isBefore(code) || isLost(code);

/** Of a change that commits by itself. */
const mayWrite = (code: string): boolean => isBefore(code) || isInTheWay(code);

/** Of a transaction that was not sent to be committed. */
const mayBegin = (code: string): boolean => isBefore(code) || isLost(code) || isInTheWay(code);

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
