import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { version } from "../../../../package.json";
import { sql } from "../../../../src/database/sql.ts";
import { modern, post, rpc } from "../../../support/clients/mcp.ts";
import { makeKey, withKey } from "../../../support/make-key.ts";
import { openTestHouse, type TestHouse } from "../../../support/test-house.ts";

/** Messages of MCP over Streamable HTTP, as its specification has them: revisions with a handshake, and the one without. */

let house: TestHouse;
let key: Record<string, string>;
beforeAll(async () => {
  house = await openTestHouse();
  key = withKey(await makeKey(house));
});
afterAll(() => house[Symbol.asyncDispose]());

const send = (body: unknown, headers: Record<string, string> = {}) => post(house, body, { ...key, ...headers });
const at = (revision: string) => ({ "mcp-protocol-version": revision });

describe("a handshake", () => {
  test.each([
    ["2025-11-25", "2025-11-25"],
    ["2025-06-18", "2025-06-18"],
    ["2025-03-26", "2025-03-26"],
    ["2024-11-05", "2025-11-25"],
    ["2026-07-28", "2025-11-25"],
    ["2099-01-01", "2025-11-25"],
  ])("that asks for %s ends with %s, and no session", async (asked, agreed) => {
    const params = { protocolVersion: asked, capabilities: {}, clientInfo: { name: "test", version: "1" } };
    const { status, headers, message } = await send(rpc("initialize", params));
    expect([status, headers.get("content-type"), headers.get("mcp-session-id")]).toEqual([
      200,
      "application/json",
      null,
    ]);
    expect(message).toMatchObject({
      ...{ jsonrpc: "2.0", id: 1 },
      result: { protocolVersion: agreed, capabilities: { tools: {} }, serverInfo: { name: "satchel", version } },
    });
  });

  test("needs a revision", async () => {
    for (const params of [{}, { protocolVersion: 1 }, { protocolVersion: null }])
      expect((await send(rpc("initialize", params))).message.error?.code).toBe(-32602);
  });

  test("ends with a notification, which is answered by nothing, as every other and what answers nothing", async () => {
    for (const body of [
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } },
      { jsonrpc: "2.0", method: "tools/call", params: { name: "share_text", arguments: { content: "x" } } },
      { jsonrpc: "2.0", id: 7, result: {} },
      { jsonrpc: "2.0", id: 7, error: { code: 1, message: "no" } },
    ]) {
      const { status, message } = await send(body, at("2025-06-18"));
      expect({ body, status, message }).toEqual({ body, status: 202, message: {} });
    }
    expect(
      (await house.house.shares.pastes.list({ owners: undefined, limit: 1, offset: 0, sort: "created", order: "desc" }))
        .rows,
    ).toEqual([]);
  });
});

