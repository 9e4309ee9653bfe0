import { admin as api } from "#contract/admin";
import type { Device, OpenedSession } from "../../access/sessions.ts";
import type { House } from "../../house.ts";
import { iso } from "../../lib/clock.ts";
import type { Arrival } from "../arrival.ts";
import type { Bind } from "./route.ts";

/** The administrator's account and session over REST. */
export function bindAdmin(bind: Bind, { access: { admin, sessions, identify } }: Pick<House, "access">): void {
  bind(api.login, async ({ body, request, arrival }) => signedIn(await admin.login(body, deviceOf(request, arrival))));

  bind(api.signInWithLink, async ({ body: { token }, request, arrival }) =>
    signedIn(await admin.signInWithLink(token, deviceOf(request, arrival))),
  );

  bind(api.logout, async ({ request, arrival: { address } }) => {
    const { principal } = await identify(request.headers, address);
    if (principal.kind === "admin" && principal.sessionId !== null) await admin.logOut(principal.sessionId, address);
    return {};
  });

  bind(api.token, () => ({}));

  bind(api.changePassword, async ({ body, request, arrival }) => {
    await admin.change(body, deviceOf(request, arrival));
    return {};
  });

  bind(api.sessions, async ({ principal }) => {
    const current = principal.kind === "admin" ? principal.sessionId : null;
    return { data: (await sessions.list()).map((row) => shown(row, row.id === current)) };
  });

  bind(api.endSession, async ({ params: { id }, touched }) => {
    const { user_agent } = await sessions.end(id);
    touched({ id, name: user_agent });
    return {};
  });
}

const shown = ({ id, created_at, used_at, expires_at, address, user_agent }: ListedSession, is_current: boolean) => ({
  id,
  created_at: iso(created_at),
  last_used: iso(used_at),
  expires_at: iso(expires_at),
  address,
  user_agent,
  is_current,
});

type ListedSession = Awaited<ReturnType<House["access"]["sessions"]["list"]>>[number];

const deviceOf = (request: Request, { address }: Arrival): Device => ({
  address,
  userAgent: request.headers.get("user-agent") ?? "",
});

const signedIn = ({ username, token, expiresAt }: OpenedSession & { username: string }) => ({
  data: { username, token, expiresAt: iso(expiresAt) },
});
