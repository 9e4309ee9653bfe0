import { afterEach, describe, expect, test } from "bun:test";
import { admin } from "#contract/admin";
import { REVALIDATE_AFTER } from "#contract/limits";
import { type ApiFailureCode, isFailure } from "../../../web/api/failure.ts";
import { createTabs, UPLOADING } from "../../../web/lib/tabs.ts";
import { answer, fakeServer, refusal } from "../../support/page-servers/fake-server.ts";
import { createTestLocks } from "../../support/page-servers/uploads-at.ts";
import { openSession, signedIn } from "../../support/pages/open-session.ts";

afterEach(() => localStorage.clear());

describe("a session", () => {
  test("signs in, is kept, restored, and signs out here even when the server is gone", async () => {
    const api = fakeServer({ "POST /admin/login": signedIn });
    const { session, signIn, events } = openSession(api.base);
    expect(session.state.get().authType).toBe("none");
    await signIn.withPassword("admin", "secret");
    expect(session.state.get()).toMatchObject({ authType: "admin", token: "tok", username: "admin" });

    const restored = openSession(api.base).session;
    expect(restored.state.get()).toMatchObject({
      authType: "admin",
      token: "tok",
      username: "admin",
      lastValidated: 0,
    });

    await api[Symbol.asyncDispose]();
    await session.logout();
    expect(session.state.get().authType).toBe("none");
    expect(session.reason.get()).toBe("loggedOut");
    expect(localStorage.getItem("admin_token")).toBeNull();
    expect(events).toEqual(["auth-state-changed", "auth-state-changed"]);
  });

  test("signs in with the one-time link", async () => {
    await using api = fakeServer({ "POST /admin/sign-in-link": signedIn });
    const { session, signIn } = openSession(api.base);
    await signIn.withLink("once");
    expect(session.state.get()).toMatchObject({ token: "tok" });
    expect(api.seen[0]?.body).toEqual({ token: "once" });
  });

  test("asks the server at the start and again only when five minutes have passed", async () => {
    localStorage.setItem("admin_token", "kept");
    await using api = fakeServer({ "GET /test/admin-token": () => answer() });
    const { session, clock } = openSession(api.base);
    await Promise.all([session.revalidate(), session.revalidate()]);
    clock.now += REVALIDATE_AFTER - 1;
    await session.revalidate();
    expect(api.lines()).toEqual(["GET /test/admin-token"]);
    clock.now += 1;
    await session.revalidate();
    expect(api.lines()).toHaveLength(2);
  });

  test("asks once more when it was refused while it asked, as the answer may be older", async () => {
    localStorage.setItem("admin_token", "kept");
    const { promise, resolve } = Promise.withResolvers<Response>();
    await using api = fakeServer({ "GET /test/admin-token": () => (api.lines().length === 1 ? promise : answer()) });
    const { session, credential, clock } = openSession(api.base);
    const first = session.revalidate();
    credential.markStale();
    resolve(answer());
    await first;
    expect(api.lines()).toHaveLength(2);
    expect(session.state.get().lastValidated).toBe(clock.now);
  });

  test("ends when the server does not know it any more, and says so", async () => {
    localStorage.setItem("admin_token", "old");
    await using api = fakeServer({ "GET /test/admin-token": () => refusal("auth.expired") });
    const { session, events } = openSession(api.base);
    await session.revalidate();
    expect(session.state.get().authType).toBe("none");
    expect(session.reason.get()).toBe("expired");
    expect(events).toEqual(["auth-state-changed", "admin-token-expired"]);
  });

  test("outlives a server that cannot be reached", async () => {
    localStorage.setItem("admin_token", "kept");
    const { session } = openSession("http://127.0.0.1:1");
    await session.revalidate();
    expect(session.state.get().authType).toBe("admin");
  });

  test("lets others give up what they began before it ends on the server, for a moment", async () => {
    await using api = fakeServer({
      "POST /admin/login": signedIn,
      "POST /admin/logout": () => answer(),
      "GET /test/admin-token": () => answer(),
    });
    const { session, signIn } = openSession(api.base);
    await signIn.withPassword("admin", "secret");
    const gate = Promise.withResolvers<void>();
    session.beforeSignOut(async (call) => {
      await gate.promise;
      await call(admin.token);
    });
    const done = session.logout();
    expect(session.state.get().authType).toBe("none");
    gate.resolve();
    await done;
    expect(api.lines().slice(1)).toEqual(["GET /test/admin-token", "POST /admin/logout"]);
    expect(api.seen.slice(1).map(({ headers }) => headers.get("authorization"))).toEqual(["Bearer tok", "Bearer tok"]);

    await signIn.withPassword("admin", "secret");
    session.beforeSignOut(() => Promise.withResolvers<void>().promise);
    await session.logout();
    expect(api.lines().at(-1)).toBe("POST /admin/logout");
  });

  test("waits for what another tab is giving up", async () => {
    await using api = fakeServer({ "POST /admin/login": signedIn, "POST /admin/logout": () => answer() });
    const locks = createTestLocks();
    const { session, signIn } = openSession(api.base, locks);
    await signIn.withPassword("admin", "secret");
    const release = createTabs(locks).share(UPLOADING);
    await new Promise((resolve) => setImmediate(resolve));
    const done = session.logout();
    await new Promise((resolve) => setImmediate(resolve));
    expect(api.lines()).not.toContain("POST /admin/logout");
    release();
    await done;
    expect(api.lines()).toContain("POST /admin/logout");
  });

  test("that ends in another tab has things given up with the token that this tab still has", async () => {
    localStorage.setItem("admin_token", "kept");
    localStorage.setItem("admin_username", "admin");
    await using api = fakeServer({ "GET /test/admin-token": () => answer() });
    const { session, hear } = openSession(api.base);
    const gone = Promise.withResolvers<unknown>();
    session.beforeSignOut(async (call) => gone.resolve(await call(admin.token)));
    openSession(api.base).credential.signOut("loggedOut");
    hear("admin_token");
    await gone.promise;
    expect(api.seen[0]?.headers.get("authorization")).toBe("Bearer kept");
  });

  const ends = [
    ["expired", ["auth-state-changed", "admin-token-expired"]],
    ["unauthorized", ["auth-state-changed", "admin-token-expired"]],
    ["changed", ["auth-state-changed"]],
  ] as const;
  test.each(ends)("that ends in another tab as %s is told here alike, and its work goes on", async (why, told) => {
    await using api = fakeServer({
      "POST /admin/login": () => answer({ data: { token: "t", username: "admin" } }),
    });
    localStorage.setItem("admin_token", "kept");
    localStorage.setItem("admin_username", why === "changed" ? "before" : "admin");
    const { session, signIn, events, hear } = openSession(api.base);
    let asked = 0;
    session.beforeSignOut(async () => {
      asked += 1;
    });
    openSession(api.base).credential.signOut(why);
    hear("admin_token");
    expect([session.state.get().authType, session.reason.get()]).toEqual(["none", why]);
    expect(events).toEqual([...told]);
    await signIn.withPassword("admin", "secret");
    expect([asked, session.userEpoch.get()]).toEqual([0, 0]);
  });

  test("that other clients began without a name goes on under the name of the next sign-in", async () => {
    localStorage.setItem("admin_token", "kept");
    await using api = fakeServer({
      "GET /test/admin-token": () => refusal("auth.expired"),
      "POST /admin/login": signedIn,
    });
    const { session, signIn } = openSession(api.base);
    let asked = 0;
    session.beforeSignOut(async () => {
      asked += 1;
    });
    await session.revalidate();
    await signIn.withPassword("admin", "secret");
    expect([asked, session.userEpoch.get()]).toEqual([0, 0]);
  });

  test("tells with its events whose it is now", async () => {
    await using api = fakeServer({ "POST /admin/login": signedIn });
    const { session, signIn, credential, details } = openSession(api.base);
    await signIn.withPassword("admin", "secret");
    const state = session.state.get();
    credential.signOut("expired");
    expect(details).toEqual([state, { authType: "none", lastValidated: 0 }]);
    expect(state).toMatchObject({ authType: "admin", token: "tok", username: "admin" });
  });

  test("ends when an answer of the server says of itself that it is no success", async () => {
    localStorage.setItem("admin_token", "old");
    await using api = fakeServer({ "GET /test/admin-token": () => answer({ success: false }) });
    const { session } = openSession(api.base);
    await session.revalidate();
    expect([session.state.get().authType, session.reason.get()]).toEqual(["none", "expired"]);
  });

  test.each([502, 500])("outlives the page of a proxy with %d", async (status) => {
    localStorage.setItem("admin_token", "kept");
    const page = () => new Response(JSON.stringify({ success: false }), { status });
    await using api = fakeServer({ "GET /test/admin-token": page });
    const { session } = openSession(api.base);
    await session.revalidate();
    expect(session.state.get().authType).toBe("admin");
  });

  test("that ended by itself leaves things to the same person, and not to another one", async () => {
    localStorage.setItem("admin_token", "old");
    localStorage.setItem("admin_username", "admin");
    let name = "admin";
    await using api = fakeServer({
      "GET /test/admin-token": () => refusal("auth.expired"),
      "POST /admin/login": () => answer({ data: { token: name, username: name, expiresAt: "" } }),
    });
    const { session, signIn } = openSession(api.base);
    let asked = 0;
    session.beforeSignOut(async () => {
      asked += 1;
    });
    await session.revalidate();
    await signIn.withPassword("admin", "secret");
    expect(asked).toBe(0);
    name = "other";
    await signIn.withPassword("other", "secret");
    expect(asked).toBe(1);
  });

  test("has ended where Back brings a page as it was, once another tab has signed out", () => {
    localStorage.setItem("admin_token", "kept");
    const { session, events, comeBack } = openSession("");
    localStorage.removeItem("admin_token");
    comeBack();
    expect(session.state.get().authType).toBe("none");
    expect(events).toEqual(["auth-state-changed"]);
  });

  test("follows a sign-out in another tab", () => {
    localStorage.setItem("admin_token", "kept");
    const { session, hear } = openSession("");
    localStorage.removeItem("admin_token");
    hear();
    expect(session.state.get().authType).toBe("none");
  });

  test("goes on with another token after a change of the account, under another name", async () => {
    localStorage.setItem("admin_token", "kept");
    await using api = fakeServer({
      "POST /admin/change-password": () => answer({ data: { token: "next", username: "root", expiresAt: "" } }),
    });
    const { session, signIn } = openSession(api.base);
    const other = openSession(api.base);
    const kinds = new Set<string>();
    for (const tab of [session, other.session]) tab.state.subscribe(() => void kinds.add(tab.state.get().authType));
    await signIn.changeAccount({ currentPassword: "a", newPassword: "another-one" });
    other.hear();
    for (const tab of [session, other.session]) {
      expect(tab.state.get()).toMatchObject({ authType: "admin", token: "next", username: "root" });
      // The work of the person goes on.
      expect(tab.userEpoch.get()).toBe(0);
    }
    // Nobody was signed out in between: what is cut, what can be undone and an import go on.
    expect([...kinds]).toEqual(["admin"]);
  });

  test.each(["no session", "after a sign-out"] as const)("ends with a changed account: %s", async (what) => {
    localStorage.setItem("admin_token", "kept");
    const late = Promise.withResolvers<void>();
    await using api = fakeServer({
      "POST /admin/change-password": async () => {
        await late.promise;
        return answer({ data: what === "no session" ? null : { token: "next", username: "root", expiresAt: "" } });
      },
      "POST /admin/logout": () => answer(),
    });
    const { session, signIn } = openSession(api.base);
    const change = signIn.changeAccount({ currentPassword: "a", newPassword: "another-one" });
    if (what !== "no session") await session.logout();
    late.resolve();
    await change;
    expect(session.state.get().authType).toBe("none");
    expect(session.reason.get()).toBe(what === "no session" ? "changed" : "loggedOut");
  });
});

const answers: readonly [what: string, fields: Record<string, unknown>, code: string][] = [
  ["without data", {}, "login.unreadable"],
  ["without a token", { data: { username: "admin" } }, "login.tokenless"],
  ["with a token that no header can carry", { data: { username: "admin", token: "a\nb" } }, "login.tokenless"],
];
test.each(answers)("a login answered %s signs nobody in", async (_what, fields, code) => {
  await using api = fakeServer({ "POST /admin/login": () => answer(fields) });
  const { session, signIn } = openSession(api.base);
  const failure: unknown = await signIn.withPassword("admin", "secret").catch((error: unknown) => error);
  expect(isFailure(failure) && failure.code).toBe(code as ApiFailureCode);
  expect([session.state.get().authType, localStorage.length]).toEqual(["none", 0]);
});
