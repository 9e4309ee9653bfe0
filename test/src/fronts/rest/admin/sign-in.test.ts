import { describe, expect, test } from "bun:test";
import { scenarios, send } from "../../../../support/scenario.ts";
import { days, hours, minutes } from "../../../../support/test-clock.ts";
import { ADMIN, openTestHouse, type TestHouse } from "../../../../support/test-house.ts";

const login = (body: unknown) => ({ method: "POST" as const, url: "/api/admin/login", body });
const change = (body: unknown) => ({ method: "POST" as const, url: "/api/admin/change-password", body });
const check = (house: TestHouse, token: string) =>
  house.request("/api/test/admin-token", { headers: { authorization: `Bearer ${token}` } });

const [CHINESE, ENGLISH] = ["用户名或密码错误", "Invalid username or password"] as const;

/** What Accept-Language says, and the sentence that answers. */
const languages = [
  ["en;q=0.5, zh;q=0.9", CHINESE],
  ["zh;q=0.5,en;q=0.51", ENGLISH],
  ["nl, en;q=0.2, zh ; q=0.3", CHINESE],
  ["zh;q=0, en;q=0.1", ENGLISH],
  ["zh;q=0", ENGLISH],
  ["zh;q=0.8,en;q=0.8", CHINESE],
  ["zh;q=2,en;q=0.9", CHINESE],
  ["ZH-Hant-TW;level=1;q=0.7,*;q=0.1", CHINESE],
  ["zhx, *, ;q=, ,", ENGLISH],
] as const;

describe("signing in", () => {
  scenarios([
    {
      ...login(ADMIN),
      status: 200,
      has: ['"token"', '"username":"admin"', '"expiresAt":"2030-01-03T03:04:05.678Z"', '"success":true'],
    },
    { ...login({ ...ADMIN, password: "wrong horse" }), status: 401, has: ["login.wrong"], hasNot: ["wrong horse"] },
    { ...login({ ...ADMIN, username: "root" }), status: 401, has: ["login.wrong"] },
    { ...login({ username: "admin", password: "" }), status: 400, has: ["password"] },
    { ...login({ username: "", password: "x" }), status: 400, has: ["username"] },
    { ...login({ username: "admin", password: "p".repeat(129) }), status: 400, has: ["password"] },
    { ...login({ username: "admin" }), status: 400, has: ["password"] },
    { ...login("null"), status: 400 },
    { ...login({ ...ADMIN, username: { $ne: "" } }), status: 400, has: ["username"] },
    {
      name: "in Chinese",
      ...login({ ...ADMIN, password: "wrong horse" }),
      headers: { "accept-language": "zh-CN,zh;q=0.9,en;q=0.8" },
      status: 401,
      has: ["用户名或密码错误"],
    },
    ...languages.map(([accepted, part]) => ({
      name: accepted,
      ...login({ ...ADMIN, password: "wrong horse" }),
      headers: { "accept-language": accepted },
      status: 401,
      has: [part],
    })),
    { method: "GET", url: "/api/test/admin-token", status: 401, has: ["auth.required"] },
    { as: "wrong token", method: "GET", url: "/api/test/admin-token", status: 401, has: ["auth.expired"] },
    { as: "admin", method: "GET", url: "/api/test/admin-token", status: 200, has: ['"success":true'] },
    { method: "POST", url: "/api/admin/logout", status: 200 },
    {
      method: "POST",
      url: "/api/admin/sign-in-link",
      body: { token: "made-up" },
      status: 401,
      has: ["signInLink.invalid"],
    },
    { method: "POST", url: "/api/admin/sign-in-link", body: {}, status: 400, has: ["token"] },
  ]);

  test("wrong passwords are slowed down per address, and other addresses are not", async () => {
    await using house = await openTestHouse();
    const attempt = (peer: string, password: string) =>
      house.request(
        "/api/admin/login",
        { method: "POST", body: JSON.stringify({ username: "admin", password }) },
        peer,
      );
    for (let index = 0; index < 10; index++) expect((await attempt("198.51.100.1", "wrong")).status).toBe(401);
    const limited = await attempt("198.51.100.1", ADMIN.password);
    expect(limited.status).toBe(429);
    expect(limited.headers.get("retry-after")).toBe("600");
    expect(await limited.json()).toMatchObject({ code: 429, error: "limit.wait", success: false, data: null });
    expect((await attempt("198.51.100.2", ADMIN.password)).status).toBe(200);
    house.clock.advance(minutes(10));
    expect((await attempt("198.51.100.1", ADMIN.password)).status).toBe(200);
  });

  test("guesses from everywhere keep strangers out, and not the administrator's own address", async () => {
    await using house = await openTestHouse();
    const attempt = (peer: string, password: string) =>
      house.request(
        "/api/admin/login",
        { method: "POST", body: JSON.stringify({ username: "admin", password }) },
        peer,
      );
    expect((await attempt("198.51.100.1", ADMIN.password)).status).toBe(200);
    const { limiter } = house.house.access;
    for (let index = 0; index < 100; index++) limiter.miss("loginByAccount", "admin");
    expect((await attempt("198.51.100.2", ADMIN.password)).status).toBe(429);
    expect((await attempt("198.51.100.1", ADMIN.password)).status).toBe(200);
  });
});

