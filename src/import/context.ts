import type { ImportKind, PrivateTexts } from "#contract/imports";
import { MAX_IMPORT_RECORDS } from "#contract/limits";
import type * as z from "#contract/schemas";
import type { Keys } from "../access/keys.ts";
import type { Settings } from "../settings/settings.ts";
import type { ImportedFiles, ImportedPasswords, ImportedTexts } from "../shares/imported-shares.ts";
import type { Stores } from "../stores/stores.ts";
import type { Vfs } from "../vfs/vfs.ts";
import type { Backup, BackupRow } from "./cloudpaste/backup.ts";
import type { Report, Tally } from "./report.ts";

/** The rooms that an import writes to. None of what is called here asks another host. */
export interface Rooms {
  readonly configs: Stores["configs"];
  readonly keys: Pick<Keys, "list" | "rowOf" | "insertAll">;
  readonly mounts: Pick<Vfs["mounts"], "list" | "rowOf" | "insertAll">;
  readonly settings: Settings;
  readonly texts: ImportedTexts;
  readonly files: ImportedFiles;
}

/** Where a storage of the backup is here, and what stands before the keys of its files. */
interface ImportedStorage {
  readonly id: string;
  readonly prefix: string;
}

/** Rows and bytes that are written in one transaction at most. */
export interface Slice {
  readonly rows: number;
  readonly bytes: number;
}

/** What each step of an import works with. */
export interface ImportContext {
  readonly backup: Backup;
  readonly rooms: Rooms;
  readonly passwords: ImportedPasswords;
  readonly report: Report;
  readonly privateTexts: PrivateTexts;
  /** Whether it writes, or only says what it would write. */
  readonly isApplied: boolean;
  readonly slice: Slice;
  /** Epoch milliseconds. */
  readonly now: number;
  /** By their ids in the backup: what earlier steps have imported, would import, or found here. */
  readonly storages: Map<string, ImportedStorage>;
  readonly keys: Map<string, string>;
  /** Told how many rows of a kind are done; waits for whoever else wants to work, and throws when the import is to end. */
  readonly passed: (kind: ImportKind, rows: number) => Promise<void>;
}

/** What a schema reads of a row; undefined, and counted as left out, where it cannot. */
export function readRow<S extends z.ZodMiniType>(schema: S, row: BackupRow, tally: Tally): z.output<S> | undefined {
  const read = schema.safeParse(row.value);
  if (read.success) return read.data;
  const field = read.error.issues[0]?.path[0];
  tally.left("row.unreadable", field === undefined ? `row ${row.number}` : `row ${row.number}: ${String(field)}`);
  return undefined;
}

/** The rows of a table that is small in every CloudPaste; those beyond MAX_IMPORT_RECORDS are left out. */
export async function readRecords<S extends z.ZodMiniType>(
  backup: Backup,
  table: string,
  schema: S,
  tally: Tally,
): Promise<z.output<S>[]> {
  const records: z.output<S>[] = [];
  for await (const rows of backup.rows(table)) {
    for (const row of rows) {
      if (records.length >= MAX_IMPORT_RECORDS) {
        tally.left("row.tooMany", `row ${row.number}`);
        continue;
      }
      const record = readRow(schema, row, tally);
      if (record !== undefined) records.push(record);
    }
  }
  return records;
}

/** When something was made there, in epoch milliseconds: a time that cannot be is now. */
export const pastInstant = (at: number | null, now: number): number => (at !== null && at >= 0 && at <= now ? at : now);
