import { type Database, Unavailable } from "../database.ts";
import { plainSql, type Sql } from "../sql.ts";
import type { Answer } from "./answers.ts";
import { compile, unescapeText } from "./dialect.ts";
import { codeOf, isAnswer, isBefore, isInTheWay, isLost, isUnexpected, mayBegin } from "./errors.ts";
import { buildIndexes } from "./indexes.ts";
import { openPool, type PostgresOptions } from "./pool.ts";
import { openSteps } from "./steps.ts";

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
   * One transaction, which is sent as a whole: it takes one way to PostgreSQL and back, and rows are locked only as long as PostgreSQL
   * works. When a statement fails, or changes another number of rows than was expected, those behind it do, and `commit` rolls back.
   * SERIALIZABLE is set when it has begun: a standby refuses it, and where that made `begin` fail, what is sent behind it would commit by
   * itself, should the standby become the primary between the two.
   */
  const transact = async (queries: readonly Statement[]): Promise<readonly Answer[]> => {
    const begin = queries.every(({ isByRow }) => isByRow) ? [BEGIN] : [BEGIN, SERIALIZABLE];
    const sent = [
      ...begin,
      ...queries.map(({ text, values, expected }) => compile(text, values, expected?.rows)),
      COMMIT,
    ];
    const client = await pool.reserve();
    try {
      const settled = await Promise.allSettled(sent.map((one) => pool.sendTo(client, one)));
      const answers = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
      if (answers.length === sent.length) return answers.slice(begin.length, -1);
      // The first, because those behind it fail with it.
      const failed = settled.findIndex(({ status }) => status === "rejected");
      const { reason } = settled[failed] as PromiseRejectedResult;
      // Behind a `begin` that failed alone, because somebody cancelled it, each statement has committed by itself.
      if (failed === 0 && settled.slice(1, -1).some(({ status }) => status === "fulfilled")) {
        throw new Unavailable("a change could not begin, and nobody knows how much of it was made");
      }
      throw outcome(reason, queries[failed - begin.length], failed === sent.length - 1);
    } finally {
      await client.release();
    }
  };

  const inTransaction = (queries: readonly Statement[]) =>
    pool.slot(() => pool.persist(mayBegin, () => transact(queries)));

  const batch = async (queries: readonly Statement[]): Promise<readonly Answer[]> => {
    const [only] = queries;
    if (!only || queries.length > 1) return await inTransaction(queries);
    const { text, values, expected, isByRow } = only;
    const query = compile(text, values, expected?.rows);
    if (!isByRow && query.asks) return await inTransaction(queries);
    const send = () =>
      pool.send(query).catch((error: unknown) => {
        throw expected && isUnexpected(codeOf(error)) ? expected.failure : error;
      });
    return [await pool.persist(mayWrite, send)];
  };

  const one = async ({ text, values, isByRow }: Sql): Promise<Answer> => {
    const query = compile(text, values);
    if (query.reads) return await pool.persist(mayRead, () => pool.send(query));
    if (isByRow || !query.asks) return await pool.persist(mayWrite, () => pool.send(query));
    const [answer] = await inTransaction([{ text, values }]);
    if (!answer) throw new Error("A statement was not answered.");
    return answer;
  };

  return {
    engine: "postgres",
    now: plainSql("floor(extract(epoch from clock_timestamp()) * 1000)::bigint"),
    notifications: {
      notify: plainSql(`select pg_notify('${CHANNEL}', '')`).byRow(),
      listen: (onNotify) => pool.listen(CHANNEL, onNotify),
    },
    first: async <Row>(query: Sql) => rowsOf<Row>(await one(query))[0],
    all: async <Row>(query: Sql) => rowsOf<Row>(await one(query)),
    run: async (query) => (await one(query)).affectedRows,
    async batch(queries) {
      if (queries.length === 0) return [];
      const answers = await batch(queries);
      return answers.map(({ affectedRows }, index) => queries[index]?.expected?.rows ?? affectedRows);
    },
    // Nothing is moved between files here.
    holdBack: () => undefined,
    ready: () => Promise.resolve(),
    // PostgreSQL vacuums by itself.
    shrink: async () => 0,
    ...openSteps(pool),
    buildIndexes: () => buildIndexes(pool),
    close: pool.close,
  };
}

/** What servers wake each other by (NOTIFY). */
const CHANNEL = "satchel";

const mayRead = (code: string): boolean => isBefore(code) || isLost(code);

/** Of a change that commits by itself. */
const mayWrite = (code: string): boolean => isBefore(code) || isInTheWay(code);

const BEGIN = compile("begin", []);
const SERIALIZABLE = compile("set transaction isolation level serializable", []);
const COMMIT = compile("commit", []);

/** What became of a transaction whose first failure this is, of a statement of its own, or of its commit. */
function outcome(reason: unknown, statement: Statement | undefined, ofCommit: boolean): unknown {
  const code = codeOf(reason);
  if (statement?.expected && isUnexpected(code)) return statement.expected.failure;
  const isCertain = ofCommit ? isInTheWay(code) : isAnswer(code);
  // Without a code it is a fault of ours.
  if (isCertain || code === "") return reason;
  return new Unavailable("the connection was lost while a change was made, and nobody knows whether it was");
}

/** Rows with numbers and texts as rooms know them. Throws when a number is not safe. */
export function rowsOf<Row>(answer: Answer): Row[] {
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
