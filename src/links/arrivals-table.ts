import type { Database } from "../database/database.ts";
import { list, type Sql, sql } from "../database/sql.ts";
import type { ArrivedFile } from "../transfers/arrivals.ts";

/** What one sender says of what they send. */
export interface ReceiptRow {
  /** A digest of what the sender has. */
  readonly id: string;
  readonly link: string;
  readonly sender: string | null;
  readonly message: string | null;
  /** A clean path in the tree of the link; null where no sender has a folder of their own. */
  readonly folder: string | null;
  readonly created_at: number;
}

/** A file that comes by a link. */
export interface ArrivalRow {
  readonly id: string;
  readonly link: string;
  readonly receipt: string;
  readonly visitor: string;
  readonly path: string;
  readonly storage: string;
  readonly key: string;
  readonly name: string;
  /** Bytes that are counted. */
  readonly size: number;
  readonly state: "coming" | "there";
  readonly is_numbered: number;
  readonly upload: string | null;
  readonly etag: string | null;
  readonly sha256: string | null;
  readonly created_at: number;
  readonly arrived_at: number | null;
  /** When its sender began to take it back, for as long as nobody knows whether it is gone. */
  readonly taking_at: number | null;
}

const receiptColumns = sql`id, link, sender, message, folder, created_at`;
const columns = sql`id, link, receipt, visitor, path, storage, key, name, size, state, is_numbered, upload, etag, sha256,
  created_at, arrived_at, taking_at`;

const receiptInsertion = ({ id, link, sender, message, folder, created_at }: ReceiptRow): Sql => sql`
  insert into link_receipts (${receiptColumns}) values (${id}, ${link}, ${sender}, ${message}, ${folder}, ${created_at})
  on conflict do nothing`;

const insertion = (row: ArrivalRow): Sql => sql`
  insert into link_arrivals (${columns}) values (${row.id}, ${row.link}, ${row.receipt}, ${row.visitor}, ${row.path},
    ${row.storage}, ${row.key}, ${row.name}, ${row.size}, ${row.state}, ${row.is_numbered}, ${row.upload}, ${row.etag},
    ${row.sha256}, ${row.created_at}, ${row.arrived_at}, ${row.taking_at})
  on conflict do nothing`;

/** Counts so many files and bytes, where the link has room for them; none are given back in any case. */
const counting = (link: string, files: number, bytes: number): Sql => sql`
  update links set files = files + ${files}, bytes = bytes + ${bytes} where id = ${link}
    and (${files} <= 0 or max_files = 0 or files + ${files} <= max_files)
    and (${bytes} <= 0 or max_bytes = 0 or bytes + ${bytes} <= max_bytes)`;

/** Of a sender of whom nothing has come and nothing is on its way. */
const emptyReceipt = (id: string): Sql => sql`
  delete from link_receipts where id = ${id} and not exists (select 1 from link_arrivals where receipt = ${id})`;

const sizeOf = (id: string): Sql => sql`(select size from link_arrivals where link_arrivals.id = ${id})`;

const byId = (id: string): Sql => sql`select ${columns} from link_arrivals where id = ${id}`;

const isIn = (id: string, state: ArrivalRow["state"]): Sql => sql`exists (
  select 1 from link_arrivals where link_arrivals.id = ${id} and link_arrivals.state = ${state})`;

/** Something did not change what it was to change; thrown inside only. */
class Unchanged extends Error {}

/** Receipts of senders. */
export const receiptsTable = (db: Database) => ({
  find: (id: string) => db.first<ReceiptRow>(sql`select ${receiptColumns} from link_receipts where id = ${id}`),

  /** Keeps a receipt with its folder; answers whether neither was there. */
  insert: async (row: ReceiptRow) => (await db.run(receiptInsertion(row))) === 1,

  forgetEmpty: (receipt: string) => db.run(emptyReceipt(receipt)),

  /** Of some receipts, in the order in which they were begun, so many of all. */
  files: (receipts: readonly string[], most: number) =>
    db.all<ArrivalRow>(sql`select ${columns} from link_arrivals where receipt in (${list(receipts)})
      order by created_at, id limit ${most}`),

  /** Receipts of a link, newest first. */
  page: (link: string, { limit, offset }: { readonly limit: number; readonly offset: number }) =>
    db.all<ReceiptRow>(sql`select ${receiptColumns} from link_receipts where link = ${link}
      order by created_at desc, id limit ${limit} offset ${offset}`),

  count: async (link: string) =>
    (await db.first<{ total: number }>(sql`select count(*) as total from link_receipts where link = ${link}`))?.total ??
    0,
});

