import { describe, expect, spyOn, test } from "bun:test";
import { join } from "node:path";
import type { ApiKey } from "../../../src/access/keys.ts";
import { allowances, type Limited } from "../../../src/access/limiter.ts";
import { s3Calls } from "../../support/clients/s3.ts";
import { answeringLater, createHeldDatabase } from "../../support/database/late-database.ts";
import { makeKey, withKey } from "../../support/make-key.ts";
import { shareText } from "../../support/share-text.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { ADMIN, openTestHouse, type TestHouse } from "../../support/test-house.ts";

/** Guesses that come at once, and what they must not take from those who are right. */

const [GUESSER, OTHER, HOME] = ["198.51.100.1", "198.51.100.2", "192.0.2.77"] as const;
const PASSWORD = "sesame seeds";

const post = (house: TestHouse, path: string, body: unknown, peer: string) =>
  house.request(path, { method: "POST", body: JSON.stringify(body) }, peer);

const logIn = (house: TestHouse, fields: Partial<typeof ADMIN>, peer: string) =>
  post(house, "/api/admin/login", { ...ADMIN, ...fields }, peer);

const basic = (username: string, password: string) => ({ authorization: `Basic ${btoa(`${username}:${password}`)}` });

const callAs = (house: TestHouse, headers: Record<string, string>, peer: string) =>
  house.request("/api/test/api-key", { headers }, peer);

const linkIn = (house: TestHouse, token: string, peer: string) =>
  post(house, "/api/admin/sign-in-link", { token }, peer);

const unlock = (house: TestHouse, password: string, peer: string) =>
  post(house, "/api/paste/locked", { password }, peer);

/** Uses an allowance up but for some misses. */
function useUp(house: TestHouse, limited: Limited, subject: string, but = 0): void {
  for (let n = but; n < allowances[limited].misses; n++) house.house.access.limiter.miss(limited, subject);
}

const statuses = (requests: readonly Promise<Response>[]) =>
  statusesOf(requests.map(async (request) => (await request).status));

const statusesOf = async (calls: readonly Promise<number>[]) => {
  const met: Record<number, number> = {};
  for (const status of await Promise.all(calls)) met[status] = (met[status] ?? 0) + 1;
  return met;
};

