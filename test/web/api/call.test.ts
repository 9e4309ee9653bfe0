import { afterEach, describe, expect, test } from "bun:test";
import { admin } from "#contract/admin";
import type { Endpoint } from "#contract/endpoint";
import type { FailureCode } from "#contract/failures";
import { files } from "#contract/files";
import { fs } from "#contract/fs/fs";
import { pastes } from "#contract/pastes";
import { storage as storages } from "#contract/storage";
import { uploads } from "#contract/uploads";
import { createCall } from "../../../web/api/call.ts";
import { ApiFailure } from "../../../web/api/failure.ts";
import { createCredential, type SignOutReason } from "../../../web/api/session/credential.ts";
import { createKeyValue } from "../../../web/lib/storage.ts";
import { answer, fakeServer, refusal } from "../../support/page-servers/fake-server.ts";

const storage = createKeyValue(() => localStorage);

const rights = { id: "k1", name: "ci", permissions: 3, basePath: "/" };

function caller(base: string, token?: string, patience?: number) {
  const credential = createCredential(storage);
  if (token) credential.signIn(token, "admin", 1);
  const call = createCall({
    base: () => `${base}/api`,
    credential,
    language: () => "zh",
    ...(patience ? { patience } : {}),
  });
  return { call, credential };
}

const failureOf = async (attempt: Promise<unknown>): Promise<ApiFailure> => {
  try {
    await attempt;
  } catch (error) {
    if (error instanceof ApiFailure) return error;
    throw error;
  }
  throw new Error("It succeeded.");
};

afterEach(() => localStorage.clear());

test.each([false, true])(
  "what is answered is kept, but not for somebody who has left meanwhile: %p",
  async (leaves) => {
    const heard: unknown[] = [];
    const credential = createCredential(storage);
    credential.signIn("tok", "admin", 1);
    await using api = fakeServer({
      "GET /pastes/a": () => {
        if (leaves) credential.signOut("loggedOut");
        return answer({ data: { id: "a" } });
      },
    });
    const place = { recordAnswer: (...told: unknown[]) => void heard.push(told[2]), get: async () => undefined };
    const call = createCall({
      base: () => `${api.base}/api`,
      credential,
      language: () => "en",
      offlineFallback: place,
    });
    await call(pastes.read, { params: { id: "a" } });
    expect(heard.length).toBe(leaves ? 0 : 1);
  },
);

test.each([
  [403, { error: "path.forbidden", message: "No" }, true],
  [404, { error: "path.missing", message: "No" }, true],
  [410, { error: "share.gone", message: "No" }, true],
  // A page of a proxy, and what may pass by itself.
  [403, "<h1>Forbidden</h1>", false],
  [429, { error: "request.tooMany", message: "No" }, false],
  [500, { error: "unknown", message: "No" }, false],
])("an answer of %d with %p is told to the offline copies: %p", async (status, body, isTold) => {
  const heard: unknown[][] = [];
  await using api = fakeServer({
    "GET /fs/list": () => new Response(typeof body === "string" ? body : JSON.stringify(body), { status }),
  });
  const call = createCall({
    base: () => `${api.base}/api`,
    credential: createCredential(storage),
    language: () => "en",
    offlineFallback: { recordAnswer: (...told: unknown[]) => void heard.push(told), get: async () => undefined },
  });
  await failureOf(call(fs.list, { query: { path: "/drive" } }));
  expect(heard.map((told) => told[2])).toEqual(isTold ? [undefined] : []);
});

