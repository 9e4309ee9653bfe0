import type { AuditEntry } from "#contract/admin";
import type { AuditAction } from "#contract/audit-actions";
import { AUDIT_LIFE, MAX_AUDITED } from "#contract/limits";
import type { Database, Reading } from "../database/database.ts";
import { type Clock, iso } from "../lib/clock.ts";
import { type Log, unforeseen } from "../lib/log.ts";
import { removeInSlices } from "../lib/turns.ts";
import { type AuditPage, type AuditRow, auditTable } from "./audit-table.ts";

/** What happened, who did it, and to what. */
export interface AuditNote {
  readonly action: AuditAction;
  /** `admin`, `apikey:<id>`, `nobody` (a failed sign-in), or `terminal` (on the server's own machine). */
  readonly actor: string;
  /** The caller's; empty for the terminal. */
  readonly address: string;
  /** The id of the changed object, and its name at that time. */
  readonly subject?: string | undefined;
  readonly name?: string | undefined;
  /** Names of the fields that were sent. */
  readonly fields?: readonly string[];
}

interface AuditDeps {
  readonly db: Database;
  /** What the log is read by; `db` unless said. */
  readonly reading?: Reading | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

const MAX_FIELDS = 50;
const LONGEST_FIELD = 100;
const LONGEST_NAME = 300;
const SLICE = 500;

/** The audit log: sign-ins and administrative changes of the last 90 days, the newest 100,000 at most. */
export function createAudit({ db, reading, clock, log }: AuditDeps) {
  const table = auditTable(db, reading);

  /** Keeps the newest entries of an action, of all without one. */
  const keepNewest = async (most: number, action?: AuditAction): Promise<number> => {
    let beyond = (await table.count(action)) - most;
    return await removeInSlices(async (limit) => {
      const removed = beyond > 0 ? await table.removeOldest(action, Math.min(limit, beyond)) : 0;
      beyond -= removed;
      return removed;
    }, SLICE);
  };

  return {
    /** Writes an entry. Never rejects, because the change is made already: a failure to write is logged. */
    async note({ action, actor, address, subject, name, fields = [] }: AuditNote): Promise<void> {
      const names = fields.slice(0, MAX_FIELDS).map((field) => field.slice(0, LONGEST_FIELD));
      try {
        await table.insert({
          at: clock(),
          action,
          actor,
          address,
          subject: subject?.slice(0, LONGEST_NAME) ?? null,
          name: name?.slice(0, LONGEST_NAME) ?? null,
          fields: JSON.stringify(names),
        });
      } catch (error) {
        log.error("audit not written", { action, actor, ...unforeseen(error) });
      }
    },

    /** A page of the log, newest first, and how many entries there are. */
    async list(page: AuditPage): Promise<{ entries: AuditEntry[]; total: number }> {
      const [rows, total] = await Promise.all([table.page(page), table.count(page.action)]);
      return { entries: rows.map(shown), total };
    },

    /**
     * Removes entries that are too old or too many; returns how many. Failed sign-ins take half of the log at most, so
     * that guessing from many addresses does not push out other entries.
     */
    sweep: async (): Promise<number> =>
      (await removeInSlices((limit) => table.removeBefore(clock() - AUDIT_LIFE, limit), SLICE)) +
      (await keepNewest(MAX_AUDITED / 2, "login.failed")) +
      (await keepNewest(MAX_AUDITED)),
  };
}

const shown = ({ number, at, fields, ...row }: AuditRow): AuditEntry => ({
  id: number,
  at: iso(at),
  ...row,
  fields: JSON.parse(fields) as string[],
});

export type Audit = ReturnType<typeof createAudit>;