/** Holds the next check of a password: `begun` settles when it is its turn, and `goOn` lets it be made. */
function holdCheck() {
  const [turn, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { verify } = Bun.password;
  const spy = spyOn(Bun.password, "verify").mockImplementationOnce(async (...given) => {
    turn.resolve();
    await release.promise;
    return await verify(...given);
  });
  return { begun: turn.promise, goOn: release.resolve, [Symbol.dispose]: () => spy.mockRestore() };
}

const times = <Made>(count: number, make: (n: number) => Made): Made[] =>
  Array.from({ length: count }, (_, n) => make(n));

describe("of guesses that come at once no more than allowed are answered", () => {
  test.each<[string, Limited, wrong: number, (house: TestHouse, n: number) => Promise<Response>]>([
    ["links", "missingShareByAddress", 404, (house, n) => house.request(`/api/raw/none-${n}`, {}, GUESSER)],
    ["short keys", "keyByAddress", 401, (house, n) => callAs(house, { "x-api-key": `short-${n}` }, GUESSER)],
    ["long keys", "keyByAddress", 401, (house, n) => callAs(house, { "x-api-key": `${"k".repeat(40)}${n}` }, GUESSER)],
    ["passwords", "loginByAddress", 401, (house, n) => logIn(house, { password: `guess ${n}` }, GUESSER)],
    ["one-time links", "loginByAddress", 401, (house, n) => linkIn(house, `guess-${n}`, GUESSER)],
    ["passwords of a share", "sharePasswordByAddress", 401, (house, n) => unlock(house, `guess ${n}`, GUESSER)],
  ])("%s", async (_, limited, wrong, guess) => {
    await using house = await openTestHouse({ engine: answeringLater });
    await shareText(house, { slug: "locked", password: PASSWORD });
    const { misses } = allowances[limited];
    expect(await statuses(times(300, (n) => guess(house, n)))).toEqual({ [wrong]: misses, 429: 300 - misses });
  });

  test("Basic credentials", async () => {
    await using house = await openTestHouse({ engine: answeringLater });
    const { misses } = allowances.loginByAddress;
    const guess = (n: number) => callAs(house, basic("admin", `guess ${n}`), GUESSER);
    const { 401: wrong = 0, 429: refused = 0 } = await statuses(times(300, guess));
    // A password is tried as a key, too; one that is refused as such uses up an allowance of the account, and hears of the limit all the same.
    expect(wrong).toBeLessThanOrEqual(misses);
    expect(wrong + refused).toBe(300);
    expect(await statuses([guess(300)])).toEqual({ 429: 1 });
  });

  test("and those that are right are not refused for the others beside them", async () => {
    await using house = await openTestHouse({ engine: answeringLater });
    await shareText(house, { slug: "locked", password: PASSWORD });
    for (let n = 0; n < 150; n++) await shareText(house, { slug: `there-${n}`, maxViews: 5 });
    expect(await statuses(times(150, (n) => house.request(`/api/raw/there-${n}`, {}, OTHER)))).toEqual({ 200: 150 });
    expect(await statuses(times(25, () => unlock(house, PASSWORD, OTHER)))).toEqual({ 200: 25 });
    expect(await statuses(times(12, () => logIn(house, {}, OTHER)))).toEqual({ 200: 12 });
    useUp(house, "missingShareByAddress", OTHER, 1);
    expect(await statuses(times(20, (n) => house.request(`/api/raw/there-${n}`, {}, OTHER)))).toEqual({ 200: 20 });
  });
});

describe("the administrator", () => {
  test("does not queue behind strangers who guess, whatever name they try", async () => {
    await using house = await openTestHouse();
    expect((await logIn(house, {}, HOME)).status).toBe(200);
    using held = holdCheck();
    const guesses = times(6, (n) => logIn(house, { username: "nobody" }, `203.0.113.${n}`));
    await held.begun;
    expect((await logIn(house, {}, HOME)).status).toBe(200);
    held.goOn();
    expect(await statuses(guesses)).toEqual({ 401: 6 });
  });

  test.each(["admin", "root"])("has a name that the limits do not tell: %s", async (username) => {
    await using house = await openTestHouse();
    useUp(house, "loginByAccount", "admin", 1);
    expect((await logIn(house, { username, password: "wrong" }, GUESSER)).status).toBe(401);
    expect((await logIn(house, { username, password: "wrong" }, OTHER)).status).toBe(429);
  });

  test("has a name that must be right: with the right password a wrong one is a miss", async () => {
    await using house = await openTestHouse();
    useUp(house, "loginByAddress", GUESSER, 1);
    expect((await logIn(house, { username: "root" }, GUESSER)).status).toBe(401);
    expect((await logIn(house, {}, GUESSER)).status).toBe(429);
  });

  test("comes in by a one-time link from an address that is locked out", async () => {
    await using house = await openTestHouse();
    const { linkToken } = await house.house.access.admin.reset();
    for (let n = 0; n < 10; n++) expect((await linkIn(house, `guess-${n}`, GUESSER)).status).toBe(401);
    const limited = await linkIn(house, "guess-10", GUESSER);
    expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "600"]);
    expect((await linkIn(house, linkToken, GUESSER)).status).toBe(200);
    expect((await linkIn(house, linkToken, GUESSER)).status).toBe(429);
  });

  test("is known by the addresses of living sessions when the server starts anew", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "satchel.db");
    const options = { file, objects: join(folder.path, "objects") };
    {
      await using before = await openTestHouse(options);
      expect((await logIn(before, {}, HOME)).status).toBe(200);
    }
    await using house = await openTestHouse(options);
    useUp(house, "loginByAccount", "admin");
    expect((await logIn(house, {}, OTHER)).status).toBe(429);
    expect((await logIn(house, {}, HOME)).status).toBe(200);
  });

  test("who is signed in is not kept from a new password by what strangers guess, nor counted among them", async () => {
    await using house = await openTestHouse();
    const change = async (currentPassword: string, peer: string) => {
      const headers = { authorization: `Bearer ${await house.signIn()}` };
      const body = JSON.stringify({ currentPassword, newUsername: "root" });
      return await house.request("/api/admin/change-password", { method: "POST", headers, body }, peer);
    };
    useUp(house, "loginByAccount", "admin", 1);
    expect((await change("wrong", GUESSER)).status).toBe(401);
    expect((await logIn(house, { password: "wrong" }, OTHER)).status).toBe(401);
    expect((await logIn(house, {}, OTHER)).status).toBe(429);
    expect((await change(ADMIN.password, OTHER)).status).toBe(200);
  });

  test("is told in the audit log of a wrong present password", async () => {
    await using house = await openTestHouse();
    const headers = { authorization: `Bearer ${await house.signIn()}` };
    const body = JSON.stringify({ currentPassword: "wrong horse", newUsername: "root" });
    await house.request("/api/admin/change-password", { method: "POST", headers, body }, GUESSER);
    const { entries } = await house.house.access.audit.list({ limit: 10, offset: 0 });
    expect(entries).toMatchObject([{ action: "login.failed", actor: "admin", address: GUESSER }]);
  });

  test("may sign out from an address that is locked out", async () => {
    await using house = await openTestHouse();
    useUp(house, "keyByAddress", GUESSER);
    useUp(house, "loginByAddress", GUESSER);
    for (const headers of [{ "x-api-key": "short-1" }, basic("admin", "wrong")]) {
      expect((await callAs(house, headers, GUESSER)).status).toBe(429);
      expect((await house.request("/api/admin/logout", { method: "POST", headers }, GUESSER)).status).toBe(200);
    }
  });
});