describe("a call", () => {
  test("fills in the address, sends body, language and session, and gives what was declared", async () => {
    await using api = fakeServer({ "PUT /pastes/a%20b%2F": () => answer({ data: { id: "1", slug: "x" } }) });
    const { call } = caller(api.base, "tok");
    const { data } = await call(pastes.update, { params: { id: "a b/" }, body: { remark: "备注" } });
    expect(data).toEqual({ id: "1", slug: "x" });
    const [seen] = api.seen;
    expect(seen?.headers.get("authorization")).toBe("Bearer tok");
    expect(seen?.headers.get("accept-language")).toBe("zh");
    expect(seen?.body).toEqual({ remark: "备注" });
  });

  test("sends no session when there is none, and leaves out query values that are not set", async () => {
    await using api = fakeServer({
      "GET /pastes": (_, url) => answer({ data: [], pagination: { asked: url.search } }),
    });
    const { call } = caller(api.base);
    const page = await call(pastes.list, { query: { limit: 5, page: undefined } });
    expect(page.pagination).toMatchObject({ asked: "?limit=5" });
    expect(api.seen[0]?.headers.has("authorization")).toBe(false);
  });

  test("throws the server's code, status, sentence and time to wait", async () => {
    await using api = fakeServer({
      "POST /admin/login": () => refusal("limit.wait", "等一等", { "retry-after": "42" }),
    });
    const { call } = caller(api.base);
    const failure = await failureOf(call(admin.login, { body: { username: "a", password: "b" } }));
    expect(failure).toMatchObject({ code: "limit.wait", status: 429, message: "等一等", retryAfter: 42 });
  });

  test("waits for a slow answer as long as something comes", async () => {
    const pause = 400;
    const body = () =>
      new ReadableStream({
        async start(controller) {
          for (const part of ['{"co', 'de":', "200}", " ", " ", " "]) {
            await Bun.sleep(pause);
            controller.enqueue(new TextEncoder().encode(part));
          }
          controller.close();
        },
      });
    await using slow = Bun.serve({ port: 0, fetch: () => new Response(body()) });
    const { call } = caller(slow.url.origin, undefined, 5 * pause);
    expect(await call(admin.token)).toMatchObject({ code: 200 });
  });

  test("tells apart what happens on the way", async () => {
    await using api = fakeServer({
      "GET /health": () => new Response("<html>a proxy's page</html>", { status: 502 }),
      "GET /version": () => new Response("not JSON"),
      "GET /test/admin-token": () => Promise.withResolvers<never>().promise,
    });
    const { call } = caller(api.base);
    const { system } = await import("#contract/system");
    expect(await failureOf(call(system.health))).toMatchObject({ code: "unknown", status: 502 });
    expect(await failureOf(call(system.version))).toMatchObject({ code: "unknown", status: 200 });
    const hasty = caller(api.base, undefined, 50);
    expect(await failureOf(hasty.call(admin.token))).toMatchObject({ code: "timeout", status: 0 });
    const gone = caller("http://127.0.0.1:1");
    expect(await failureOf(gone.call(system.health))).toMatchObject({ code: "network", status: 0 });
    const aborted = AbortSignal.abort();
    expect(await failureOf(call(system.health, { signal: aborted }))).toMatchObject({ code: "aborted" });
  });
});

describe("a 401", () => {
  const everything = {
    "GET /pastes": () => refusal("auth.expired"),
    "POST /paste/x": () => refusal("password.wrong"),
    "POST /admin/change-password": () => refusal("account.wrongPassword"),
  };

  test("ends the session on a call that asks for one", async () => {
    await using api = fakeServer(everything);
    const { call, credential } = caller(api.base, "tok");
    expect((await failureOf(call(pastes.list, {}))).code).toBe("auth.expired");
    expect(credential.state.get().authType).toBe("none");
    expect(credential.reason.get()).toBe("expired");
    expect(localStorage.getItem("admin_token")).toBeNull();
  });

  test("leaves it alone when it speaks of a password in the request", async () => {
    await using api = fakeServer(everything);
    const { call, credential } = caller(api.base, "tok");
    await failureOf(call(pastes.unlock, { params: { slug: "x" }, body: { password: "no" } }));
    await failureOf(call(admin.changePassword, { body: { currentPassword: "no" } }));
    expect(credential.state.get().authType).toBe("admin");
  });

  test("of an old session does not end the one that came after it", async () => {
    const late = Promise.withResolvers<Response>();
    await using api = fakeServer({ "GET /pastes": () => late.promise });
    const { call, credential } = caller(api.base, "old");
    const attempt = failureOf(call(pastes.list, {}));
    credential.signIn("new", "admin", 2);
    late.resolve(refusal("auth.expired"));
    await attempt;
    expect(credential.state.get()).toMatchObject({ token: "new" });
  });

  test("reaches people without the status that old clients look for", async () => {
    const failed = [{ id: "a", error: "This file or folder does not exist (404)." }];
    await using api = fakeServer({
      "GET /pastes": () =>
        Response.json(
          { error: "path.missing", message: "This file or folder does not exist (404).", failed },
          { status: 404 },
        ),
    });
    const failure = await failureOf(caller(api.base).call(pastes.list, {}));
    expect(failure.message).toBe("This file or folder does not exist.");
    expect(failure.failed).toEqual([{ id: "a", error: "This file or folder does not exist." }]);
  });

  test("of an old key does not end the one that came after it", async () => {
    const late = Promise.withResolvers<Response>();
    await using api = fakeServer({ "GET /pastes": () => late.promise });
    const { call, credential } = caller(api.base);
    credential.signInWithKey("old", rights, 1);
    const attempt = failureOf(call(pastes.list, {}));
    credential.signInWithKey("new", rights, 2);
    late.resolve(refusal("key.invalid"));
    await attempt;
    expect(credential.state.get()).toMatchObject({ key: "new" });
  });
});