describe("a request", () => {
  test("is answered under its id", async () => {
    for (const id of [0, -1, 9_007_199_254_740_991, "", "a", "x".repeat(200)])
      expect((await send(rpc("ping", {}, id))).message).toEqual({ jsonrpc: "2.0", id, result: {} });
  });

  test("that is none is refused", async () => {
    const base = { jsonrpc: "2.0", id: 1, method: "ping" };
    for (const body of [
      ...[null, 1, "ping", true, {}, [], [base, 1], [[base]], { jsonrpc: "2.0", id: 1 }],
      ...[
        { ...base, jsonrpc: "1.0" },
        { ...base, jsonrpc: 2 },
        { ...base, method: 1 },
      ],
      ...[
        { ...base, id: null },
        { ...base, id: 1.5 },
        { ...base, id: {} },
        { ...base, id: 2 ** 60 },
      ],
      ...[
        { ...base, id: "x".repeat(201) },
        { ...base, method: "x".repeat(201) },
      ],
      ...[
        { ...base, params: [] },
        { ...base, params: "x" },
        { ...base, params: null },
      ],
    ]) {
      const { status, message } = await send(JSON.stringify(body), at("2025-06-18"));
      expect({ body, status, code: message.error?.code }).toEqual({ body, status: 400, code: -32600 });
    }
  });

  test("whose body is no JSON, too deep or too large is refused", async () => {
    for (const body of ["", "{", "ping", "{}{}", "[".repeat(40) + "]".repeat(40)]) {
      const { status, message } = await send(body);
      expect([body, status, message.error?.code, message.id]).toEqual([body, 400, -32700, undefined]);
    }
    const large = JSON.stringify(rpc("ping", { x: "x".repeat(70_000) }));
    expect((await send(large)).status).toBe(200);
    const viewer = withKey(await makeKey(house, { permissions: ["mount_view"] }));
    const { status, message } = await send(large, viewer);
    expect([status, message.error?.data]).toEqual([413, { error: "body.tooLarge" }]);
  });

  test("of a method that is not there is refused, with the status that its revision has", async () => {
    for (const method of ["resources/list", "prompts/list", "server/discover", "constructor", "__proto__", ""]) {
      const { status, message } = await send(rpc(method));
      expect([method, status, message.error?.code, message.id]).toEqual([method, 200, -32601, 1]);
    }
    for (const method of ["resources/list", "initialize", "ping", "subscriptions/listen"]) {
      const { body, headers } = modern(method);
      const { status, message } = await send(body, headers);
      expect([method, status, message.error?.code, message.id]).toEqual([method, 404, -32601, 1]);
    }
  });

  test("several at once are taken where the revision has batches, and nowhere else", async () => {
    const batch = [rpc("ping"), { jsonrpc: "2.0", method: "notifications/initialized" }, rpc("none", {}, 2), 5];
    for (const headers of [{}, at("2025-03-26")]) {
      const { status, message } = await send(batch, headers);
      expect(status).toBe(200);
      expect(message as unknown).toMatchObject([
        { id: 1, result: {} },
        { id: 2, error: { code: -32601 } },
        { error: { code: -32600 } },
      ]);
    }
    expect((await send(batch.slice(1, 2))).status).toBe(202);
    for (const revision of ["2025-06-18", "2025-11-25", "2026-07-28"]) {
      const { status, message } = await send(batch, at(revision));
      expect([status, message.error?.code]).toEqual([400, -32600]);
    }
    for (const body of [[], Array(21).fill(rpc("ping"))]) expect((await send(body)).status).toBe(400);
  });
});

test("of several at once those are refused before which the sender has lost the key, and the others are answered", async () => {
  const own = await makeKey(house);
  const { vfs, access } = house.house;
  const as = vfs.as.bind(vfs);
  using watched = spyOn(vfs, "as").mockImplementation(async (...asked) => {
    await access.keys.remove(own.id);
    return await as(...asked);
  });
  const list = rpc("tools/call", { name: "list_folder", arguments: { path: "/" } });
  const content = `after ${crypto.randomUUID()}`;
  const share = rpc("tools/call", { name: "share_text", arguments: { content } }, 2);
  const { status, message } = await post(house, [list, share, rpc("tools/list", {}, 3)], withKey(own));
  expect(watched).toHaveBeenCalledTimes(1);
  const refused = { error: { code: -32600, data: { error: "key.invalid" } } };
  expect([status, message as unknown]).toMatchObject([200, [{ id: 1 }, { id: 2, ...refused }, { id: 3, ...refused }]]);
  const found = await house.db.first(sql`select count(*) as texts from pastes`);
  expect(found).toEqual({ texts: 0 });
});

