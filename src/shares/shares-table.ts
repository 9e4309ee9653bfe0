/** What the tables of texts and of files have alike. */
import type { Database, Reading } from "../database/database.ts";
import { list, plainSql, type Sql, sql } from "../database/sql.ts";
import { countByDay, type Days } from "./days-table.ts";
import { type Listed, type ListFilter, type ListPage, listing, type Outlook } from "./lists-table.ts";

/** Ids and slugs of shares that were asked for; another share may have a slug than the one that has the id. */
export interface Known {
  readonly ids: ReadonlySet<string>;
  readonly slugs: ReadonlySet<string>;
}

interface SharesTable<Sort extends string> extends Listed<Sort> {
  readonly columns: Sql;
  /** The columns of rows in lists. */
  readonly listedColumns: Sql;
}

/** The statements for the shares of one table, whose rows are these; lists are read by `reading`. */
export function sharesTable<Row, ListedRow extends { readonly id: string }, Sort extends string>(
  db: Database,
  reading: Reading,
  { columns, listedColumns, ...listed }: SharesTable<Sort>,
) {
  const lists = listing<Sort>(listed);
  const table = plainSql(listed.table);
  const asking = (now: number, outlook: Outlook | undefined) => ({ engine: db.engine, now, outlook });

  return {
    findByRequestKey: (key: string) =>
      db.first<Row & { request_digest: string }>(
        sql`select ${columns}, request_digest from ${table} where request_key = ${key}`,
      ),

    /** Which of these ids and slugs there are. */
    async known(ids: readonly string[], slugs: readonly string[]): Promise<Known> {
      const rows = await db.all<{ id: string; slug: string }>(
        sql`select id, slug from ${table} where id in (${list(ids)}) union select id, slug from ${table} where slug in (${list(slugs)})`,
      );
      return { ids: new Set(rows.map(({ id }) => id)), slugs: new Set(rows.map(({ slug }) => slug)) };
    },

    forgetRequestKeys: (before: number) =>
      db.run(
        sql`update ${table} set request_key = null, request_digest = null where request_key is not null and created_at <= ${before}`,
      ),

    /** Adds views that were counted in memory. They may use up a share that got a limit in the meantime. */
    addViews: (views: ReadonlyMap<string, number>, now: number) =>
      db.batch(
        [...views].flatMap(([id, count]) => [
          sql`update ${table} set views = views + ${count} where id = ${id}`.byRow(),
          // Apart, because it stands in every index of the list.
          sql`update ${table} set spent_at = ${now} where id = ${id} and max_views > 0 and views >= max_views and spent_at is null`.byRow(),
        ]),
      ),

    /** How a search is to be answered, which `page` and `count` are told. */
    outlook: (filter: ListFilter, now: number) => lists.outlook(reading, filter, now),

    page: (page: ListPage<Sort>, now: number, outlook?: Outlook): Promise<ListedRow[]> =>
      lists.rows(reading, asking(now, outlook), page, ({ numbers, by }) =>
        reading.all<ListedRow>(sql`select ${listedColumns} from ${table} where number in (${numbers}) order by ${by}`),
      ),

    count: (filter: ListFilter, now: number, outlook?: Outlook) => lists.count(reading, asking(now, outlook), filter),

    countByDay: (days: Days) => countByDay(db, sql`${table} where ${listed.shown ?? sql`true`}`, days),
  };
}

/** Spends a view of a share in one conditional statement, which changes no row when the share has changed, expired or is used up. */
export const spending = (
  table: "pastes" | "files",
  { id, version }: { readonly id: string; readonly version: number },
  now: number,
): Sql => sql`
  update ${plainSql(table)} set views = views + 1,
    spent_at = case when max_views > 0 and views + 1 >= max_views then ${now} else spent_at end
  where id = ${id} and version = ${version}
    and (max_views = 0 or views < max_views) and (expires_at is null or expires_at > ${now})`;
