import { describe, expect, test } from "bun:test";
import type { AuditEntry } from "#contract/admin";
import { AUDIT_LIFE, MAX_AUDITED } from "#contract/limits";
import { plainSql, sql } from "../../../../../src/database/sql.ts";
import { makeKey, withKey } from "../../../../support/make-key.ts";
import { type Scenario, scenarios, send } from "../../../../support/scenario.ts";
import { minutes } from "../../../../support/test-clock.ts";
import { testOnSqlite } from "../../../../support/test-database.ts";
import { ADMIN, openTestHouse, type TestHouse } from "../../../../support/test-house.ts";

interface Listed {
  readonly data: readonly AuditEntry[];
  readonly pagination: { readonly total: number; readonly hasMore: boolean };
}

async function audit(house: TestHouse, query = ""): Promise<Listed> {
  const response = await send(house, { as: "admin", method: "GET", url: `/api/admin/audit${query}`, status: 200 });
  expect(response.status).toBe(200);
  return (await response.json()) as Listed;
}

/** What was done, the oldest first. */
const actions = async (house: TestHouse) => (await audit(house)).data.map(({ action }) => action).reverse();

const logIn = (house: TestHouse, values: Partial<typeof ADMIN> = {}, peer?: string) =>
  house.request("/api/admin/login", { method: "POST", body: JSON.stringify({ ...ADMIN, ...values }) }, peer);

const tokenOf = async (response: Response) => ((await response.json()) as { data: { token: string } }).data.token;

const basic = (username: string, password: string) => ({ authorization: `Basic ${btoa(`${username}:${password}`)}` });

const asAdmin = (house: TestHouse, method: Scenario["method"], url: string, body?: unknown) =>
  send(house, { as: "admin", method, url, body });

describe("who may read it", () => {
  const read = { method: "GET", url: "/api/admin/audit" } as const;
  scenarios([
    { as: "anyone", ...read, status: 401 },
    { as: "wrong token", ...read, status: 401 },
    { as: "visitor", ...read, status: 401 },
    { as: "wrong key", ...read, status: 401 },
    { as: "any key", ...read, status: 403 },
    { as: "admin", ...read, status: 200, has: ['"data":[]', '"total":0', '"limit":50', '"hasMore":false'] },
    { as: "admin", ...read, url: `${read.url}?limit=101`, status: 400, has: ["query.invalid", "limit"] },
    { as: "admin", ...read, url: `${read.url}?limit=0`, status: 400 },
    { as: "admin", ...read, url: `${read.url}?offset=-1`, status: 400, has: ["offset"] },
    { as: "admin", ...read, url: `${read.url}?offset=9007199254740991`, status: 200, has: ['"data":[]'] },
    { as: "admin", ...read, url: `${read.url}?action=login.guess'--`, status: 400, has: ["action"], hasNot: ["guess"] },
    { as: "admin", method: "DELETE", url: "/api/admin/audit", status: 404 },
  ]);
});

describe("sign-ins", () => {
  test("are written down with the address and the session, and so is signing out of one that lives", async () => {
    await using house = await openTestHouse();
    const token = await tokenOf(await logIn(house, {}, "2001:db8::7"));
    const out = () =>
      house.request("/api/admin/logout", { method: "POST", headers: { authorization: `Bearer ${token}` } });
    await out();
    await out();
    await house.request("/api/admin/logout", { method: "POST" });
    const { data } = await audit(house);
    const [ended, begun] = data;
    expect(data).toHaveLength(2);
    expect(begun).toEqual({
      id: 1,
      at: "2030-01-02T03:04:05.678Z",
      action: "login.done",
      actor: "admin",
      address: "2001:db8::7",
      subject: expect.any(String),
      name: null,
      fields: [],
    });
    expect(ended).toMatchObject({ id: 2, action: "logout.done", actor: "admin", subject: begun?.subject });
  });

  test("that fail tell the address and nothing of what was tried", async () => {
    await using house = await openTestHouse();
    await logIn(house, { password: "wrong horse" }, "198.51.100.1");
    await logIn(house, { username: "root-guess" }, "198.51.100.2");
    const body = JSON.stringify({ token: "guessed-token" });
    await house.request("/api/admin/sign-in-link", { method: "POST", body }, "198.51.100.3");
    const { data } = await audit(house);
    const failed = { action: "login.failed", actor: "nobody", subject: null, name: null, fields: [] };
    expect(data).toMatchObject([
      { ...failed, address: "198.51.100.3" },
      { ...failed, address: "198.51.100.2" },
      { ...failed, address: "198.51.100.1" },
    ]);
    const rows = JSON.stringify(await house.db.all(sql`select * from audit`));
    for (const tried of ["horse", "root-guess", "guessed-token"]) expect(rows).not.toContain(tried);
  });

  test("by HTTP Basic fail once for each guess, however often a client repeats it, and are no sign-in when right", async () => {
    await using house = await openTestHouse();
    const attempt = async (password: string) =>
      (await house.request("/api/test/admin-token", { headers: basic(ADMIN.username, password) })).status;
    for (const password of ["guess 1", "guess 1", "guess 2", "guess 1"]) expect(await attempt(password)).toBe(401);
    expect(await attempt(ADMIN.password)).toBe(200);
    expect(await actions(house)).toEqual(["login.failed", "login.failed"]);
  });

  test("are no guesses any more when they are limited", async () => {
    await using house = await openTestHouse();
    for (let index = 0; index < 12; index++) await logIn(house, { password: `guess ${index}` });
    expect((await audit(house, "?action=login.failed")).pagination.total).toBe(10);
  });

  test("of a malformed request are none", async () => {
    await using house = await openTestHouse();
    await logIn(house, { password: "" });
    await house.request("/api/admin/login", { method: "POST", body: "{" });
    expect(await actions(house)).toEqual([]);
  });

  test("by link, and the reset at the terminal that printed it", async () => {
    await using house = await openTestHouse();
    const { linkToken } = await house.house.access.admin.reset();
    const body = JSON.stringify({ token: linkToken });
    await house.request("/api/admin/sign-in-link", { method: "POST", body });
    const { data } = await audit(house);
    expect(data).toMatchObject([
      { action: "login.link", actor: "admin", address: "192.0.2.1", subject: expect.any(String) },
      { action: "account.reset", actor: "terminal", address: "", subject: null },
    ]);
  });
});

