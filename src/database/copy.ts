import { Database as Engine } from "bun:sqlite";
import type { Database } from "./database.ts";
import { migrate, type Schema } from "./migrate.ts";
import { escapeText } from "./postgres/dialect.ts";
import { openPostgres } from "./postgres/postgres.ts";
import { checkServer, placeOf } from "./server-check.ts";
import { plainSql, type Sql, sql } from "./sql.ts";
import { openSqlite } from "./sqlite/sqlite.ts";
import { hasTable } from "./tables.ts";

interface CopyOptions {
  /** The SQLite file that is read; no server may have it open. */
  readonly file: string;
  /** The address of the PostgreSQL that is written. */
  readonly url: string;
  /** Is told what was copied, line by line. */
  readonly say: (line: string) => void;
}

/** Rows in one statement, and letters after which it has no more: texts are up to 10 MB each. */
const SLICE = { rows: 1000, letters: 4_000_000 };

/** The index of names is built anew from what is in the storages; its rows say nothing else. */
const DERIVED = new Set(["nodes", "removed_folders", "search_builds", "search_open", "migrations"]);

/** Tables that have rows from the beginning. */
const SEEDED = new Set(["migrations", "text_quotas"]);

/** The fact that a database is being filled, or was filled and not used since: whose copy it is, and how far. */
const COPY = "copy";

/**
 * Copies an installation from SQLite to PostgreSQL, in slices, and compares the counts of all tables. Done again it begins anew, until a
 * server has used the copy. Throws an Error with a sentence for the operator: when either database is of another version, and when
 * the target holds anything else. Nothing is changed in the source.
 */
export async function copyDatabase({ file, url, say }: CopyOptions): Promise<void> {
  const source = openSqlite({ file, synchronous: "NORMAL" });
  const reader = new Engine(file, { readonly: true });
  const target = openPostgres({ url });
  try {
    checkKnown(await migrate(source, false));
    await checkServer(target, url);
    const owner = await ownerOf(source);
    await checkTarget(target, owner, placeOf(url));
    const tables = tablesOf(reader);
    const clearing = tables.toReversed().map(({ name }) => plainSql(`delete from ${name}`));
    await target.batch([...clearing, plainSql("delete from text_quotas"), noteCopy(`${owner} begun`)]);
    for (const table of tables) await copyTable(reader, table, target);
    for (const table of tables) say(`${table.name}: ${await compare(reader, table, target)}`);
    await target.run(noteCopy(`${owner} done`));
  } finally {
    reader.close();
    await source.close();
    await target.close();
  }
}

/** A server of the version before works on newer tables, but knows not all that a copy has to hold. */
function checkKnown({ version, known }: Schema): void {
  if (version > known) throw new Error("The database is of a newer Satchel. Copy with that one.");
}

/** What tells installations apart. */
async function ownerOf(source: Database): Promise<string> {
  const fact = await source.first<{ value: string }>(sql`select value from facts where name = 'secret check'`);
  if (!fact) throw new Error("The data folder holds no Satchel that was ever started.");
  return fact.value;
}

/** Passes an empty target, and one that holds a copy of the same installation which no server has used. */
async function checkTarget(target: Database, owner: string, place: string): Promise<void> {
  const names = await target.all<{ name: string }>(
    sql`select table_name::text as name from information_schema.tables where table_schema = current_schema()`,
  );
  if (names.length > 0 && !names.some(({ name }) => name === "migrations")) {
    throw new Error(`The database ${place} holds tables of something else. Nothing was changed.`);
  }
  checkKnown(await migrate(target, true));
  const copied = await copyFact(target);
  if (copied?.startsWith(`${owner} `)) return;
  for (const { name } of names) {
    if (SEEDED.has(name) || !(await target.first(plainSql(`select 1 as one from ${name} limit 1`)))) continue;
    throw new Error(`The database ${place} is not empty: a Satchel has used it. Nothing was changed.`);
  }
}

