import type { SQL } from "bun";
import type { Database } from "./database.ts";
import { makeTables } from "./migrate.ts";
import { compile, escapeText } from "./postgres/dialect.ts";
import { openPostgres } from "./postgres/postgres.ts";
import { checkServer, placeOf } from "./server-check.ts";
import { columnsOf, connectAlone, lettersOf, type Row, SLICE, tableNames } from "./snapshot.ts";
import { list, plainSql, type Sql, sql } from "./sql.ts";
import { openSqlite } from "./sqlite/sqlite.ts";
import { LEFT_OUT } from "./tables.ts";

/** An empty database that is being filled. Nobody sees anything of it before `commit`. */
export interface Load {
  /** Adds rows to a table. Throws a sentence for a table or a column that this Satchel does not have. */
  add(table: string, rows: readonly Row[]): Promise<void>;
  /** Rows of a table that were added. */
  count(table: string): number;
  /** The value of a fact that the database says of itself. */
  fact(name: string): Promise<string | undefined>;
  /** Checks what was added, and makes it the content of the database. */
  commit(): Promise<void>;
  /** Leaves the database as it was. Does nothing after `commit`. */
  close(): Promise<void>;
}

/** The names of tables and columns that may be filled; rows come from archives, which anybody may have made. */
class Shapes {
  readonly #columns = new Map<string, readonly string[]>();
  readonly counts = new Map<string, number>();

  constructor(readonly read: (table: string) => Promise<readonly string[]>) {}

  async check(table: string, rows: readonly Row[]): Promise<readonly string[]> {
    const columns = this.#columns.get(table) ?? (LEFT_OUT.has(table) ? [] : await this.read(table));
    if (columns.length === 0) throw new Error(`This Satchel has no table ${JSON.stringify(table)}.`);
    this.#columns.set(table, columns);
    for (const row of rows)
      for (const name of Object.keys(row))
        if (!columns.includes(name)) throw new Error(`The table ${table} has no column ${JSON.stringify(name)}.`);
    this.counts.set(table, (this.counts.get(table) ?? 0) + rows.length);
    return columns;
  }
}

/** What a new database has in its tables already. */
const SEEDED = ["delete from text_quotas", "delete from facts"] as const;

/** The column that counts up, if a table has one. */
export const counterOf = (columns: readonly string[]): string | undefined => columns.find((name) => name === "number");

/** Makes a SQLite file with the tables of a step. Its place must be free, and nobody else may open it before `commit`. */
export async function loadSqlite(file: string, step: number): Promise<Load> {
  const db = openSqlite({ file, synchronous: "NORMAL" });
  await makeTables(db, step);
  // Rows of a table may refer to others of the same one. What is wrong is found in the end.
  await db.first(plainSql("pragma foreign_keys = off"));
  await db.batch(SEEDED.map(plainSql));
  const shapes = new Shapes(async (table) => {
    const columns = await db.all<{ name: string }>(sql`
      select pragma_table_info.name from pragma_table_list, pragma_table_info(pragma_table_list.name)
      where pragma_table_list.schema = 'main' and pragma_table_list.type = 'table' and pragma_table_list.name = ${table}`);
    return columns.map(({ name }) => name);
  });
  return {
    async add(table, rows) {
      await shapes.check(table, rows);
      await db.batch(
        rows.map((row) => {
          const names = plainSql(Object.keys(row).join(", "));
          return sql`insert into ${plainSql(table)} (${names}) values (${list(Object.values(row))})`;
        }),
      );
    },
    count: (table) => shapes.counts.get(table) ?? 0,
    fact: async (name) => (await db.first<{ value: string }>(sql`select value from facts where name = ${name}`))?.value,
    async commit() {
      if (await db.first(plainSql("pragma foreign_key_check")))
        throw new Error("A row of the backup refers to one that is not in it.");
      await db.first(plainSql("pragma wal_checkpoint(truncate)"));
    },
    close: () => db.close(),
  };
}

/**
 * Fills an empty PostgreSQL in one transaction, which `commit` ends. Its tables are made before that, so an interrupted load leaves empty ones. Throws a
 * sentence for a database that holds anything.
 */
