import { afterEach, describe, expect, test } from "bun:test";
import { admin } from "#contract/admin";
import { REVALIDATE_AFTER } from "#contract/limits";
import { createCall } from "../../web/api/call.ts";
import { createCredential } from "../../web/api/credential.ts";
import { createSession } from "../../web/api/session.ts";
import { createKeyValue } from "../../web/lib/storage.ts";
import { createStore } from "../../web/lib/store.ts";
import { createTabs, UPLOADING } from "../../web/lib/tabs.ts";
import { answer, refusal, standIn } from "./stand-in.ts";
import { createTestLocks } from "./transfer/uploads-at.ts";

const storage = createKeyValue(() => localStorage);

/** A session with a clock of its own, and the names of the events it sends. */
function openSession(base: string, locks?: Pick<LockManager, "request" | "query">) {
  const clock = { now: 1_000_000 };
  const events: string[] = [];
  const listeners = new Map<string, () => void>();
  const credential = createCredential(storage);
  const wire = { base: () => `${base}/api`, language: () => "en" as const };
  const session = createSession({
    credential,
    call: createCall({ ...wire, credential }),
    callAs: (left) => createCall({ ...wire, credential: { state: createStore(left), signOut: () => undefined } }),
    tabs: createTabs(locks),
    parting: 200,
    now: () => clock.now,
    window: {
      dispatchEvent: (event: Event) => events.push(event.type) > 0,
      addEventListener: (type: string, listener: unknown) => void listeners.set(type, listener as () => void),
    },
  });
  return { session, clock, events, listeners };
}

const signedIn = answerWith("tok");
function answerWith(token: string) {
  return () => answer({ data: { token, username: "admin", expiresAt: "2031-01-01T00:00:00.000Z" } });
}

afterEach(() => localStorage.clear());

describe("a session", () => {
  test("signs in, is kept, restored, and signs out here even when the server is gone", async () => {
    const api = standIn({ "POST /admin/login": signedIn });
    const { session, events } = openSession(api.base);
    expect(session.state.get().authType).toBe("none");
    await session.login("admin", "secret");
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
    await using api = standIn({ "POST /admin/sign-in-link": signedIn });
    const { session } = openSession(api.base);
    await session.signInWithLink("once");
    expect(session.state.get().token).toBe("tok");
    expect(api.seen[0]?.body).toEqual({ token: "once" });
  });

  test("asks the server at the start and again only when five minutes have passed", async () => {
    localStorage.setItem("admin_token", "kept");
    await using api = standIn({ "GET /test/admin-token": () => answer() });
    const { session, clock } = openSession(api.base);
    await Promise.all([session.revalidate(), session.revalidate()]);
    clock.now += REVALIDATE_AFTER - 1;
    await session.revalidate();
    expect(api.lines()).toEqual(["GET /test/admin-token"]);
    clock.now += 1;
    await session.revalidate();
    expect(api.lines()).toHaveLength(2);
  });

  test("ends when the server does not know it any more, and says so", async () => {
    localStorage.setItem("admin_token", "old");
    await using api = standIn({ "GET /test/admin-token": () => refusal("auth.expired") });
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
    await using api = standIn({
      "POST /admin/login": signedIn,
      "POST /admin/logout": () => answer(),
      "GET /test/admin-token": () => answer(),
    });
    const { session } = openSession(api.base);
    await session.login("admin", "secret");
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

    await session.login("admin", "secret");
    session.beforeSignOut(() => Promise.withResolvers<void>().promise);
    await session.logout();
    expect(api.lines().at(-1)).toBe("POST /admin/logout");
  });

  test("waits for what another tab is giving up", async () => {
    await using api = standIn({ "POST /admin/login": signedIn, "POST /admin/logout": () => answer() });
    const locks = createTestLocks();
    const { session } = openSession(api.base, locks);
    await session.login("admin", "secret");
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
    await using api = standIn({ "GET /test/admin-token": () => answer() });
    const { session, listeners } = openSession(api.base);
    const gone = Promise.withResolvers<unknown>();
    session.beforeSignOut(async (call) => gone.resolve(await call(admin.token)));
    localStorage.removeItem("admin_token");
    listeners.get("storage")?.();
    await gone.promise;
    expect(api.seen[0]?.headers.get("authorization")).toBe("Bearer kept");
  });

  test("that ended by itself leaves things to the same person, and not to another one", async () => {
    localStorage.setItem("admin_token", "old");
    localStorage.setItem("admin_username", "admin");
    let name = "admin";
    await using api = standIn({
      "GET /test/admin-token": () => refusal("auth.expired"),
      "POST /admin/login": () => answer({ data: { token: name, username: name, expiresAt: "" } }),
    });
    const { session } = openSession(api.base);
    let asked = 0;
    session.beforeSignOut(async () => {
      asked += 1;
    });
    await session.revalidate();
    await session.login("admin", "secret");
    expect(asked).toBe(0);
    name = "other";
    await session.login("other", "secret");
    expect(asked).toBe(1);
  });

  test("follows a sign-out in another tab", () => {
    localStorage.setItem("admin_token", "kept");
    const { session, listeners } = openSession("");
    localStorage.removeItem("admin_token");
    listeners.get("storage")?.();
    expect(session.state.get().authType).toBe("none");
  });

  test("ends with a changed account", async () => {
    localStorage.setItem("admin_token", "kept");
    await using api = standIn({ "POST /admin/change-password": () => answer() });
    const { session } = openSession(api.base);
    await session.changeAccount({ currentPassword: "a", newPassword: "another-one" });
    expect(session.reason.get()).toBe("changed");
  });
});