describe("a key", () => {
  const LONG = "k".repeat(31);

  test("that nobody can guess is good from an address that is locked out, a short one where it was used before", async () => {
    await using house = await openTestHouse();
    const generated = await makeKey(house);
    const used = await makeKey(house, { custom_key: "short-but-used" });
    const unused = await makeKey(house, { custom_key: LONG });
    expect((await callAs(house, withKey(used), GUESSER)).status).toBe(200);
    useUp(house, "keyByAddress", GUESSER);
    const statusOf = async (key: { key: string }) => (await callAs(house, withKey(key), GUESSER)).status;
    expect(await statusOf(generated)).toBe(200);
    expect(await statusOf(used)).toBe(200);
    expect(await statusOf(unused)).toBe(429);
    expect(await statusOf({ key: `${LONG}-wrong` })).toBe(429);
    await house.house.access.keys.remove(generated.id);
    expect(await statusOf(generated)).toBe(429);
  });

  test("is guessed from a whole network of IPv6 together", async () => {
    await using house = await openTestHouse();
    const attempt = (n: number, network: string) =>
      callAs(house, { "x-api-key": `short-${n}` }, `2001:db8:0:${network}::${n.toString(16)}`);
    for (let n = 0; n < 30; n++) expect((await attempt(n, "2")).status).toBe(401);
    expect((await attempt(30, "2")).status).toBe(429);
    expect((await attempt(30, "3")).status).toBe(401);
  });

  test("that is deleted while it is looked up is not remembered", async () => {
    const { engine, holdNext } = createHeldDatabase();
    await using house = await openTestHouse({ engine });
    const key = await makeKey(house);
    const { reached, letGo } = holdNext();
    const early = callAs(house, withKey(key), HOME);
    await reached;
    await house.house.access.keys.remove(key.id);
    letGo();
    await early;
    expect((await callAs(house, withKey(key), HOME)).status).toBe(401);
  });
});