const isUndigested = sql`state = 'there' and sha256 is null`;

/** Files that come by links in parts, by the uploads that bring them. */
const broughtByUploads = (db: Database) => ({
  broughtBy: (id: string, upload: string) =>
    db.run(sql`update link_arrivals set upload = ${upload} where id = ${id} and state = 'coming'`),

  /** The id of the upload in parts that a receipt has under way. */
  uploadSentBy: async (link: string, receipt: string, multipart: string) =>
    (
      await db.first<{ id: string }>(sql`select uploads.id from uploads
        join link_arrivals on link_arrivals.upload = uploads.id
        where uploads.multipart = ${multipart} and link_arrivals.link = ${link} and link_arrivals.receipt = ${receipt}`)
    )?.id,

  pathOfUpload: async (upload: string) =>
    (await db.first<Pick<ArrivalRow, "path">>(sql`select path from link_arrivals where upload = ${upload}`))?.path,

  noteDigest: (upload: string, sha256: string) =>
    db.run(sql`update link_arrivals set sha256 = ${sha256} where upload = ${upload} and state = 'coming'`),

  /** Files that are there, and whose SHA-256 is not known, but for those of some storages; empty is that of one that nobody can know. */
  undigested: ({ since, except }: { readonly since: number; readonly except: readonly string[] }, limit: number) =>
    db.all<ArrivalRow>(sql`select ${columns} from link_arrivals where ${isUndigested} and arrived_at > ${since}
      ${except.length === 0 ? sql`` : sql`and storage not in (${list(except)})`}
      order by arrived_at limit ${limit}`),

  mayBeUndigested: sql`exists (select 1 from link_arrivals where ${isUndigested})`,

  noteSha256: (id: string, sha256: string) =>
    db.run(sql`update link_arrivals set sha256 = ${sha256} where id = ${id} and ${isUndigested}`),

  findUpload: (upload: string) =>
    db.first<ArrivalRow>(sql`select ${columns} from link_arrivals where upload = ${upload} and state = 'coming'`),
});

/** Files whose senders take them back: noted before they go, so that whoever comes after a crash looks. */
const takenBack = (db: Database) => ({
  takeBack: (id: string, now: number) =>
    db.run(sql`update link_arrivals set taking_at = ${now} where id = ${id} and state = 'there'`),

  keep: (id: string) => db.run(sql`update link_arrivals set taking_at = null where id = ${id}`),

  /** Those that somebody began to take back before an instant, behind one of them. */
  takenBefore: (before: number, after: string, limit: number) =>
    db.all<ArrivalRow>(sql`select ${columns} from link_arrivals where taking_at <= ${before} and id > ${after}
      order by id limit ${limit}`),
});

/** Changes where a file on its way goes; false where another one comes to that key, or it is not on its way. */
const renaming =
  (db: Database) =>
  async (id: string, to: Pick<ArrivalRow, "path" | "key" | "name">): Promise<boolean> => {
    const taken = new Unchanged();
    const row = await db.first<ArrivalRow>(byId(id));
    if (row?.state !== "coming") return false;
    try {
      // An insertion may find the key taken without failing, as no change can.
      await db.batch([
        sql`delete from link_arrivals where id = ${id} and state = 'coming' and size = ${row.size}`.expect(1, taken),
        insertion({ ...row, ...to }).expect(1, taken),
      ]);
      return true;
    } catch (error) {
      if (error === taken) return false;
      throw error;
    }
  };