describe("what a failure means for who sent the call", () => {
  type Sender = "admin" | "apikey" | "none";
  const rows: readonly [code: FailureCode, endpoint: Endpoint, ends: Partial<Record<Sender, SignOutReason>>][] = [
    ["auth.expired", pastes.list, { admin: "expired", apikey: "keyInvalid" }],
    ["auth.expired", files.list, { admin: "expired", apikey: "keyInvalid" }],
    ["key.invalid", pastes.list, { admin: "expired", apikey: "keyInvalid" }],
    ["key.invalid", uploads.presign, { admin: "expired", apikey: "keyInvalid" }],
    ["auth.required", pastes.list, { admin: "unauthorized", apikey: "unauthorized" }],
    // On routes of files and uploads it speaks of what the key may do there.
    ["auth.required", files.list, { admin: "unauthorized" }],
    ["auth.required", files.remove, { admin: "unauthorized" }],
    ["auth.required", uploads.presign, { admin: "unauthorized" }],
    ["auth.required", { ...files.list, path: "/url/info" }, { admin: "unauthorized" }],
    ["auth.required", { ...files.list, path: "/upload" }, { admin: "unauthorized" }],
    // What only begins like one of them is none.
    ["auth.required", storages.list, { admin: "unauthorized", apikey: "unauthorized" }],
    ["auth.required", { ...files.list, path: "/urls" }, { admin: "unauthorized", apikey: "unauthorized" }],
    ["auth.forbidden", pastes.list, {}],
    ["auth.forbidden", files.list, {}],
    ["auth.forbidden", uploads.presign, {}],
    ["storage.forbidden", uploads.presign, {}],
    ["password.wrong", pastes.unlock, {}],
    ["password.missing", pastes.unlock, {}],
    ["password.wrong", files.unlock, {}],
    ["grant.void", pastes.read, {}],
    ["account.wrongPassword", admin.changePassword, {}],
    ["login.wrong", admin.login, {}],
    ["signInLink.invalid", admin.signInWithLink, {}],
    ["limit.wait", pastes.list, {}],
    ["internal", pastes.list, {}],
  ];
  const senders = ["admin", "apikey", "none"] as const;
  const all = rows.flatMap(([code, endpoint, ends]) =>
    senders.map((sender) => {
      const line = `${endpoint.method} ${endpoint.path}`;
      return [code, line, sender, ends[sender] ?? "nothing", endpoint] as const;
    }),
  );
  const params = { id: "x", slug: "x" };

  test.each(all)("%s of %s to %s: %s", async (code, _line, sender, end, endpoint) => {
    await using server = Bun.serve({ port: 0, fetch: () => refusal(code, "the server's own sentence") });
    const { call, credential } = caller(server.url.origin);
    if (sender === "admin") credential.signIn("tok", "admin", 1);
    if (sender === "apikey") credential.signInWithKey("key", rights, 1);
    const failure = await failureOf(call(endpoint, { params, ...(endpoint.body && { body: {} }) } as never));
    expect(failure).toMatchObject({ code, message: "the server's own sentence" });
    expect([credential.state.get().authType, credential.reason.get()]).toEqual(
      end === "nothing" ? [sender, undefined] : ["none", end],
    );
  });

  test("a proxy's own 401 means nothing", async () => {
    await using server = Bun.serve({ port: 0, fetch: () => new Response("<h1>401</h1>", { status: 401 }) });
    const { call, credential } = caller(server.url.origin, "tok");
    expect(await failureOf(call(pastes.list, {}))).toMatchObject({ code: "unknown", status: 401 });
    expect(credential.state.get().authType).toBe("admin");
  });
});

test("a key travels as ApiKey", async () => {
  await using api = fakeServer({ "GET /pastes": () => answer({ data: [] }) });
  const { call, credential } = caller(api.base);
  credential.signInWithKey("the-key", rights, 1);
  await call(pastes.list, {});
  expect(api.seen[0]?.headers.get("authorization")).toBe("ApiKey the-key");
});