describe("a chosen key", () => {
  const CHOSEN = "chosen-by-somebody";
  const s3 = async (house: TestHouse, key: ApiKey, peer: string) => {
    const { url, headers } = s3Calls(house, key).signed("GET", "/");
    return (await house.request(url, { headers }, peer)).status;
  };
  const rest = async (house: TestHouse, key: { key: string }, peer: string) =>
    (await callAs(house, withKey(key), peer)).status;
  const dav = async (house: TestHouse, { key }: { key: string }, peer: string) =>
    (await house.request("/dav/", { method: "OPTIONS", headers: basic("any", key) }, peer)).status;

  test.each([
    ["REST", rest],
    ["WebDAV", dav],
    ["S3", s3],
  ])("that has worked by %s is good by every protocol from an address that is locked out", async (_, used) => {
    await using house = await openTestHouse();
    const key = await makeKey(house, { custom_key: CHOSEN });
    expect(await used(house, key, GUESSER)).toBe(200);
    for (let n = 0; n < 31; n++) await rest(house, { key: `wrong-key-${n}` }, GUESSER);
    for (const again of [rest, dav, s3]) expect(await again(house, key, GUESSER)).toBe(200);
    expect(await rest(house, { key: "one-more-guess" }, GUESSER)).toBe(429);
    const other = await makeKey(house, { custom_key: `${CHOSEN}-too` });
    expect(await s3(house, other, GUESSER)).toBe(503);
  });

  test("is not guessed by its signatures where it has worked", async () => {
    await using house = await openTestHouse();
    const key = await makeKey(house, { custom_key: CHOSEN });
    expect(await s3(house, key, GUESSER)).toBe(200);
    const wrong = (n: number) => s3(house, { ...key, key: `guess-at-the-secret-${n}` }, GUESSER);
    expect(await statusesOf(times(40, wrong))).toEqual({ 403: allowances.keyByAddress.misses, 503: 10 });
    expect(await s3(house, key, GUESSER)).toBe(200);
  });

  test("is guessed from all networks together, which keeps nobody out who has a credential that worked", async () => {
    await using house = await openTestHouse();
    const [used, unused] = [
      await makeKey(house, { custom_key: CHOSEN }),
      await makeKey(house, { custom_key: `${CHOSEN}-new` }),
    ];
    const generated = await makeKey(house);
    const authorization = `Bearer ${await house.signIn()}`;
    expect(await rest(house, used, HOME)).toBe(200);
    const { misses } = allowances.keyByStrangers;
    const said = new Set<number>();
    for (let n = 0; n < misses; n++) said.add(await rest(house, { key: `guess-${n}` }, `198.18.0.${n % 250}`));
    expect([...said]).toEqual([401]);
    expect(await rest(house, { key: "another-guess" }, OTHER)).toBe(429);
    expect(await rest(house, unused, OTHER)).toBe(429);
    expect(await s3(house, unused, OTHER)).toBe(503);
    for (const again of [rest, dav, s3]) expect(await again(house, used, HOME)).toBe(200);
    expect(await rest(house, generated, OTHER)).toBe(200);
    expect((await callAs(house, { authorization }, OTHER)).status).toBe(200);
    expect((await callAs(house, basic(ADMIN.username, ADMIN.password), OTHER)).status).toBe(200);
    expect((await logIn(house, {}, OTHER)).status).toBe(200);
  });
});

