import { auditActions } from "./audit-actions.ts";
import { endpoint } from "./endpoint.ts";
import { done, isUsername, queryNumber } from "./fields.ts";
import {
  AUDIT_DAYS,
  AUDIT_PAGE,
  MAX_PAGE,
  MAX_PASSWORD_CHARACTERS,
  MAX_USERNAME_CHARACTERS,
  MIN_ACCOUNT_PASSWORD_CHARACTERS,
  SMALL_JSON_BYTES,
} from "./limits.ts";
import * as z from "./schemas.ts";

/** The administrator's account and session. */

const secret = z.string().check(z.minLength(1), z.maxLength(MAX_PASSWORD_CHARACTERS));
const opened = z.object({ username: z.string(), token: z.string(), expiresAt: z.string() });
const session = z.object({ data: opened });

export const admin = {
  login: endpoint({
    method: "POST",
    path: "/admin/login",
    access: "anyone",
    summary: "Sign in with username and password",
    bodyLimit: SMALL_JSON_BYTES,
    body: z.object({
      username: z.string().check(z.minLength(1), z.maxLength(MAX_USERNAME_CHARACTERS)),
      password: secret,
    }),
    response: session,
  }),
  signInWithLink: endpoint({
    method: "POST",
    path: "/admin/sign-in-link",
    access: "anyone",
    summary: "Sign in with the one-time token that the first start or `satchel admin reset` printed",
    bodyLimit: SMALL_JSON_BYTES,
    body: z.object({ token: z.string().check(z.minLength(1), z.maxLength(100)) }),
    response: session,
  }),
  logout: endpoint({
    method: "POST",
    path: "/admin/logout",
    access: "anyone",
    summary: "End the session that the request carries; without one it does nothing",
    response: done,
  }),
  token: endpoint({
    method: "GET",
    path: "/test/admin-token",
    access: "admin",
    summary: "Whether the session is still valid",
    response: done,
  }),
  changePassword: endpoint({
    method: "POST",
    path: "/admin/change-password",
    access: "admin",
    audit: "account.update",
    summary:
      "Change username, password or both; ends every session and answers a new one to a caller that had one, null to any other",
    bodyLimit: SMALL_JSON_BYTES,
    body: z.object({
      currentPassword: secret,
      newPassword: z.optional(
        z.union([
          z.literal(""),
          z.string().check(z.minLength(MIN_ACCOUNT_PASSWORD_CHARACTERS), z.maxLength(MAX_PASSWORD_CHARACTERS)),
        ]),
      ),
      newUsername: z.optional(z.string().check(z.refine((text) => text === "" || isUsername(text)))),
    }),
    response: z.object({ data: z.nullable(opened) }),
  }),
  sessions: endpoint({
    method: "GET",
    path: "/admin/sessions",
    access: "admin",
    summary: "The sessions that live, the last used first, a hundred at most",
    response: z.object({
      /** How many live, listed or not. */
      total: z.int(),
      data: z.array(
        z.object({
          id: z.string(),
          created_at: z.string(),
          /** To the minute. */
          last_used: z.string(),
          expires_at: z.string(),
          /** From where it was opened, and by which program. */
          address: z.string(),
          user_agent: z.string(),
          /** Whether it is the session of this request. */
          is_current: z.boolean(),
        }),
      ),
    }),
  }),
  endOtherSessions: endpoint({
    method: "DELETE",
    path: "/admin/sessions",
    access: "admin",
    audit: "sessions.clear",
    summary: "End every session but the one that asks, also those that are not listed",
    response: z.object({ data: z.object({ ended: z.int() }) }),
  }),
  endSession: endpoint({
    method: "DELETE",
    path: "/admin/sessions/:id",
    access: "admin",
    audit: "session.delete",
    summary: "End a session at once, one's own too",
    params: z.object({ id: z.string() }),
    response: done,
  }),
};

/** The audit log: sign-ins, failed sign-ins and administrative changes. */

const auditEntry = z.object({
  id: z.int(),
  at: z.string(),
  /** One of the listed actions, or a name that an earlier or later version used. */
  action: z.string(),
  /** `admin`, `apikey:<id>`, `nobody` (a failed sign-in), or `terminal` (on the server's own machine). */
  actor: z.string(),
  /** The caller's address; empty for the terminal. */
  address: z.string(),
  /** The id of the changed object. */
  subject: z.nullable(z.string()),
  /** Its name at that time. */
  name: z.nullable(z.string()),
  /** Names of the fields that were sent, never their values. */
  fields: z.array(z.string()),
});

export const audit = {
  list: endpoint({
    method: "GET",
    path: "/admin/audit",
    packable: true,
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
