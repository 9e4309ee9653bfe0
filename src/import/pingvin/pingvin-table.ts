/** The tables of Pingvin Share, of all versions: a column that a version does not have is null. */

import type { ForeignFile } from "../../database/foreign-file.ts";
import { plainSql, type Sql, sql } from "../../database/sql.ts";

/** A row as it was found: what it says is not known before a schema has read it. */
interface FoundRow {
  readonly place: unknown;
}

type Table = "Share" | "File" | "ShareSecurity" | "ReverseShare";

/** Rows that are read at once. */
const AT_ONCE = 500;

/** Characters of a text that are read; schemas want fewer, so that one that is cut is seen. */
const CHARACTERS = 20_000;

/** What is read of each table. */
const columns: Readonly<Record<Table, readonly string[]>> = {
  Share: [
    ...["id", "createdAt", "name", "uploadLocked", "views", "expiration", "description", "removedReason", "creatorId"],
    ...["reverseShareId", "storageProvider", "storagePath", "blockedAt"],
  ],
  File: ["id", "name", "size", "storageName"],
  ShareSecurity: ["password", "maxViews", "restrictToRecipients"],
  ReverseShare: [
    ...["id", "createdAt", "token", "shareExpiration", "maxShareSize", "remainingUses", "sendEmailNotification"],
    ...["publicAccess", "used"],
  ],
};

/** Whether a file has such a table. A view may have rows without end. */
const hasTable = (file: ForeignFile, name: string): boolean =>
  file.first(sql`select 1 from pragma_table_list where schema = 'main' and type = 'table' and name = ${name}`) !==
  undefined;

/** Whether a file has the tables by which Pingvin Share is known. */
export const hasShares = (file: ForeignFile): boolean =>
  ["Share", "File", "ShareSecurity"].every((name) => hasTable(file, name));

/** So that the files of one share are found without looking at all: Prisma makes no index for that. */
export const pingvinIndexes: readonly Sql[] = [
  plainSql(`create index if not exists satchel_files on "File" ("shareId")`),
  plainSql(`create index if not exists satchel_security on "ShareSecurity" ("shareId")`),
];

/** Text and numbers as they are, as far as anything is read of them; bytes, which no schema takes for a value that is missing, as one byte. */
const shortened = (name: string): string =>
  `case typeof("${name}") when 'text' then substr("${name}", 1, ${CHARACTERS}) when 'blob' then x'00' else "${name}" end as "${name}"`;

export function pingvinTable(file: ForeignFile) {
  /** What is asked for of a table; undefined of one that this version does not have. */
  const reading = (table: Table): Sql | undefined => {
    if (!hasTable(file, table)) return undefined;
    const has = file
      .all<{ name: string }>(plainSql(`select name from pragma_table_info('${table}')`))
      .map(({ name }) => name);
    const each = columns[table].map((name) => (has.includes(name) ? shortened(name) : `null as "${name}"`));
    return plainSql(`select _rowid_ as place, ${each.join(", ")} from "${table}"`);
  };
  const read = {
    Share: reading("Share"),
    File: reading("File"),
    ShareSecurity: reading("ShareSecurity"),
    ReverseShare: reading("ReverseShare"),
  };

  /** Pages of rows in the order in which they were made. */
  function* pages(table: Table, where: Sql): Generator<FoundRow[]> {
    const from = read[table];
    let [after, rows]: [number, FoundRow[]] = [-1, []];
    while (from) {
      rows = file.all<FoundRow>(sql`${from} where _rowid_ > ${after} and ${where} order by _rowid_ limit ${AT_ONCE}`);
      if (rows.length === 0) return;
      yield rows;
      const last = rows.at(-1)?.place;
      // A table may call a column of its own so.
      if (typeof last !== "number" || last <= after) throw new Error(`The rows of the table ${table} have no order.`);
      after = last;
    }
  }

  const count = (from: Sql): number =>
    file.first<{ total: number }>(sql`select count(*) as total from ${from}`)?.total ?? 0;
  const everything = sql`true`;

  return {
    shares: () => pages("Share", everything),
    reverseShares: () => pages("ReverseShare", everything),
    files: (share: string) => pages("File", sql`"shareId" = ${share}`),
    countFiles: (share?: string): number =>
      count(share === undefined ? sql`"File"` : sql`"File" where "shareId" = ${share}`),

    /** Undefined for a share without. */
    security: (share: string) =>
      read.ShareSecurity && file.first<FoundRow>(sql`${read.ShareSecurity} where "shareId" = ${share}`),
    reverseShare: (id: string) =>
      read.ReverseShare && file.first<FoundRow>(sql`${read.ReverseShare} where "id" = ${id}`),

    /** Rows of a table of which nothing else is read; none of one that is not there. */
    countOf: (table: PingvinTableName): number => (hasTable(file, table) ? count(plainSql(`"${table}"`)) : 0),
  };
}

/** Tables of which nothing is imported. */
export const pingvinTablesLeft = [
  ...(["User", "RefreshToken", "LoginToken", "ResetPasswordToken", "OAuthUser"] as const),
  ...(["ShareRecipient", "ShareUserRecipient", "ShareAccessLog", "Config"] as const),
] as const;
export type PingvinTableName = (typeof pingvinTablesLeft)[number];

export type PingvinTable = ReturnType<typeof pingvinTable>;
