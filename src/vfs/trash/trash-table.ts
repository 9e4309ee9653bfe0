import type { Database } from "../../database/database.ts";
import { below } from "../../database/keys.ts";
import { joined, list, type Sql, sql } from "../../database/sql.ts";
import type { Trashed } from "../../stores/changes.ts";
import type { Place } from "../../stores/store.ts";

/** Something in the trash. */
export interface TrashRow extends Omit<Trashed, "deletedAt" | "purgeAt"> {
  readonly storage: string;
  /** In the trash; that of a folder ends in a slash. */
  readonly key: string;
  /** Epoch milliseconds. */
  readonly deleted_at: number;
  /** When it goes for ever. */
  readonly purge_at: number;
}

/** Whose things, and where they lay. */
export interface TrashScope {
  /** Undefined for everybody's. */
  readonly owners: readonly string[] | undefined;
  /** The path of a folder that they lay in. */
  readonly base: string;
  /** Undefined for all. */
  readonly storages: readonly string[] | undefined;
}

/** A page, newest first. */
export interface TrashPage extends TrashScope {
  readonly limit: number;
  /** The last of the page before. */
  readonly after: Pick<TrashRow, "deleted_at" | "id"> | undefined;
}

const columns = sql`id, storage, key, name, mount, origin, path, size, files, owner, deleted_at, purge_at`;

/** In a scope, and not about to go for ever. */
const isIn = ({ owners, base, storages }: TrashScope, now: number): Sql =>
  joined(
    [
      sql`purge_at > ${now}`,
      ...(owners ? [sql`owner in (${list(owners)})`] : []),
      ...(storages ? [storages.length === 0 ? sql`1 = 0` : sql`storage in (${list(storages)})`] : []),
      ...(base === "/" ? [] : [sql`(path = ${base} or (${below(`${base}/`, sql`path`)}))`]),
    ],
    " and ",
  );

export const trashTable = (db: Database) => ({
  /** Notes what has come to the trash; told again, it is there already. */
  insert: ({ storage, key }: Place, row: Trashed) =>
    db.run(sql`insert into trash (${columns}) values (${row.id}, ${storage}, ${key}, ${row.name}, ${row.mount}, ${row.origin},
      ${row.path}, ${row.size}, ${row.files}, ${row.owner}, ${row.deletedAt}, ${row.purgeAt}) on conflict do nothing`),

  /** Notes that what lay at a key in the trash is no longer there. */
  removeAt: ({ storage, key }: Place) => db.run(sql`delete from trash where storage = ${storage} and key = ${key}`),

  find: (id: string) => db.first<TrashRow>(sql`select ${columns} from trash where id = ${id}`),

  page: ({ limit, after, ...scope }: TrashPage, now: number) =>
    db.all<TrashRow>(sql`
      select ${columns} from trash where ${isIn(scope, now)} ${
        after
          ? sql`and (deleted_at < ${after.deleted_at} or (deleted_at = ${after.deleted_at} and id < ${after.id}))`
          : sql``
      }
      order by deleted_at desc, id desc limit ${limit}`),

  /** Has all of a scope go for ever; answers how many. */
  endAll: (scope: TrashScope, now: number) => db.run(sql`update trash set purge_at = ${now} where ${isIn(scope, now)}`),

  /** Has one go for ever. */
  end: (id: string, now: number) =>
    db.run(sql`update trash set purge_at = ${now} where id = ${id} and purge_at > ${now}`),

  /** What has to go for ever, oldest first, without that of some storages. */
  due: (now: number, limit: number, without: readonly string[]) =>
    db.all<TrashRow>(sql`
      select ${columns} from trash where purge_at <= ${now} ${without.length === 0 ? sql`` : sql`and storage not in (${list(without)})`}
      order by purge_at, id limit ${limit}`),
});
