import { Database as Engine } from "bun:sqlite";
import { SQL } from "bun";
import { unescapeText } from "./postgres/dialect.ts";
import { LEFT_OUT } from "./tables.ts";

/** A row of any table, by the names of its columns. */
export type Row = Record<string, string | number | null>;

/** All tables of a database as they were at one moment, while others go on writing. */
export interface Snapshot {
  /** The last step of the tables that was applied. */
  readonly step: number;
  /** Bytes that the database takes on its disk, about. */
  readonly size: number;
  /** Tables whose rows belong to an installation, those that others refer to first. */
  readonly tables: readonly string[];
  /** All rows of a table, a few at a time. */
  rows(table: string): AsyncGenerator<Row[]>;
  close(): Promise<void>;
}

/** Rows in one slice, and letters after which it has no more: texts are up to 10 MB each. */
export const SLICE = { rows: 1000, letters: 4_000_000 };

/** The tables of a list with those that others refer to before them. */
function inOrder(names: readonly string[], referredBy: (name: string) => readonly string[]): string[] {
  const sorted = new Set<string>();
  const add = (name: string, below: readonly string[]): void => {
    if (sorted.has(name) || below.includes(name)) return;
    for (const one of referredBy(name)) if (names.includes(one)) add(one, [...below, name]);
    sorted.add(name);
  };
  for (const name of names) add(name, []);
  return [...sorted];
}

const NOT_STARTED = "There is no Satchel in the database that was ever started.";

/**
 * Opens a read transaction on a SQLite file, which stops nobody from writing (sqlite.org, "Write-Ahead Logging"). The log grows until it is closed. Throws
 * a sentence for a file without tables of Satchel.
 */
export function openSqliteSnapshot(file: string): Snapshot {
  const engine = new Engine(file, { readwrite: true, create: false });
  try {
    engine.exec("pragma busy_timeout = 5000; pragma query_only = on; begin");
    return sqliteSnapshot(engine);
  } catch (error) {
    engine.close();
    throw error;
  }
}

function sqliteSnapshot(engine: Engine): Snapshot {
  const names = engine
    .query<{ name: string }, []>("select name from pragma_table_list where schema = 'main' and type = 'table'")
    .all()
    .flatMap(({ name }) => (name.startsWith("sqlite_") ? [] : name));
  if (!names.includes("migrations") || !names.includes("facts")) throw new Error(NOT_STARTED);
  const referred = (name: string) =>
    engine
      .query<{ table: string }, [string]>(`select "table" from pragma_foreign_key_list(?)`)
      .all(name)
      .map(({ table }) => table);
  const pages = engine.query<{ size: number }, []>(
    "select page_count * page_size as size from pragma_page_count, pragma_page_size",
  );
  return {
    step: engine.query<{ step: number | null }, []>("select max(number) as step from migrations").get()?.step ?? 0,
    size: pages.get()?.size ?? 0,
    tables: inOrder(names, referred).filter((name) => !LEFT_OUT.has(name)),
    async *rows(table) {
      let rows: Row[] = [];
      let letters = 0;
      for (const row of engine.query<Row, []>(`select * from ${table}`).iterate()) {
        rows.push(row);
        letters += lettersOf(row);
        if (rows.length < SLICE.rows && letters < SLICE.letters) continue;
        yield rows;
        [rows, letters] = [[], 0];
      }
      if (rows.length > 0) yield rows;
    },
    async close() {
      engine.close();
    },
  };
}

/** About how much memory a row takes. */
export const lettersOf = (row: Row): number =>
  Object.values(row).reduce<number>((sum, value) => sum + (typeof value === "string" ? value.length : 8), 0);

/** Rows that are fetched at once from tables whose rows are up to 10 MB each, and from all others. */
const FETCHED = { large: 4, usual: 500 };
const LARGE = new Set(["paste_texts"]);

/** Opens a transaction on PostgreSQL that sees one moment (REPEATABLE READ, READ ONLY), on a connection of its own. Throws as `openSqliteSnapshot`. */
export async function openPostgresSnapshot(url: string): Promise<Snapshot> {
  const pool = connectAlone(url);
  try {
    await pool.unsafe("begin isolation level repeatable read read only");
    // It lasts as long as whoever takes its rows.
    await pool.unsafe("set local statement_timeout = 0");
    await pool.unsafe("set local idle_in_transaction_session_timeout = 0");
    return await postgresSnapshot(pool);
  } catch (error) {
    await pool.close({ timeout: 0 });
    throw error;
  }
}

async function postgresSnapshot(client: SQL): Promise<Snapshot> {
  const names = await tableNames(client);
  if (!names.includes("migrations") || !names.includes("facts")) throw new Error(NOT_STARTED);
  const references = await client.unsafe<{ name: string; other: string }[]>(`
    select source.relname as name, target.relname as other from pg_constraint
      join pg_class source on source.oid = conrelid join pg_class target on target.oid = confrelid
    where contype = 'f' and source.relnamespace = current_schema()::regnamespace`);
  const [state] = await client.unsafe<{ step: bigint | null; size: bigint }[]>(
    "select max(number) as step, pg_database_size(current_database()) as size from migrations",
  );
  const referred = (name: string) => references.flatMap((one) => (one.name === name ? one.other : []));
  return {
    step: Number(state?.step ?? 0),
    size: Number(state?.size ?? 0),
    tables: inOrder(names, referred).filter((name) => !LEFT_OUT.has(name)),
    async *rows(table) {
      const columns = await columnsOf(client, table);
      await client.unsafe(`declare dump no scroll cursor for select ${columns.join(", ")} from ${table}`);
      const fetch = `fetch ${LARGE.has(table) ? FETCHED.large : FETCHED.usual} from dump`;
      for (;;) {
        const rows = await client.unsafe<Record<string, unknown>[]>(fetch);
        if (rows.length === 0) break;
        yield rows.map(plainRow);
      }
      await client.unsafe("close dump");
    },
    close: () => client.close({ timeout: 0 }),
  };
}

/** One connection, on which statements follow each other. */
export const connectAlone = (url: string): SQL =>
  new SQL({
    url,
    adapter: "postgres",
    // PGDATABASE in the environment would win over the URL.
    database: decodeURIComponent(new URL(url).pathname.slice(1)),
    max: 1,
    bigint: true,
    idleTimeout: 0,
    maxLifetime: 0,
    connection: { application_name: "satchel", jit: "off", max_parallel_workers_per_gather: 0 },
  });

/** Names of the tables of the schema that a connection uses. */
export const tableNames = async (client: SQL): Promise<string[]> =>
  (
    await client.unsafe<{ name: string }[]>(`select table_name::text as name from information_schema.tables
      where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1`)
  ).map(({ name }) => name);

/** Columns of a table that are written, not made by the database. */
export const columnsOf = async (client: SQL, table: string): Promise<string[]> =>
  (
    await client.unsafe<{ name: string }[]>(
      `select column_name::text as name from information_schema.columns
        where table_schema = current_schema() and table_name = $1 and is_generated = 'NEVER' order by ordinal_position`,
      [table],
    )
  ).map(({ name }) => name);

const plainRow = (row: Record<string, unknown>): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plainValue(value)]));

function plainValue(value: unknown): string | number | null {
  if (value === null) return null;
  if (typeof value === "string") return unescapeText(value);
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  throw new RangeError("The database answered with a number that is not safe.");
}
