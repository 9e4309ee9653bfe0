import { afterEach, describe, expect, test } from "bun:test";
import { admin } from "#contract/admin";
import { keys } from "#contract/keys";
import { REVALIDATE_AFTER } from "#contract/limits";
import { pastes } from "#contract/pastes";
import { isFailure } from "../../../web/api/failure.ts";
import { answer, fakeServer, refusal } from "../../support/page-servers/fake-server.ts";
import { openSession, signedIn } from "../../support/pages/open-session.ts";

afterEach(() => localStorage.clear());

describe("a session with an API key", () => {
  const all = { text: true, file: true, mount_view: false, webdav_read: false };
  const told = (permissions: unknown, more: Record<string, unknown> = {}) =>
    answer({ data: { name: "ci", basic_path: "/team", permissions, key_info: info, ...more } });
  const info = { id: "k1", name: "ci", basic_path: "/team" };
  const route = "GET /test/api-key";
  const problemOf = async (attempt: Promise<void>) => {
    const failure: unknown = await attempt.catch((error: unknown) => error);
    return isFailure(failure) ? [failure.code, failure.status, failure.retryAfter] : failure;
  };

  test("begins when the server knows the key, which it is asked with before anything is stored", async () => {
    const stored: (string | null)[] = [];
    await using api = fakeServer({
      [route]: () => {
        stored.push(localStorage.getItem("api_key"));
        return told(all);
      },
    });
    const { session, signIn, events } = openSession(api.base);
    await signIn.withKey("the-key");
    expect(api.seen[0]?.headers.get("authorization")).toBe("ApiKey the-key");
    expect(stored).toEqual([null]);
    const state = { authType: "apikey", key: "the-key", id: "k1", name: "ci", permissions: 3, basePath: "/team" };
    expect(session.state.get()).toMatchObject(state);
    expect(openSession(api.base).session.state.get()).toMatchObject({ ...state, lastValidated: 0 });
    expect(events).toEqual(["auth-state-changed"]);
  });

  const readable: readonly [given: unknown, bits: number][] = [
    [3, 3],
    [1, 1],
    [204547, 204547],
    [1 | (2 ** 10) | (2 ** 20), 1 | (2 ** 10)],
    [{ file: true }, 2],
    [{ text: "true", mount_delete: true }, 4096],
    [{ mount_view: true, text: false }, 256],
  ];
  test.each(readable)("reads rights %j as %d", async (given, bits) => {
    await using api = fakeServer({ [route]: () => told(given) });
    const { session, signIn } = openSession(api.base);
    await signIn.withKey("the-key");
    expect(session.state.get()).toMatchObject({ permissions: bits });
  });

  const refused: readonly [what: string, reply: () => Response, problem: unknown[]][] = [
    ["unknown key", () => refusal("key.invalid"), ["key.invalid", 401, undefined]],
    ["too many guesses", () => refusal("limit.wait", "", { "retry-after": "7" }), ["limit.wait", 429, 7]],
    ["a server in trouble", () => refusal("internal"), ["internal", 500, undefined]],
    ["a proxy's page", () => new Response("<h1>", { status: 502 }), ["unknown", 502, undefined]],
    ["no JSON", () => new Response("ok"), ["unknown", 200, undefined]],
    ["no data", () => answer(), ["key.unchecked", 200, undefined]],
    ["no object", () => Response.json([1]), ["key.unchecked", 200, undefined]],
    ["no success", () => answer({ success: false, data: {} }), ["validation.failed", 200, undefined]],
    ["no rights", () => told(undefined), ["key.rightsUnknown", 200, undefined]],
    ["rights in words", () => told("all"), ["key.rightsUnknown", 200, undefined]],
    ["rights below zero", () => told(-1), ["key.rightsUnknown", 200, undefined]],
    ["no name for the key", () => told(all, { key_info: null }), ["key.rightsUnknown", 200, undefined]],
    [
      "an empty name for the key",
      () => told(all, { key_info: { ...info, id: "" } }),
      ["key.rightsUnknown", 200, undefined],
    ],
    ["no rights at all", () => told(0), ["key.rightsFew", 200, undefined]],
    [
      "rights for WebDAV alone",
      () => told({ webdav_read: true, webdav_manage: true }),
      ["key.rightsFew", 200, undefined],
    ],
  ];
  test.each(refused)("does not begin with %s, and nothing is stored", async (_what, reply, problem) => {
    await using api = fakeServer({ [route]: reply });
    const { session, signIn, events } = openSession(api.base);
    expect(await problemOf(signIn.withKey("the-key"))).toEqual(problem);
    expect(session.state.get().authType).toBe("none");
    expect([localStorage.length, events]).toEqual([0, []]);
  });

  test.each(["with space", "密钥", "line\nbreak", ""])(
    "does not ask with %j, which no header can carry",
    async (key) => {
      await using api = fakeServer({});
      const { signIn } = openSession(api.base);
      expect(await problemOf(signIn.withKey(key))).toEqual(["key.invalid", 401, undefined]);
      expect(api.lines()).toEqual([]);
    },
  );

  const keep = (permissions = 3) => {
    localStorage.setItem("api_key", "kept");
    localStorage.setItem("api_key_permissions", String(permissions));
    localStorage.setItem("api_key_info", JSON.stringify({ id: "k1", name: "old name", basic_path: "/" }));
  };

  test("is asked about at the start, and what has changed is taken over, stored and told", async () => {
    keep();
    await using api = fakeServer({ [route]: () => told({ file: true }) });
    const { session, events, clock } = openSession(api.base);
    expect(session.isStale()).toBe(true);
    await Promise.all([session.revalidate(), session.revalidate()]);
    expect(api.lines()).toEqual([route]);
    const state = { key: "kept", name: "ci", permissions: 2, basePath: "/team" };
    expect(session.state.get()).toMatchObject({ ...state, lastValidated: clock.now });
    expect(openSession("").session.state.get()).toMatchObject(state);
    expect(events).toEqual(["auth-state-changed"]);
    clock.now += REVALIDATE_AFTER;
    expect(session.isStale()).toBe(true);
    await session.revalidate();
    expect(session.isStale()).toBe(false);
    expect(events).toHaveLength(1);
  });

  test("ends when the server knows the key no more, and says so", async () => {
    keep();
    await using api = fakeServer({ [route]: () => refusal("key.invalid") });
    const { session, events } = openSession(api.base);
    await session.revalidate();
    expect([session.state.get().authType, session.reason.get()]).toEqual(["none", "keyInvalid"]);
    expect(events).toEqual(["auth-state-changed", "api-key-invalid"]);
    expect(localStorage.getItem("api_key")).toBeNull();
  });

  test.each(["a server that cannot be reached", "an answer that says nothing"])("outlives %s", async (what) => {
    keep();
    await using api = fakeServer({ [route]: () => answer({ data: { permissions: null } }) });
    const { session, events } = openSession(what.startsWith("a server") ? "http://127.0.0.1:1" : api.base);
    await session.revalidate();
    expect(session.state.get()).toMatchObject({ key: "kept", permissions: 3, name: "old name" });
    expect(events).toEqual([]);
    expect(session.isStale()).toBe(true);
  });

  test("ends when an answer of the server says of itself that it is no success", async () => {
    keep();
    await using api = fakeServer({ [route]: () => answer({ success: false, data: null }) });
    const { session, events } = openSession(api.base);
    await session.revalidate();
    expect([session.state.get().authType, session.reason.get()]).toEqual(["none", "keyInvalid"]);
    expect(events).toEqual(["auth-state-changed", "api-key-invalid"]);
  });

  test("is asked about anew when it is refused what it should be allowed, long before it would be", async () => {
    keep();
    let rights: Record<string, boolean> = all;
    await using api = fakeServer({
      [route]: () => told(rights),
      "GET /pastes": () => refusal("auth.forbidden"),
      "GET /test/admin-token": () => refusal("auth.forbidden"),
    });
    const { session, call, credential, clock } = openSession(api.base);
    await session.revalidate();
    rights = { file: true };
    await Promise.allSettled([call(pastes.list, {}), call(pastes.list, {})]);
    await session.checking.get()?.done;
    expect(session.state.get()).toMatchObject({ permissions: 2, lastValidated: clock.now });
    expect(api.lines().filter((line) => line === route)).toHaveLength(2);

    credential.signIn("tok", "admin", clock.now);
    await Promise.allSettled([call(admin.token)]);
    expect(session.isStale()).toBe(false);
  });

  test("is not judged by an answer about the one before", async () => {
    keep();
    const late = Promise.withResolvers<Response>();
    await using api = fakeServer({
      [route]: ({ headers }) => (headers.get("authorization") === "ApiKey kept" ? late.promise : told(all)),
    });
    const { session, signIn } = openSession(api.base);
    const asking = session.revalidate();
    await signIn.withKey("another");
    late.resolve(told(204547));
    await asking;
    expect(session.state.get()).toMatchObject({ key: "another", permissions: 3 });
  });

  test("logs out without a word to the server, and with what was begun given up", async () => {
    keep();
    await using api = fakeServer({ [route]: () => told(all) });
    const { session, events } = openSession(api.base);
    const gone = Promise.withResolvers<unknown>();
    session.beforeSignOut(async (call) => gone.resolve(await call(keys.current)));
    await session.logout();
    await gone.promise;
    expect(api.lines()).toEqual([route]);
    expect(api.seen[0]?.headers.get("authorization")).toBe("ApiKey kept");
    expect([session.reason.get(), localStorage.getItem("api_key")]).toEqual(["loggedOut", null]);
    expect(events).toEqual(["auth-state-changed"]);
  });

  test("that ended leaves what was begun to the same key, and not to the admin", async () => {
    keep();
    let valid = false;
    await using api = fakeServer({
      [route]: () => (valid ? told(all) : refusal("key.invalid")),
      "POST /admin/login": signedIn,
    });
    const { session, signIn } = openSession(api.base);
    let asked = 0;
    session.beforeSignOut(async () => {
      asked += 1;
    });
    await session.revalidate();
    valid = true;
    await signIn.withKey("renewed");
    expect(asked).toBe(0);
    await signIn.withPassword("admin", "secret");
    expect(asked).toBe(1);
  });

  test("does not inherit what the admin had begun before the account was changed", async () => {
    localStorage.setItem("admin_token", "kept");
    localStorage.setItem("admin_username", "admin");
    await using api = fakeServer({ "POST /admin/change-password": () => answer(), [route]: () => told(all) });
    const { session, signIn } = openSession(api.base);
    let asked = 0;
    session.beforeSignOut(async () => {
      asked += 1;
    });
    await signIn.changeAccount({ currentPassword: "a", newUsername: "root" });
    expect(asked).toBe(0);
    await signIn.withKey("the-key");
    expect(asked).toBe(1);
  });

  test("in one tab takes the place of the admin's in another, which gives up what it had begun", async () => {
    localStorage.setItem("admin_token", "tok");
    localStorage.setItem("admin_username", "admin");
    await using api = fakeServer({ "GET /test/admin-token": () => answer() });
    const { session, hear, events } = openSession(api.base);
    const gone = Promise.withResolvers<unknown>();
    session.beforeSignOut(async (call) => gone.resolve(await call(admin.token)));
    openSession(api.base).credential.signInWithKey(
      "the-key",
      { id: "k1", name: "ci", permissions: 1, basePath: "/" },
      1,
    );
    hear();
    await gone.promise;
    expect(api.seen[0]?.headers.get("authorization")).toBe("Bearer tok");
    expect(session.state.get()).toMatchObject({ authType: "apikey", key: "the-key" });
    expect(events).toEqual(["auth-state-changed"]);
  });
});
