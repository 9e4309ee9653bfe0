import type { Database } from "../../../src/database/database.ts";
import { plainSql } from "../../../src/database/sql.ts";

/** Everything that the tables of a database are made of, a sorted line each: the same for the same tables, however they came about. */
export async function schemaOf(db: Database): Promise<string[]> {
  const rows = await db.all<{ line: string }>(plainSql(db.engine === "sqlite" ? SQLITE : POSTGRES));
  const lines = rows.map(({ line }) => (db.engine === "sqlite" ? plainOf(line) : line));
  return lines.filter((line) => line !== "").sort();
}

/** The texts of all that was made, but for the tables that a full-text index keeps its own in. */
const SQLITE = `
  select sqlite_schema.sql as line from sqlite_schema
    left join pragma_table_list as listed on listed.name = tbl_name and listed.schema = 'main'
  where sqlite_schema.sql is not null and sqlite_schema.name not like 'sqlite_%' and coalesce(listed.type, '') <> 'shadow'`;

/** A text without comments, quotes and breaks, with the columns of a table in the order of their names, and each of an index once. */
function plainOf(text: string): string {
  const plain = text
    .replace(/--.*$/gm, "")
    .replace(/\s+/g, " ")
    .replace(/\s?([(),])\s?/g, "$1")
    .toLowerCase();
  const table = /^create table "?(\w+)"?\((.*)\)(strict.*)$/.exec(plain);
  if (table)
    return `table ${table[1]} ${table[3]}: ${partsOf(table[2] ?? "")
      .sort()
      .join(", ")}`;
  const index = /^(create (?:unique )?index \w+ on \w+)\((.*?)\)(.*)$/.exec(plain);
  if (index) return `${index[1]} (${[...new Set(partsOf(index[2] ?? ""))].join(", ")})${index[3]}`;
  return plain;
}

/** What stands between commas, of which none is within parentheses. */
function partsOf(list: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const letter of list) {
    if (letter === "(") depth += 1;
    if (letter === ")") depth -= 1;
    if (letter === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += letter;
  }
  return parts.map((part) => part.trim());
}

/** Names of constraints, and of the indexes behind them, are as the table was called when they were made. */
const POSTGRES = `
  select table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' || coalesce(column_default, '')
      || ' ' || is_identity || ' ' || coalesce(collation_name, '') || ' ' || coalesce(generation_expression, '') as line
    from information_schema.columns where table_schema = 'public'
  union all select case when conname is null then indexdef else replace(indexdef, indexname, '') end
    from pg_indexes left join pg_constraint on conname = indexname and contype in ('p', 'u') where schemaname = 'public'
  union all select conrelid::regclass::text || ' ' || pg_get_constraintdef(oid) from pg_constraint where conrelid <> 0
  union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
  union all select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace`;