describe("administrative changes", () => {
  test("of a key tell its id, what it was called then, and which fields were sent, not their values", async () => {
    await using house = await openTestHouse();
    const values = { name: "first name", custom_key: "chosen-key-1", expires_at: null };
    const created = await asAdmin(house, "POST", "/api/admin/api-keys", values);
    const { id } = ((await created.json()) as { data: { id: string } }).data;
    await asAdmin(house, "PUT", `/api/admin/api-keys/${id}`, { name: "second name", is_guest: true });
    await asAdmin(house, "DELETE", `/api/admin/api-keys/${id}`);
    const { data } = await audit(house);
    const of = { actor: "admin", address: "192.0.2.1", subject: id };
    expect(data).toMatchObject([
      { ...of, action: "key.delete", name: "second name", fields: [] },
      { ...of, action: "key.update", name: "first name", fields: ["name", "is_guest"] },
      { ...of, action: "key.create", name: "first name", fields: ["name", "custom_key", "expires_at"] },
    ]);
    expect(JSON.stringify(await house.db.all(sql`select * from audit`))).not.toContain("chosen-key-1");
  });

  test("of the account and of sessions", async () => {
    await using house = await openTestHouse();
    const body = JSON.stringify(ADMIN);
    const headers = { "user-agent": "Firefox" };
    await house.request("/api/admin/login", { method: "POST", body, headers });
    const id = (await house.house.access.sessions.list()).sessions[0]?.id;
    await asAdmin(house, "DELETE", `/api/admin/sessions/${id}`);
    const change = { currentPassword: ADMIN.password, newPassword: "battery staple" };
    await asAdmin(house, "POST", "/api/admin/change-password", change);
    const [account, session] = (await audit(house)).data;
    expect(account).toMatchObject({
      action: "account.update",
      subject: null,
      fields: ["currentPassword", "newPassword"],
    });
    expect(session).toMatchObject({ action: "session.delete", subject: id, name: "Firefox" });
  });

  test("of settings, unless none was right", async () => {
    await using house = await openTestHouse();
    const url = "/api/admin/settings/group/1";
    await asAdmin(house, "PUT", url, { max_upload_size: "nonsense" });
    expect(await actions(house)).toEqual([]);
    await asAdmin(house, "PUT", url, { max_upload_size: "50", nothing: "x" });
    const [entry] = (await audit(house)).data;
    expect(entry).toMatchObject({
      action: "settings.update",
      subject: "1",
      name: "global",
      fields: ["max_upload_size"],
    });
  });

  test("by name and password in each request are the administrator's too", async () => {
    await using house = await openTestHouse();
    const headers = basic(ADMIN.username, ADMIN.password);
    await house.request("/api/admin/api-keys", { method: "POST", headers, body: '{"name":"ci"}' });
    expect((await audit(house)).data).toMatchObject([{ action: "key.create", actor: "admin", name: "ci" }]);
  });

  test("that are refused or fail are none", async () => {
    await using house = await openTestHouse();
    const key = await makeKey(house, { name: "taken" });
    const url = "/api/admin/api-keys";
    await asAdmin(house, "POST", url, { name: "taken" });
    await asAdmin(house, "POST", url, { name: "" });
    await asAdmin(house, "POST", url, "{");
    await asAdmin(house, "PUT", `${url}/${key.id}`, {});
    await asAdmin(house, "DELETE", `${url}/nothing`);
    await asAdmin(house, "DELETE", "/api/admin/sessions/nothing");
    await house.request(url, { method: "POST", headers: withKey(key), body: '{"name":"mine"}' });
    expect(await actions(house)).toEqual([]);
  });

  test("with a hundred long fields are written down in bounds", async () => {
    await using house = await openTestHouse();
    const odd = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`${"長".repeat(150)}${index}`, index]));
    await asAdmin(house, "POST", "/api/admin/api-keys", { name: "wide", ...odd });
    const [entry] = (await audit(house)).data;
    expect(entry?.fields).toHaveLength(50);
    expect(entry?.fields.slice(0, 2)).toEqual(["name", "長".repeat(100)]);
  });

  test("succeed although they cannot be written down, and the log says so", async () => {
    await using house = await openTestHouse();
    await house.db.run(plainSql("drop table audit"));
    expect((await logIn(house)).status).toBe(200);
    expect((await asAdmin(house, "POST", "/api/admin/api-keys", { name: "ci" })).status).toBe(201);
    expect(house.log().match(/"level":"error","event":"audit not written"/g)).toHaveLength(2);
  });
});

