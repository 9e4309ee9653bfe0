import type { Database } from "../../../../src/database/database.ts";
import { plainSql, type Sql } from "../../../../src/database/sql.ts";

/** How databases find the rows of a statement, and what of it grows with the tables. */

/** Rows that a statement may go through to find what it wants. */
const FEW = 1000;
/** What PostgreSQL reckons a statement may cost: a scan of the tables that `full-tables.ts` fills costs from 400 on, a look-up about 8. */
const CHEAP = 300;

/** Tables of what administrators make, and what single statements make for themselves. */
const SMALL =
  /^(storage_configs|mine|twin|chosen|mounts|rival|heir|api_keys|settings|facts|admin_account|search_builds|search_open|change_version|change_intents|up|below|days|n|list|json_each|node|known|slice|near|begun|counted|shared|sessions|sign_in_links|dav_locks|removed_folders|text_quotas|stretch|CONSTANT)$/;

/** Says what of a statement grows with the tables; empty for one that looks up what it wants. */
export type Examine = (query: Sql) => Promise<readonly string[]>;

const explained = (words: string, query: Sql): Sql =>
  Object.assign(plainSql(`${words} ${query.text}`).byRow(), { values: query.values });

export async function examiner(db: Database): Promise<Examine> {
  if (db.engine === "postgres") {
    await db.run(plainSql("analyze").byRow());
    return (query) => costs(db, query);
  }
  const common = await commonRows(db);
  return (query) => scans(db, query, common);
}

interface Plan {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Total Cost": number;
  readonly Plans?: readonly Plan[];
}

async function costs(db: Database, query: Sql): Promise<readonly string[]> {
  const [row] = await db.all<{ "QUERY PLAN": string | readonly { readonly Plan: Plan }[] }>(
    explained("explain (format json)", query),
  );
  const said = row?.["QUERY PLAN"] ?? "[]";
  const [{ Plan: plan } = { Plan: undefined }] = (typeof said === "string" ? JSON.parse(said) : said) as {
    Plan: Plan;
  }[];
  if (!plan || plan["Total Cost"] <= CHEAP) return [];
  const lines = (one: Plan): string[] => [
    `${one["Node Type"]} ${one["Relation Name"] ?? one["Index Name"] ?? ""} ${one["Total Cost"]}`,
    ...(one.Plans ?? []).flatMap(lines),
  ];
  return lines(plan);
}

/** How many rows each beginning of an index has in common, by the name of the index. */
async function commonRows(db: Database): Promise<ReadonlyMap<string, readonly number[]>> {
  await db.run(plainSql("analyze"));
  const rows = await db.all<{ idx: string; stat: string }>(
    plainSql("select idx, stat from sqlite_stat1 where idx is not null"),
  );
  // The server lets nothing be analyzed, so its plans are made without.
  await db.run(plainSql("delete from sqlite_stat1"));
  await db.run(plainSql("analyze sqlite_schema"));
  return new Map(
    rows.map(({ idx, stat }) => [idx, stat.split(" ").flatMap((word) => (/^\d+$/.test(word) ? [Number(word)] : []))]),
  );
}

async function scans(
  db: Database,
  query: Sql,
  common: ReadonlyMap<string, readonly number[]>,
): Promise<readonly string[]> {
  const steps = await db.all<{ detail: string }>(explained("explain query plan", query));
  return steps.map(({ detail }) => detail).filter((detail) => grows(detail, common));
}

/** A step such as `SEARCH uploads USING INDEX uploads_by_key (storage=? AND key>? AND key<?)`. */
function grows(detail: string, common: ReadonlyMap<string, readonly number[]>): boolean {
  const [, kind, table = ""] = /^(SCAN|SEARCH) (\S+)/.exec(detail) ?? [];
  if (!kind || SMALL.test(table) || /VIRTUAL TABLE INDEX \d+:\S/.test(detail)) return false;
  if (kind === "SCAN") return true;
  const [, index = "", conditions = ""] = /INDEX (\S+) \((.*)\)/.exec(detail) ?? [];
  if (/[<>]/.test(conditions)) return false;
  const equal = conditions.split(" AND ").length;
  return (common.get(index)?.[equal] ?? 1) > FEW;
}