describe("sessions", () => {
  test("logging out ends the session at once", async () => {
    await using house = await openTestHouse();
    const token = await house.signIn();
    expect((await check(house, token)).status).toBe(200);
    await house.request("/api/admin/logout", { method: "POST", headers: { authorization: `Bearer ${token}` } });
    expect((await check(house, token)).status).toBe(401);
  });

  test("a session slides with use and ends after a day without", async () => {
    await using house = await openTestHouse();
    const token = await house.signIn();
    house.clock.advance(hours(23));
    expect((await check(house, token)).status).toBe(200);
    house.clock.advance(hours(23));
    expect((await check(house, token)).status).toBe(200);
    house.clock.advance(hours(24));
    expect((await check(house, token)).status).toBe(401);
  });

  test("a session ends after thirty days in any case", async () => {
    await using house = await openTestHouse();
    const token = await house.signIn();
    for (let day = 0; day < 30; day++) {
      expect((await check(house, token)).status).toBe(200);
      house.clock.advance(days(1) - 1);
    }
    house.clock.advance(minutes(1));
    expect((await check(house, token)).status).toBe(401);
  });

  test("an altered token, a foreign one, one without a signature and one of another algorithm are refused", async () => {
    await using house = await openTestHouse();
    await using other = await openTestHouse();
    const token = await house.signIn();
    const [head = "", payload = "", signature = ""] = token.split(".");
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const longer = encode({ ...JSON.parse(Buffer.from(payload, "base64url").toString()), exp: 4_000_000_000 });
    const none = `${encode({ alg: "none", typ: "JWT" })}.${payload}.`;
    const flipped = `${head}.${payload}.${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`;
    const forged = [
      `${head}.${longer}.${signature}`,
      none,
      flipped,
      await other.signIn(),
      "x".repeat(5000),
      `${token} more`,
    ];
    for (const one of forged) expect((await check(house, one)).status).toBe(401);
    expect((await check(house, token)).status).toBe(200);
  });

  test("schemes are case-insensitive and unknown ones are refused", async () => {
    await using house = await openTestHouse();
    const token = await house.signIn();
    const status = async (authorization: string) =>
      (await house.request("/api/test/admin-token", { headers: { authorization } })).status;
    expect(await status(`bearer ${token}`)).toBe(200);
    expect(await status(`Token ${token}`)).toBe(401);
    expect(await status("Bearer")).toBe(401);
    expect(await status("constructor x")).toBe(401);
  });
});

