import { Database } from "bun:sqlite";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Data folders as the last Pingvin Share leaves them, made by code: a database of Prisma's, and files by their ids below `uploads/shares`. */

/** The tables after all migrations. */
const TABLES = `
  create table "User" ("id" text not null primary key, "createdAt" datetime not null default current_timestamp, "updatedAt" datetime not null,
    "username" text not null, "email" text not null, "password" text, "isAdmin" boolean not null default false, "totpEnabled" boolean not null default false,
    "totpVerified" boolean not null default false, "totpSecret" text, "ldapDN" text);
  create table "ReverseShare" ("id" text not null primary key, "createdAt" datetime not null default current_timestamp, "token" text not null,
    "shareExpiration" datetime not null, "maxShareSize" text not null, "sendEmailNotification" boolean not null, "remainingUses" integer not null,
    "simplified" boolean not null default false, "publicAccess" boolean not null default true, "creatorId" text not null,
    constraint "ReverseShare_creatorId_fkey" foreign key ("creatorId") references "User" ("id") on delete cascade on update cascade);
  create table "Share" ("id" text not null primary key, "createdAt" datetime not null default current_timestamp, "name" text,
    "uploadLocked" boolean not null default false, "views" integer not null default 0, "expiration" datetime not null, "description" text,
    "removedReason" text, "creatorId" text, "reverseShareId" text, "storageProvider" text not null default 'LOCAL',
    constraint "Share_creatorId_fkey" foreign key ("creatorId") references "User" ("id") on delete cascade on update cascade,
    constraint "Share_reverseShareId_fkey" foreign key ("reverseShareId") references "ReverseShare" ("id") on delete cascade on update cascade);
  create table "File" ("id" text not null primary key, "createdAt" datetime not null default current_timestamp, "name" text not null,
    "size" text not null, "shareId" text not null,
    constraint "File_shareId_fkey" foreign key ("shareId") references "Share" ("id") on delete cascade on update cascade);
  create table "ShareSecurity" ("id" text not null primary key, "createdAt" datetime not null default current_timestamp, "password" text,
    "maxViews" integer, "shareId" text,
    constraint "ShareSecurity_shareId_fkey" foreign key ("shareId") references "Share" ("id") on delete cascade on update cascade);
  create table "ShareRecipient" ("id" text not null primary key, "email" text not null, "shareId" text not null);
  create table "Config" ("updatedAt" datetime not null, "name" text not null, "category" text not null, "type" text not null,
    "defaultValue" text not null default '', "value" text, "obscured" boolean not null default false, "secret" boolean not null default true,
    "locked" boolean not null default false, "order" integer not null, primary key ("name", "category"));
  create table "_prisma_migrations" ("id" text primary key not null, "checksum" text not null, "migration_name" text not null);
  create unique index "ShareSecurity_shareId_key" on "ShareSecurity" ("shareId");
  create unique index "ReverseShare_token_key" on "ReverseShare" ("token");
`;

/** What Pingvin Share's library makes of `PASSWORD`: four lanes, which Bun itself never makes. */
export const PASSWORD = "kiesel-Otter-77";
export const PASSWORD_HASH =
  "$argon2id$v=19$m=65536,t=3,p=4$jjzbKUA44MB0hVP4e6PZWA$vhobBmLhC1s7EBxoMHY644IJOZREE47D73BSN1TXmms";

type Value = string | number | null;
type Row = Readonly<Record<string, Value>>;

/** A file of a share; `size` is what the database says where that is not how long it is, and `content` null where it is not there. */
export interface SharedFile {
  readonly id?: string;
  readonly name: string;
  readonly content: string | Uint8Array | null;
  readonly size?: string;
}

export interface PingvinShare {
  readonly row: Row & { readonly id: string };
  readonly security?: Row;
  readonly files: readonly SharedFile[];
}

const DAY = 86_400_000;
export const MADE = Date.parse("2025-03-04T05:06:07.008Z");
export const USER = "5f1a7a8e-0000-4000-8000-000000000001";

/** A finished share that never expires, with these files. */
export const share = (id: string, files: readonly SharedFile[], row: Row = {}, security?: Row): PingvinShare => ({
  row: { id, createdAt: MADE, uploadLocked: 1, views: 0, expiration: 0, creatorId: USER, ...row },
  files,
  ...(security && { security }),
});

/** A reverse share that can be used twice more, for 1,000 bytes each. */
export const reverseShare = (token: string, now: number, row: Row = {}): Row => ({
  ...{ id: crypto.randomUUID(), createdAt: MADE, token, shareExpiration: now + DAY, maxShareSize: "1000" },
  ...{ sendEmailNotification: 0, remainingUses: 2, creatorId: USER, ...row },
});

interface PingvinData {
  readonly shares?: readonly PingvinShare[];
  readonly reverseShares?: readonly Row[];
  /** Statements behind all others: columns of the fork, or what nobody should write. */
  readonly also?: readonly string[];
}

const text = (name: string): string => `"${name.replaceAll('"', '""')}"`;

function insert(db: Database, table: string, row: Row): void {
  const names = Object.keys(row);
  db.query(`insert into ${text(table)} (${names.map(text).join()}) values (${names.map(() => "?").join()})`).run(
    ...Object.values(row),
  );
}

/** Opens a database with the tables of Pingvin Share, and one user. */
export function openPingvinDatabase(folder: string): Database {
  mkdirSync(join(folder, "uploads/shares"), { recursive: true });
  const db = new Database(join(folder, "pingvin-share.db"), { create: true });
  // What a test makes need not survive a power cut.
  db.exec(`pragma synchronous = off; pragma journal_mode = memory; ${TABLES} pragma journal_mode = delete`);
  insert(db, "User", { id: USER, updatedAt: MADE, username: "mara", email: "mara@example.org" });
  insert(db, "Config", { updatedAt: MADE, name: "appUrl", category: "general", type: "string", order: 0 });
  return db;
}

/** Writes a share with its files. */
export function addShare(db: Database, folder: string, { row, security, files }: PingvinShare): void {
  insert(db, "Share", row);
  if (security) insert(db, "ShareSecurity", { id: crypto.randomUUID(), shareId: row.id, ...security });
  const own = join(folder, "uploads/shares", row.id);
  if (files.length > 0) mkdirSync(own, { recursive: true });
  for (const { id = crypto.randomUUID(), name, content, size } of files) {
    const length = content === null ? 0 : Buffer.byteLength(content);
    insert(db, "File", { id, createdAt: MADE, name, size: size ?? String(length), shareId: row.id });
    if (content !== null) writeFileSync(join(own, id), content);
  }
}

/** Writes a whole data folder. */
export function writePingvin(folder: string, { shares = [], reverseShares = [], also = [] }: PingvinData): void {
  const db = openPingvinDatabase(folder);
  for (const row of reverseShares) insert(db, "ReverseShare", row);
  for (const one of shares) addShare(db, folder, one);
  for (const statement of also) db.exec(statement);
  db.close();
}
