import { admin as api, audit as auditApi } from "#contract/admin";
import { Failure } from "#contract/failures";
import { anonymous, type Principal } from "../../../access/principal.ts";
import type { Device, OpenedSession } from "../../../access/sessions.ts";
import type { House } from "../../../house.ts";
import { iso } from "../../../lib/clock.ts";
import type { RequestContext } from "../../context.ts";
import type { Bind } from "../bind.ts";

/** The administrator's account and session over REST. */
export function bindAdmin(bind: Bind, { access: { admin, sessions, identify } }: Pick<House, "access">): void {
  bind(api.login, async ({ body, request, context }) => signedIn(await admin.login(body, deviceOf(request, context))));

  bind(api.signInWithLink, async ({ body: { token }, request, context }) =>
    signedIn(await admin.signInWithLink(token, deviceOf(request, context))),
  );

  bind(api.logout, async ({ request, context }) => {
    const sessionId = sessionOf(await whoLeaves(request, context));
    if (sessionId !== null) await admin.logOut(sessionId, context.address);
    return {};
  });

  bind(api.token, () => ({}));

  bind(api.changePassword, async ({ body, principal, request, context }) => {
    const staysIn = sessionOf(principal) !== null;
    const opened = await admin.change({ ...body, staysIn }, deviceOf(request, context));
    return opened ? signedIn(opened) : { data: null };
  });

  bind(api.sessions, async ({ principal }) => {
    const current = sessionOf(principal);
    const listed = await sessions.list();
    return { data: listed.sessions.map((row) => shown(row, row.id === current)), total: listed.total };
  });

  bind(api.endOtherSessions, async ({ context, principal, touched }) => {
    // Who means one session and has lost its id must not end them all: Elysia takes /sessions/ for /sessions.
    if (context.path.endsWith("/")) throw new Failure("session.missing");
    const ended = await sessions.endOthers(sessionOf(principal));
    touched(ended > 0 ? {} : undefined);
    return { data: { ended } };
  });

  bind(api.endSession, async ({ params: { id }, touched }) => {
    const { user_agent } = await sessions.end(id);
    touched({ id, name: user_agent });
    return {};
  });

  /** Signing out always succeeds: a credential that fails here has no session. */
  async function whoLeaves({ headers }: Request, context: RequestContext): Promise<Principal> {
    try {
      return (await identify(headers, context)).principal;
    } catch (error) {
      if (error instanceof Failure) return anonymous;
      throw error;
    }
  }
}

const sessionOf = (principal: Principal): string | null => (principal.kind === "admin" ? principal.sessionId : null);

const shown = ({ id, created_at, used_at, expires_at, address, user_agent }: ListedSession, is_current: boolean) => ({
  id,
  created_at: iso(created_at),
  last_used: iso(used_at),
  expires_at: iso(expires_at),
  address,
  user_agent,
  is_current,
});

type ListedSession = Awaited<ReturnType<House["access"]["sessions"]["list"]>>["sessions"][number];

const deviceOf = (request: Request, { address }: RequestContext): Device => ({
  address,
  userAgent: request.headers.get("user-agent") ?? "",
});

const signedIn = ({ username, token, expiresAt }: OpenedSession & { username: string }) => ({
  data: { username, token, expiresAt: iso(expiresAt) },
});

/** The audit log over REST. */
export function bindAudit(bind: Bind, { access: { audit } }: Pick<House, "access">): void {
  bind(auditApi.list, async ({ query }) => {
    const { limit, offset } = query;
    const { entries, total } = await audit.list(query);
    return { data: entries, pagination: { total, limit, offset, hasMore: offset + entries.length < total } };
  });
}