describe("the list", () => {
  const fill = (house: TestHouse, count: number) =>
    house.db.run(sql`
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})
      insert into audit (at, action, actor, address, fields)
      select ${house.clock.now()}, case n % 2 when 0 then 'login.done' else 'login.failed' end, 'admin', '192.0.2.1', '[]'
      from numbers`);

  test("comes in pages, newest first, with an exact total", async () => {
    await using house = await openTestHouse();
    await fill(house, 120);
    const first = await audit(house);
    expect(first.data.map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, index) => 120 - index));
    expect(first.pagination).toEqual({ total: 120, limit: 50, offset: 0, hasMore: true } as Listed["pagination"]);
    const last = await audit(house, "?limit=100&offset=100");
    expect(last.data.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, index) => 20 - index));
    expect(last.pagination).toMatchObject({ total: 120, hasMore: false });
    const only = await audit(house, "?action=login.done&limit=2&offset=58");
    expect(only.data.map(({ id, action }) => [id, action])).toEqual([
      [4, "login.done"],
      [2, "login.done"],
    ]);
    expect(only.pagination).toMatchObject({ total: 60, hasMore: false });
  });

  test("forgets what is older than 90 days", async () => {
    await using house = await openTestHouse();
    await fill(house, 1200);
    house.clock.advance(AUDIT_LIFE - 1);
    await house.house.system.sweeper.sweep();
    expect((await audit(house)).pagination.total).toBe(1200);
    await fill(house, 3);
    house.clock.advance(minutes(1));
    await house.house.system.sweeper.sweep();
    expect((await audit(house)).data.map(({ id }) => id)).toEqual([1203, 1202, 1201]);
  });

  test("keeps the newest hundred thousand", async () => {
    await using house = await openTestHouse();
    await fill(house, MAX_AUDITED + 700);
    await house.db.run(sql`update audit set action = 'login.done'`);
    expect(await house.house.access.audit.sweep()).toBe(700);
    expect((await audit(house)).pagination.total).toBe(MAX_AUDITED);
    const oldest = await audit(house, `?offset=${MAX_AUDITED - 1}`);
    expect(oldest.data.map(({ id }) => id)).toEqual([701]);
    expect(await house.house.access.audit.sweep()).toBe(0);
  });

  test("is not filled by failed sign-ins", async () => {
    await using house = await openTestHouse();
    await fill(house, MAX_AUDITED + 100);
    await house.db.run(sql`update audit set action = 'login.failed' where number > 10`);
    await house.house.access.audit.sweep();
    expect((await audit(house, "?action=login.failed")).pagination.total).toBe(MAX_AUDITED / 2);
    expect((await audit(house, "?action=login.done")).data.map(({ id }) => id)).toEqual([10, 8, 6, 4, 2]);
    const [newest] = (await audit(house)).data;
    expect(newest?.id).toBe(MAX_AUDITED + 100);
  });

  testOnSqlite("is paged, counted and swept by indexes", async () => {
    await using house = await openTestHouse();
    const plan = async (text: string) =>
      (await house.db.all<{ detail: string }>(plainSql(`explain query plan ${text}`)))
        .map(({ detail }) => detail)
        .join("\n");
    const only = await plan("select number from audit where action = 'login.done' order by 1 desc limit 9 offset 9");
    expect(only).toContain("COVERING INDEX audit_by_action");
    expect(only).not.toContain("TEMP B-TREE");
    expect(await plan("select count(*) from audit where action = 'login.done'")).toContain("audit_by_action");
    expect(await plan("select number from audit where at <= 1 limit 9")).toContain("audit_by_time");
    expect(await plan("select number from audit order by 1 limit 9")).not.toContain("TEMP B-TREE");
  });
});
