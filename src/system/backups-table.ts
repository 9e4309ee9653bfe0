import { z } from "zod/mini";
import type { Database } from "../database/database.ts";
import { BACKUPS_FACT } from "../database/facts.ts";
import { type Sql, sql } from "../database/sql.ts";

const runSchema = z.object({
  /** Epoch milliseconds. */
  began: z.number(),
  ended: z.number(),
  by: z.enum(["timetable", "admin"]),
  /** A sentence; null for a backup that is whole. */
  error: z.nullable(z.string()),
  place: z.nullable(z.string()),
  size: z.number(),
  rows: z.number(),
  files: z.number(),
});

const recordSchema = z.object({
  last: z.optional(runSchema),
  /** The last one that became whole. */
  whole: z.optional(runSchema),
  /** The one that runs; `beat` is when its server last said so. */
  running: z.optional(z.object({ began: z.number(), beat: z.number(), by: runSchema.shape.by })),
});

/** A backup that has ended, whole or not. */
export type Run = z.output<typeof runSchema>;
export type BackupRecord = z.output<typeof recordSchema>;

/** What became of backups, for all servers: one row of JSON among the facts. Whoever writes it holds the lease. */
export const backupsTable = (db: Database) => ({
  /** What an earlier or later version wrote in another shape is nothing. */
  async read(): Promise<BackupRecord> {
    const row = await db.first<{ value: string }>(sql`select value from facts where name = ${BACKUPS_FACT}`);
    const found = row && recordSchema.safeParse(JSON.parse(row.value));
    return found?.success ? found.data : {};
  },
  write: (record: BackupRecord, proof: readonly Sql[], told: readonly Sql[] = []) =>
    db.batch([
      ...proof,
      ...told,
      sql`insert into facts (name, value) values (${BACKUPS_FACT}, ${JSON.stringify(record)})
        on conflict (name) do update set value = excluded.value`,
    ]),
});