const noteCopy = (state: string): Sql => sql`
  insert into facts (name, value) values (${COPY}, ${state}) on conflict (name) do update set value = excluded.value`;

const copyFact = async (db: Database): Promise<string | undefined> =>
  (await db.first<{ value: string }>(sql`select value from facts where name = ${COPY}`))?.value;

/** Refuses a copy that is not whole. Writes nothing. */
export async function checkCopied(db: Database): Promise<void> {
  if (!(await hasTable(db, "facts")) || !(await copyFact(db))?.endsWith(" begun")) return;
  throw new Error("The copy into this database is not whole. Run satchel database copy again.");
}

/** For a server that starts: from now on nothing may be copied over it. */
export const noteUsed = (db: Database) => db.run(sql`delete from facts where name = ${COPY}`);

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** The column that counts up, if one does. */
  readonly counter: string | undefined;
}

/** The tables of the source, those that others refer to first. */
function tablesOf(reader: Engine): Table[] {
  const names = reader
    .query<{ name: string }, []>("select name from pragma_table_list where schema = 'main' and type = 'table'")
    .all()
    .flatMap(({ name }) => (name.startsWith("sqlite_") || DERIVED.has(name) ? [] : name));
  const sorted = new Set<string>();
  const add = (name: string): void => {
    if (sorted.has(name)) return;
    const referred = reader
      .query<{ table: string }, [string]>(`select "table" from pragma_foreign_key_list(?)`)
      .all(name);
    for (const { table } of referred) if (table !== name) add(table);
    sorted.add(name);
  };
  for (const name of names) add(name);
  return [...sorted].map((name) => {
    const columns = reader.query<{ name: string }, [string]>("select name from pragma_table_info(?)").all(name);
    const counter = columns.find((column) => column.name === "number" && name !== "disk_parts");
    return { name, columns: columns.map((column) => column.name), counter: counter?.name };
  });
}

type Row = Record<string, string | number | null>;

async function copyTable(reader: Engine, { name, columns, counter }: Table, target: Database): Promise<void> {
  const list = columns.join(", ");
  let rows: Row[] = [];
  let letters = 0;
  const write = async (): Promise<void> => {
    // As bytes, because JSON says a NUL in its own way, which PostgreSQL refuses.
    const bytes = new TextEncoder().encode(JSON.stringify(rows));
    rows = [];
    letters = 0;
    const values = sql`select ${plainSql(list)} from json_populate_recordset(null::${plainSql(name)}, convert_from(${bytes}, 'UTF8')::json)`;
    await target.run(sql`insert into ${plainSql(name)} (${plainSql(list)}) ${values}`.byRow());
  };
  for (const row of reader.query<Row, []>(`select ${list} from ${name}`).iterate()) {
    rows.push(Object.fromEntries(Object.entries(row).map(([column, value]) => [column, escaped(value)])));
    for (const value of Object.values(row)) letters += typeof value === "string" ? value.length : 8;
    if (rows.length >= SLICE.rows || letters >= SLICE.letters) await write();
  }
  if (rows.length > 0) await write();
  if (counter === undefined) return;
  const last =
    reader.query<{ last: number | null }, []>(`select max(${counter}) as last from ${name}`).get()?.last ?? 0;
  await target.first(sql`select setval(pg_get_serial_sequence(${name}, ${counter}), ${last + 1}, false) as next`);
}

const escaped = (value: string | number | null) => (typeof value === "string" ? escapeText(value) : value);

/** Compares the counts of a table on both sides and returns them. */
async function compare(reader: Engine, { name }: Table, target: Database): Promise<number> {
  const count = `select count(*) as rows from ${name} ${name === "facts" ? `where name <> '${COPY}'` : ""}`;
  const here = reader.query<{ rows: number }, []>(count).get()?.rows;
  const there = (await target.first<{ rows: number }>(plainSql(count)))?.rows;
  if (here === there && here !== undefined) return here;
  throw new Error(`The table ${name} has ${here} rows here and ${there} there. Run the copy again.`);
}
