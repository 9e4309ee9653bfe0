import type { Database } from "./database.ts";
import { counterOf, insertion } from "./load.ts";
import { migrate, type Schema } from "./migrate.ts";
import { openPostgres } from "./postgres/postgres.ts";
import { checkServer, placeOf } from "./server-check.ts";
import { openSqliteSnapshot, type Snapshot } from "./snapshot.ts";
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
  const reader = openSqliteSnapshot(file);
  const target = openPostgres({ url });
  try {
    checkKnown(await migrate(source, false));
    await checkServer(target, url);
    const owner = await ownerOf(source);
    await checkTarget(target, owner, placeOf(url));
    const clearing = reader.tables.toReversed().map((name) => plainSql(`delete from ${name}`));
    await target.batch([...clearing, plainSql("delete from text_quotas"), noteCopy(`${owner} begun`)]);
    for (const table of reader.tables) await copyTable(reader, table, target);
    for (const table of reader.tables) say(`${table}: ${await compare(source, table, target)}`);
    await target.run(noteCopy(`${owner} done`));
  } finally {
    await reader.close();
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

async function copyTable(reader: Snapshot, table: string, target: Database): Promise<void> {
  let columns: readonly string[] = [];
  for await (const rows of reader.rows(table)) {
    columns = Object.keys(rows[0] ?? {});
    await target.run(insertion(table, rows));
  }
  const counter = counterOf(columns);
  if (counter === undefined) return;
  const last = plainSql(`select coalesce(max(${counter}), 0) + 1 from ${table}`);
  await target.first(sql`select setval(pg_get_serial_sequence(${table}, ${counter}), (${last}), false) as next`);
}

/** Compares the counts of a table on both sides and returns them. */
async function compare(source: Database, name: string, target: Database): Promise<number> {
  const count = plainSql(`select count(*) as rows from ${name} ${name === "facts" ? `where name <> '${COPY}'` : ""}`);
  const [here, there] = await Promise.all(
    [source, target].map(async (db) => (await db.first<{ rows: number }>(count))?.rows),
  );
  if (here === there && here !== undefined) return here;
  throw new Error(`The table ${name} has ${here} rows here and ${there} there. Run the copy again.`);
}