/** Files that come by links. */
export const arrivalsTable = (db: Database) => ({
  ...broughtByUploads(db),
  ...takenBack(db),

  /** Counts a file and notes that it is on its way, both or none: `full` where the link has no room, `taken` where another one comes to its key. */
  async reserve(row: ArrivalRow, receipt: ReceiptRow): Promise<"reserved" | "full" | "taken"> {
    const [full, taken] = [new Unchanged(), new Unchanged()];
    try {
      await db.batch([
        counting(row.link, 1, row.size).expect(1, full),
        receiptInsertion(receipt),
        insertion(row).expect(1, taken),
      ]);
      return "reserved";
    } catch (error) {
      if (error === full) return "full";
      if (error === taken) return "taken";
      throw error;
    }
  },

  /** Counts bytes of a file on its way that nobody had announced; false where the link has no room for them, or takes no file so large. */
  async grow({ id, link }: Pick<ArrivalRow, "id" | "link">, bytes: number): Promise<boolean> {
    const full = new Unchanged();
    try {
      await db.batch([
        counting(link, 0, bytes).expect(1, full),
        sql`update link_arrivals set size = size + ${bytes} where id = ${id} and state = 'coming' and (${bytes} <= 0
          or exists (select 1 from links where links.id = ${link}
            and (max_file_bytes = 0 or max_file_bytes >= link_arrivals.size + ${bytes})))`.expect(1, full),
      ]);
      return true;
    } catch (error) {
      if (error === full) return false;
      throw error;
    }
  },

  rename: renaming(db),

  find: (id: string) => db.first<ArrivalRow>(byId(id)),

  /** Notes that a file is there; false where that is known already. */
  async settle({ id, link }: Pick<ArrivalRow, "id" | "link">, { size, etag, sha256 = "" }: ArrivedFile, now: number) {
    const known = new Unchanged();
    try {
      await db.batch([
        // What was reserved and what has come differ only where the size was not announced and a process ended on the way.
        sql`update links set bytes = bytes - ${sizeOf(id)} + ${size} where id = ${link}
          and ${isIn(id, "coming")}`.expect(1, known),
        sql`update link_arrivals set state = 'there', size = ${size}, etag = ${etag}, arrived_at = ${now},
          sha256 = case when ${sha256} = '' then sha256 else ${sha256} end where id = ${id}`,
      ]);
      return true;
    } catch (error) {
      if (error === known) return false;
      throw error;
    }
  },

  /** Forgets a file in this state, which counts no more. */
  giveBack: ({ id, link, receipt }: Pick<ArrivalRow, "id" | "link" | "receipt">, state: ArrivalRow["state"]) =>
    db.batch([
      sql`update links set files = files - 1, bytes = bytes - ${sizeOf(id)}
        where id = ${link} and ${isIn(id, state)}`,
      sql`delete from link_arrivals where id = ${id} and state = ${state}`,
      emptyReceipt(receipt),
    ]),

  /** Whether another file has come by the same link to the place of one since: a storage may give both the same ETag. */
  hasSuccessor: async ({ id, link, storage, key }: Pick<ArrivalRow, "id" | "link" | "storage" | "key">) =>
    (await db.first(sql`select 1 from link_arrivals where link = ${link} and storage = ${storage} and key = ${key}
      and state = 'there' and id > ${id} limit 1`)) !== undefined,

  /** Notes that all files have come that a link takes, along with what tells of it; neither where that was noted before. */
  async tellFull(link: string, told: readonly Sql[]): Promise<void> {
    const known = new Unchanged();
    const full = sql`update links set full_told = 1 where id = ${link} and full_told = 0 and max_files > 0
      and files >= max_files and not exists (select 1 from link_arrivals where link = ${link} and state = 'coming')`;
    try {
      await db.batch([full.expect(1, known), ...told]);
    } catch (error) {
      if (error !== known) throw error;
    }
  },

  /** Files on their way since before an instant behind one of them, of which no upload in parts is left. */
  orphans: (before: number, after: string, limit: number) =>
    db.all<ArrivalRow>(sql`select ${columns} from link_arrivals where state = 'coming' and created_at <= ${before}
      and id > ${after} and (upload is null or not exists (select 1 from uploads where uploads.id = link_arrivals.upload))
      order by id limit ${limit}`),

  /** Forgets receipts from before an instant, and those of which nothing has come for an hour; what was counted stays. */
  forgetOld: (before: number, empty: number) =>
    db.batch([
      sql`delete from link_arrivals where state = 'there' and created_at <= ${before}`,
      sql`delete from link_receipts where created_at <= ${empty}
        and not exists (select 1 from link_arrivals where receipt = link_receipts.id)`,
    ]),
});

export type ArrivalsTable = ReturnType<typeof arrivalsTable>;
