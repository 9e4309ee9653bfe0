import { MAX_IMPORT_RECORDS } from "#contract/limits";
import type * as z from "#contract/schemas";
import { type ImportContext, readRow } from "../context.ts";
import type { Tally } from "../report.ts";
import type { Backup } from "./backup.ts";

/** Where a storage of the backup is here, and what stands before the keys of its files. */
interface ImportedStorage {
  readonly id: string;
  readonly prefix: string;
}

/** What each step of an import of CloudPaste works with. */
export interface CloudPasteContext extends ImportContext {
  readonly backup: Backup;
  /** By their ids in the backup: what earlier steps have imported, would import, or found here. */
  readonly storages: Map<string, ImportedStorage>;
  readonly keys: Map<string, string>;
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
