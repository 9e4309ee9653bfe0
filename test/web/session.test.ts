import { afterEach, describe, expect, test } from "bun:test";
import { REVALIDATE_AFTER } from "#contract/limits";
import { createCall } from "../../web/api/call.ts";
import { createCredential } from "../../web/api/credential.ts";
import { createSession } from "../../web/api/session.ts";
import { createKeyValue } from "../../web/lib/storage.ts";
import { answer, refusal, standIn } from "./stand-in.ts";

const storage = createKeyValue(() => localStorage);

/** A session with a clock of its own, and the names of the events it sends. */
function openSession(base: string) {
  const clock = { now: 1_000_000 };
  const events: string[] = [];
  const listeners = new Map<string, () => void>();
  const credential = createCredential(storage);
  const session = createSession({
    credential,
    call: createCall({ base: () => `${base}/api`, credential, language: () => "en" }),
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