test("who has opened something is known when the server starts anew while others guess", async () => {
  using folder = temporaryFolder();
  const options = { file: join(folder.path, "satchel.db"), objects: join(folder.path, "objects") };
  const [used, unused] = [{ key: "chosen-and-used" }, { key: "chosen-and-new" }];
  let id = "";
  {
    await using before = await openTestHouse(options);
    for (const { key } of [used, unused]) await makeKey(before, { custom_key: key });
    id = (await shareText(before, { slug: "locked", password: PASSWORD })).id;
    expect((await callAs(before, withKey(used), HOME)).status).toBe(200);
    expect((await unlock(before, PASSWORD, HOME)).status).toBe(200);
  }
  await using house = await openTestHouse(options);
  useUp(house, "keyByStrangers", "all");
  useUp(house, "sharePasswordByShare", id);
  expect((await callAs(house, withKey(unused), HOME)).status).toBe(429);
  expect((await callAs(house, withKey(used), OTHER)).status).toBe(429);
  expect((await callAs(house, withKey(used), HOME)).status).toBe(200);
  expect((await unlock(house, PASSWORD, OTHER)).status).toBe(429);
  expect((await unlock(house, PASSWORD, HOME)).status).toBe(200);
});

test("a Basic credential that comes many times at once is hashed once", async () => {
  await using house = await openTestHouse();
  using verify = spyOn(Bun.password, "verify");
  const authorized = (password: string) => times(20, () => callAs(house, basic(ADMIN.username, password), HOME));
  expect(await statuses(authorized(ADMIN.password))).toEqual({ 200: 20 });
  expect(verify).toHaveBeenCalledTimes(1);
  expect(await statuses(authorized("wrong"))).toEqual({ 401: 20 });
  expect(verify).toHaveBeenCalledTimes(2);
  // One wrong password is one guess, however often it came.
  useUp(house, "loginByAddress", HOME, 2);
  expect((await callAs(house, basic(ADMIN.username, "wrong again"), HOME)).status).toBe(401);
});

describe("a share with a password", () => {
  test("stays open to whoever has opened it before, and to strangers for long", async () => {
    await using house = await openTestHouse();
    const { id } = await shareText(house, { slug: "locked", password: PASSWORD });
    await shareText(house, { slug: "other", password: PASSWORD });
    expect((await unlock(house, PASSWORD, HOME)).status).toBe(200);
    expect((await post(house, "/api/paste/other", { password: PASSWORD }, OTHER)).status).toBe(200);
    for (let n = 0; n < 200; n++) house.house.access.limiter.miss("sharePasswordByShare", id);
    expect((await unlock(house, PASSWORD, GUESSER)).status).toBe(200);
    useUp(house, "sharePasswordByShare", id, 200);
    expect((await unlock(house, PASSWORD, OTHER)).status).toBe(429);
    expect((await unlock(house, PASSWORD, HOME)).status).toBe(200);
  });
});

describe("a check that ends after the account was changed", () => {
  const rename = (house: TestHouse) =>
    house.house.access.admin.change(
      { currentPassword: ADMIN.password, newUsername: "root" },
      { address: HOME, userAgent: "" },
    );

  test("signs nobody in", async () => {
    await using house = await openTestHouse();
    using held = holdCheck();
    const late = logIn(house, {}, OTHER);
    await held.begun;
    await rename(house);
    held.goOn();
    expect((await late).status).toBe(401);
    expect((await house.house.access.sessions.list()).total).toBe(0);
  });

  test("lets no name and password in", async () => {
    await using house = await openTestHouse();
    using held = holdCheck();
    const late = callAs(house, basic(ADMIN.username, ADMIN.password), OTHER);
    await held.begun;
    await rename(house);
    held.goOn();
    expect((await late).status).toBe(401);
  });
});

test("an account that was changed voids the one-time links that were printed before", async () => {
  await using house = await openTestHouse();
  const { linkToken, password } = await house.house.access.admin.reset();
  const device = { address: HOME, userAgent: "" };
  await house.house.access.admin.change({ currentPassword: password, newUsername: "root" }, device);
  expect((await linkIn(house, linkToken, HOME)).status).toBe(401);
});
