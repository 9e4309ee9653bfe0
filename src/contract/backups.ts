import { endpoint } from "./endpoint.ts";
import * as z from "./schemas.ts";

/** Backups that the server makes by its timetable, and when the administrator wants one. */

const backupRun = z.object({
  started_at: z.string(),
  ended_at: z.string(),
  /** Whether the timetable began it, or the administrator. */
  by: z.enum(["timetable", "admin"]),
  /** What went wrong, as the command says it; null for one that is whole. */
  error: z.nullable(z.string()),
  /** The archive; null without one. */
  place: z.nullable(z.string()),
  /** Bytes of the archive. */
  size: z.int(),
  rows: z.int(),
  files: z.int(),
});

export const backupStatus = z.object({
  /** Whether the timetable is on, and where backups go is said. */
  enabled: z.boolean(),
  /** When the running one began; null when none runs. */
  running_since: z.nullable(z.string()),
  /** When the timetable begins the next one; null when it is off. */
  next_at: z.nullable(z.string()),
  last: z.nullable(backupRun),
  /** The last one that became whole. */
  last_whole: z.nullable(backupRun),
  /** What needs attention: the last one failed, or none became whole for two intervals of the timetable. */
  problem: z.nullable(z.enum(["failed", "late"])),
  /** For whom the secret key is sealed into backups (BACKUP_RECIPIENT); null leaves it out of them. */
  recipient: z.nullable(z.string()),
});

export const backups = {
  status: endpoint({
    method: "GET",
    path: "/admin/backups",
    access: "admin",
    summary: "Backups: whether one runs, when the next one begins, and what became of the last",
    response: z.object({ data: backupStatus }),
  }),
  start: endpoint({
    method: "POST",
    path: "/admin/backups",
    access: "admin",
    audit: "backup.start",
    summary: "Begin a backup now, to where the timetable makes them. It goes on behind the answer",
    response: z.object({ data: backupStatus }),
  }),
};

export type BackupStatus = z.output<typeof backupStatus>;
export type BackupRun = z.output<typeof backupRun>;
