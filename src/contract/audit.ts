import * as z from "zod/mini";
import { auditActions } from "./audit-actions.ts";
import { endpoint } from "./endpoint.ts";
import { queryNumber } from "./fields.ts";
import { AUDIT_DAYS, AUDIT_PAGE, MAX_PAGE } from "./limits.ts";

/** The audit log: who signed in, who tried to, and what was administered. */

const auditEntry = z.object({
  id: z.int(),
  at: z.string(),
  /** As listed, or what a version before or after this one called it. */
  action: z.string(),
  /** `admin`, `apikey:<id>`, `nobody` (a failed sign-in), or `terminal` (on the server's own machine). */
  actor: z.string(),
  /** The caller's address; empty for the terminal. */
  address: z.string(),
  /** The id of what was changed. */
  subject: z.nullable(z.string()),
  /** What it was called then. */
  name: z.nullable(z.string()),
  /** Names of the fields that were sent, never their values. */
  fields: z.array(z.string()),
});

export const audit = {
  list: endpoint({
    method: "GET",
    path: "/admin/audit",
    access: "admin",
    summary: `Sign-ins, failed ones too, and administrative changes of the last ${AUDIT_DAYS} days, newest first`,
    query: z.object({
      limit: z._default(queryNumber(1, MAX_PAGE), AUDIT_PAGE),
      offset: z._default(queryNumber(0, Number.MAX_SAFE_INTEGER), 0),
      action: z.optional(z.enum(auditActions)),
    }),
    response: z.object({
      data: z.array(auditEntry),
      pagination: z.object({ total: z.int(), limit: z.int(), offset: z.int(), hasMore: z.boolean() }),
    }),
  }),
};

export type AuditEntry = z.output<typeof auditEntry>;