export async function loadPostgres(url: string, step: number): Promise<Load> {
  const db = openPostgres({ url, connections: 3 });
  try {
    await checkServer(db, url);
    await checkEmpty(db, url, step);
  } finally {
    await db.close();
  }
  const client = connectAlone(url);
  try {
    await client.unsafe("begin");
    await client.unsafe("set local statement_timeout = 0");
    await client.unsafe("set local idle_in_transaction_session_timeout = 0");
    // Another load of the same database waits here, and finds that it is not empty.
    await client.unsafe("select number from migrations where number = 0 for update");
    await requireEmpty(await tableNames(client), (text) => client.unsafe(text), url);
    for (const statement of SEEDED) await client.unsafe(statement);
    return fillPostgres(client);
  } catch (error) {
    await client.close({ timeout: 0 });
    throw error;
  }
}

function fillPostgres(client: SQL): Load {
  const shapes = new Shapes((table) => columnsOf(client, table));
  const counters = new Map<string, string>();
  let isOver = false;
  return {
    async add(table, rows) {
      const columns = await shapes.check(table, rows);
      const counter = counterOf(columns);
      if (counter !== undefined) counters.set(table, counter);
      for (const slice of slices(rows)) {
        const { text, values } = insertion(table, slice);
        const compiled = compile(text, values);
        await client.unsafe(compiled.text, compiled.parameters);
      }
    },
    count: (table) => shapes.counts.get(table) ?? 0,
    async fact(name) {
      const [row] = await client.unsafe<{ value: string }[]>("select value from facts where name = $1", [name]);
      return row?.value;
    },
    async commit() {
      for (const [table, column] of counters)
        await client.unsafe(
          `select setval(pg_get_serial_sequence('${table}', '${column}'), coalesce(max(${column}), 0) + 1, false) from ${table}`,
        );
      await client.unsafe("commit");
      isOver = true;
    },
    async close() {
      // A connection that is lost has ended its transaction.
      if (!isOver) await client.unsafe("rollback").catch(() => undefined);
      isOver = true;
      await client.close({ timeout: 0 });
    },
  };
}

/** Many rows in one statement of PostgreSQL. Columns that a row does not name are null. */
export function insertion(table: string, rows: readonly Row[]): Sql {
  const named = plainSql([...new Set(rows.flatMap(Object.keys))].join(", "));
  const escaped = rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, typeof value === "string" ? escapeText(value) : value]),
    ),
  );
  // As bytes, because JSON says a NUL in its own way, which PostgreSQL refuses.
  const bytes = new TextEncoder().encode(JSON.stringify(escaped));
  const values = sql`select ${named} from json_populate_recordset(null::${plainSql(table)}, convert_from(${bytes}, 'UTF8')::json)`;
  return sql`insert into ${plainSql(table)} (${named}) ${values}`.byRow();
}

function* slices(rows: readonly Row[]): Generator<Row[]> {
  let slice: Row[] = [];
  let letters = 0;
  for (const row of rows) {
    slice.push(row);
    letters += lettersOf(row);
    if (slice.length < SLICE.rows && letters < SLICE.letters) continue;
    yield slice;
    [slice, letters] = [[], 0];
  }
  if (slice.length > 0) yield slice;
}

/** Passes a database without tables, and one with those of Satchel at this step that nobody has used. */
async function checkEmpty(db: Database, url: string, step: number): Promise<void> {
  const names = (
    await db.all<{ name: string }>(
      sql`select table_name::text as name from information_schema.tables where table_schema = current_schema()`,
    )
  ).map(({ name }) => name);
  const place = placeOf(url);
  if (names.length > 0 && !names.includes("migrations"))
    throw new Error(`The database ${place} holds tables of something else. Nothing was changed.`);
  await requireEmpty(names, (text) => db.all(plainSql(text)), url);
  const before = names.length > 0 ? await db.lastStep() : 0;
  if (before > step)
    throw new Error(
      `The tables of the database ${place} are at step ${before}, and those of the backup at ${step}. Restore into a database without tables. Nothing was changed.`,
    );
  await makeTables(db, step);
}

/** Tables that have rows from the beginning, and what they then have. */
const FILLED = new Map([
  ["migrations", "true"],
  ["text_quotas", "true"],
  ["facts", "name = 'needed step'"],
]);

async function requireEmpty(
  names: readonly string[],
  look: (text: string) => Promise<readonly unknown[]>,
  url: string,
): Promise<void> {
  for (const name of names) {
    const rows = await look(`select 1 as one from ${name} where not (${FILLED.get(name) ?? "false"}) limit 1`);
    if (rows.length === 0) continue;
    throw new Error(`The database ${placeOf(url)} is not empty: a Satchel has used it. Nothing was changed.`);
  }
}