describe("the account", () => {
  const current = ADMIN.password;

  scenarios([
    { ...change({ currentPassword: current, newPassword: "battery staple" }), status: 401 },
    { as: "admin", ...change({ currentPassword: current, newPassword: "battery staple" }), status: 200 },
    { as: "admin", ...change({ currentPassword: current, newUsername: "root" }), status: 200 },
    { as: "admin", ...change({ currentPassword: current, newUsername: " a:b\n" }), status: 400, has: ["newUsername"] },
    {
      as: "admin",
      ...change({ currentPassword: "wrong horse", newUsername: "root" }),
      status: 401,
      has: ["account.wrongPassword"],
    },
    { as: "admin", ...change({ currentPassword: current }), status: 400, has: ["account.nothingToChange"] },
    {
      as: "admin",
      ...change({ currentPassword: current, newPassword: "", newUsername: "" }),
      status: 400,
      has: ["account.nothingToChange"],
    },
    {
      as: "admin",
      ...change({ currentPassword: current, newPassword: current }),
      status: 400,
      has: ["account.samePassword"],
    },
    {
      as: "admin",
      ...change({ currentPassword: current, newPassword: "short" }),
      status: 400,
      has: ["newPassword", "at least 8 characters"],
      hasNot: ["short"],
    },
    { as: "admin", ...change({ newPassword: "battery staple" }), status: 400, has: ["currentPassword"] },
  ]);

  test("a change ends every session, voids the old credentials and opens a session for who did it", async () => {
    await using house = await openTestHouse();
    const [mine, elsewhere] = [await house.signIn(), await house.signIn()];
    const body = JSON.stringify({ currentPassword: current, newPassword: "battery staple", newUsername: "root" });
    const changed = await house.request("/api/admin/change-password", {
      method: "POST",
      headers: { authorization: `Bearer ${mine}` },
      body,
    });
    const { data } = (await changed.json()) as { data: { username: string; token: string } };
    expect(data.username).toBe("root");
    expect((await check(house, data.token)).status).toBe(200);
    // Also for whoever had copied its token.
    expect((await check(house, mine)).status).toBe(401);
    expect((await check(house, elsewhere)).status).toBe(401);
    expect((await send(house, { ...login(ADMIN), status: 401 })).status).toBe(401);
    const fresh = { username: "root", password: "battery staple" };
    expect((await send(house, { ...login(fresh), status: 200 })).status).toBe(200);
  });

  test("a change by a script that sends the password opens no session", async () => {
    await using house = await openTestHouse();
    const body = JSON.stringify({ currentPassword: current, newPassword: "battery staple" });
    const authorization = `Basic ${btoa(`${ADMIN.username}:${current}`)}`;
    const changed = await house.request("/api/admin/change-password", {
      method: "POST",
      headers: { authorization },
      body,
    });
    expect(await changed.json()).toMatchObject({ success: true, data: null });
    expect((await house.house.access.sessions.list()).total).toBe(0);
  });

  test("a sign-in under way does not outlive a change of the name", async () => {
    await using house = await openTestHouse();
    const { admin } = house.house.access;
    const device = { address: "192.0.2.1", userAgent: "" };
    const login = admin.login(ADMIN, device).catch(({ code }: { code: string }) => code);
    await admin.change({ currentPassword: current, newUsername: "root" }, device);
    const outcome = await login;
    const token = typeof outcome === "object" ? outcome.token : "";
    expect((await check(house, token)).status).toBe(401);
  });

  test("a one-time link signs in once, and not after thirty minutes", async () => {
    await using house = await openTestHouse();
    const { admin } = house.house.access;
    const use = (token: string) =>
      house.request("/api/admin/sign-in-link", { method: "POST", body: JSON.stringify({ token }) });
    const first = await admin.reset();
    const answer = await use(first.linkToken);
    expect(answer.status).toBe(200);
    const { data } = (await answer.json()) as { data: { token: string } };
    expect((await check(house, data.token)).status).toBe(200);
    expect((await use(first.linkToken)).status).toBe(401);
    const second = await admin.reset();
    house.clock.advance(minutes(30));
    expect((await use(second.linkToken)).status).toBe(401);
  });

  test("a reset ends sessions and gives a password that works", async () => {
    await using house = await openTestHouse();
    const token = await house.signIn();
    const { username, password } = await house.house.access.admin.reset();
    expect((await check(house, token)).status).toBe(401);
    expect((await send(house, { ...login({ username, password }), status: 200 })).status).toBe(200);
  });
});

test("no password, token or secret stands in the log", async () => {
  await using house = await openTestHouse();
  const token = await house.signIn();
  const headers = { authorization: `Bearer ${token}` };
  const body = JSON.stringify({ content: "private words", slug: "logged", password: "sesame seeds" });
  await house.request("/api/paste", { method: "POST", headers, body });
  await house.request("/api/raw/logged?password=sesame%20seeds");
  await send(house, { ...login({ ...ADMIN, password: "wrong horse" }), status: 401 });
  const log = house.log();
  expect(log).toContain('"path":"/api/raw/logged"');
  for (const secret of [token, "private words", "sesame", "wrong horse"]) expect(log).not.toContain(secret);
});