describe("the revision", () => {
  test.each(["2025-03-26", "2025-06-18", "2025-11-25"])("%s is taken from the header", async (revision) => {
    expect((await send(rpc("ping"), at(revision))).status).toBe(200);
  });

  test.each(["2024-11-05", "1900-01-01", "x", "", "2025-06-18, 2025-06-18", "y".repeat(5000)])(
    "%.20s is refused, with those that are spoken",
    async (revision) => {
      const { status, message } = await send(rpc("ping"), at(revision));
      expect(status).toBe(400);
      expect(message.error).toEqual({
        code: -32022,
        message: "Unsupported protocol version",
        data: {
          supported: ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"],
          requested: revision.slice(0, 40),
        },
      });
    },
  );
});

describe("a request without a handshake", () => {
  test("says what it needs, and is answered by what the server is", async () => {
    const { body, headers } = modern("server/discover");
    const { status, message } = await send(body, headers);
    expect(status).toBe(200);
    expect(message.result).toMatchObject({
      ...{ resultType: "complete", ttlMs: 60_000, cacheScope: "private", capabilities: { tools: {} } },
      supportedVersions: ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"],
      _meta: { "io.modelcontextprotocol/serverInfo": { name: "satchel", version } },
    });
    const list = modern("tools/list");
    const listed = await send(list.body, list.headers);
    expect(listed.message.result).toMatchObject({ resultType: "complete", cacheScope: "private" });
  });

  const { body, headers } = modern("tools/call", { name: "list_folder", arguments: {} });
  const meta = body.params as { _meta: Record<string, unknown> };

  test("may name a tool in Base64", async () => {
    const name = `=?base64?${Buffer.from("list_folder").toString("base64")}?=`;
    expect((await send(body, { ...headers, "mcp-name": name })).status).toBe(200);
  });

  test.each([
    ["Mcp-Method is missing", { "mcp-method": undefined }, -32020],
    ["Mcp-Method differs", { "mcp-method": "tools/list" }, -32020],
    ["Mcp-Method differs in its letters", { "mcp-method": "Tools/call" }, -32020],
    ["Mcp-Name is missing", { "mcp-name": undefined }, -32020],
    ["Mcp-Name differs", { "mcp-name": "read_file" }, -32020],
    ["Mcp-Name is no Base64", { "mcp-name": "=?base64?***?=" }, -32020],
    ["MCP-Protocol-Version is missing", { "mcp-protocol-version": undefined }, -32020],
    ["MCP-Protocol-Version differs", { "mcp-protocol-version": "2025-06-18" }, -32020],
  ] as const)("is refused when %s", async (_, changed, code) => {
    const all = Object.entries({ ...headers, ...changed });
    const sent = Object.fromEntries(all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
    const { status, message } = await send(body, sent);
    expect([status, message.error?.code, message.id]).toEqual([400, code, 1]);
  });

  test.each([
    ["no _meta", undefined, -32602],
    ["a _meta that is none", "x", -32602],
    ["no revision", { ...meta._meta, "io.modelcontextprotocol/protocolVersion": undefined }, -32602],
    ["another revision", { ...meta._meta, "io.modelcontextprotocol/protocolVersion": "2025-06-18" }, -32020],
    ["no capabilities", { ...meta._meta, "io.modelcontextprotocol/clientCapabilities": undefined }, -32602],
  ] as const)("is refused with %s", async (_, _meta, code) => {
    const { status, message } = await send({ ...body, params: { ...body.params, _meta } }, headers);
    expect([status, message.error?.code, message.id]).toEqual([400, code, 1]);
  });

  test("answers nothing that was not asked", async () => {
    expect((await send({ jsonrpc: "2.0", id: 1, result: {} }, at("2026-07-28"))).status).toBe(400);
  });
});

describe("the address", () => {
  test.each(["GET", "HEAD", "PUT", "DELETE", "PATCH"])("takes no %s", async (method) => {
    const response = await house.request("/mcp", { method, headers: { ...key, accept: "text/event-stream" } });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
  });

  test("asks for a key, and says how", async () => {
    for (const [headers, error] of [
      [{} as Record<string, string>, "key.required"],
      [{ authorization: "Bearer wrong-key-of-nobody" }, "key.invalid"],
      [{ authorization: "ApiKey wrong-key" }, "key.invalid"],
      [{ authorization: `Basic ${btoa("any:wrong-key")}` }, "key.invalid"],
    ] as const) {
      const { status, headers: answered, message } = await post(house, rpc("ping"), headers);
      expect([status, answered.get("www-authenticate")]).toEqual([401, 'Bearer realm="Satchel"']);
      expect(message.error).toMatchObject({ code: -32600, data: { error } });
    }
  });

  test("takes a key in every way in which keys come", async () => {
    const { key: secret } = await makeKey(house, { permissions: [] });
    for (const headers of [
      { authorization: `Bearer ${secret}` } as Record<string, string>,
      { authorization: `bearer ${secret}` },
      { authorization: `ApiKey ${secret}` },
      { authorization: `Basic ${Buffer.from(`any:${secret}`).toString("base64")}` },
      { "x-api-key": secret },
      { "x-custom-auth-key": secret },
    ])
      expect((await post(house, rpc("ping"), headers)).status).toBe(200);
  });

  test("is in no query, and nothing of it or of a text is in the log", async () => {
    const { key: secret } = await makeKey(house);
    expect((await house.request(`/mcp?key=${secret}`, { method: "POST", body: "{}" })).status).toBe(401);
    await using other = await openTestHouse();
    const own = withKey(await makeKey(other));
    await post(
      other,
      rpc("tools/call", { name: "share_text", arguments: { content: "unheard-of", password: "unseen-word" } }),
      own,
    );
    expect(other.log()).toContain('"path":"/mcp"');
    for (const word of ["unheard-of", "unseen-word", own.authorization.slice("ApiKey ".length)])
      expect(other.log()).not.toContain(word);
  });

  test.each([
    ["http://satchel.test", 200],
    ["http://evil.test", 403],
    ["http://satchel.test.evil.test", 403],
    ["http://satchel.test:8080", 403],
    ["null", 403],
    ["", 403],
    ["satchel.test", 403],
    ["file://", 403],
  ])("answers a page of %p with %d", async (origin, status) => {
    expect((await send(rpc("ping"), { origin })).status).toBe(status);
  });

  test("lets no page in whose name has come to mean this server, where PUBLIC_URL is known", async () => {
    await using known = await openTestHouse({ publicUrl: "https://share.example" });
    const own = withKey(await makeKey(known));
    const from = (origin: string) => post(known, rpc("ping"), { ...own, origin });
    expect((await from("https://share.example")).status).toBe(200);
    const { status, message } = await from("http://satchel.test");
    expect([status, message.error?.data]).toEqual([403, { error: "origin.forbidden" }]);
  });

  test("is below the base path, and nowhere beside it", async () => {
    await using below = await openTestHouse({ basePath: "/shared/satchel" });
    const own = withKey(await makeKey(below));
    const ask = (path: string) =>
      below.request(path, { method: "POST", headers: own, body: JSON.stringify(rpc("ping")) });
    expect((await ask("/shared/satchel/mcp")).status).toBe(200);
    expect((await ask("/mcp")).status).toBe(404);
  });

  test("counts as a front of its own", async () => {
    await using measured = await openTestHouse({ metricsToken: "a token of a test" });
    await post(measured, rpc("ping"), withKey(await makeKey(measured)));
    const response = await measured.request("/metrics", { headers: { authorization: "Bearer a token of a test" } });
    expect(await response.text()).toContain('satchel_requests_total{front="mcp",status="2xx"} 1');
  });

  test("says what is refused in the language of who asks", async () => {
    const { message } = await post(house, rpc("ping"), { "accept-language": "de" });
    expect(message.error?.message).toBe(
      "Dafür braucht es einen API-Schlüssel: im Header X-API-KEY oder bei curl als -u x:SCHLÜSSEL.",
    );
  });
});
