import { describe, expect, test } from "bun:test";
import { keys } from "#contract/keys";
import { makeKey, withKey } from "../../../support/make-key.ts";
import { scenarios } from "../../../support/scenario.ts";
import { ask } from "../../../support/share-file.ts";
import { days, minutes } from "../../../support/test-clock.ts";
import { ADMIN, openTestHouse, type TestHouse } from "../../../support/test-house.ts";

/** How a request proves who sends it: a key in one of three headers, or HTTP Basic. */

const current = { method: "GET" as const, url: "/api/test/api-key" };
const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString("base64")}` });

interface Answer {
  readonly status: number;
  readonly error?: string;
  readonly data: { readonly name: string; readonly is_admin?: true } | null;
}

async function call(house: TestHouse, headers: Record<string, string>, peer?: string) {
  const response = await house.request(current.url, { headers }, peer);
  expect(response.headers.get("www-authenticate")).toBeNull();
  const answer = (await response.json()) as Answer;
  return { ...answer, status: response.status, retry: response.headers.get("retry-after") };
}

describe("what a credential may do", () => {
  scenarios([
    { ...current, status: 401, has: ["auth.required"] },
    { ...current, as: "wrong token", status: 401, has: ["auth.expired"] },
    { ...current, as: "wrong key", status: 401, has: ["key.invalid", "API key invalid or expired"] },
    { ...current, as: "wrong key", headers: { "accept-language": "zh" }, status: 401, has: ["无效或已过期"] },
    { ...current, as: "expired key", status: 401, has: ["key.invalid"] },
    { ...current, as: "visitor", status: 401, has: ["auth.required"] },
    {
      ...current,
      as: { key: ["text", "mount_delete"], basePath: "/team" },
      status: 200,
      has: [
        '"basic_path":"/team","permissions":{"text":true,"file":false,"mount_view":false,"mount_upload":false,' +
          '"mount_copy":false,"mount_rename":false,"mount_delete":true,"webdav_read":false,"webdav_manage":false}',
        '"key_info":{"id":"',
      ],
      hasNot: ["is_admin", "file_share", "s3_access"],
    },
    {
      ...current,
      as: "admin",
      status: 200,
      has: [
        '"key_info":{"id":"admin","name":"Administrator","basic_path":"/"}',
        '"is_admin":true',
        '"webdav_manage":true',
      ],
      hasNot: ["false"],
    },
  ]);
});

describe("a key", () => {
  test("comes in any of its headers, and Authorization counts before the others", async () => {
    await using house = await openTestHouse();
    const { key, name } = await makeKey(house);
    const proofs: Record<string, string>[] = [
      { authorization: `ApiKey ${key}` },
      { authorization: `apikey ${key}` },
      { "x-custom-auth-key": key },
      { "x-api-key": key },
      { authorization: `ApiKey ${key}`, "x-api-key": "wrong" },
    ];
    for (const headers of proofs) expect((await call(house, headers)).data?.name).toBe(name);
    const wrong: Record<string, string>[] = [
      { authorization: "ApiKey wrong", "x-api-key": key },
      { authorization: `Bearer ${key}` },
      { authorization: `ApiKey ${key} more` },
      { authorization: `ApiKey  ${key}` },
      { authorization: "ApiKey" },
      { authorization: key },
      { authorization: `ApiKey ${key.toLowerCase()}` },
      { authorization: `ApiKey ${key.slice(0, -1)}` },
      { "x-api-key": `${key}x` },
      { "x-api-key": "" },
      { "x-api-key": "é".repeat(20) },
      { "x-api-key": "x".repeat(10_000) },
    ];
    for (const headers of wrong) expect((await call(house, headers)).status).toBe(401);
  });

  test("stops at once when it expires or is deleted", async () => {
    await using house = await openTestHouse();
    const { data: short } = await ask(house, keys.create, { body: { name: "short" } });
    const made = await makeKey(house);
    expect((await call(house, withKey(short))).status).toBe(200);
    house.clock.advance(days(1) - 1);
    expect((await call(house, withKey(short))).status).toBe(200);
    house.clock.advance(1);
    expect(await call(house, withKey(short))).toMatchObject({ error: "key.invalid" });
    expect((await call(house, withKey(made))).data?.name).toBe(made.name);
    await ask(house, keys.remove, { params: { id: made.id } });
    expect(await call(house, withKey(made))).toMatchObject({ error: "key.invalid" });
  });

  test("guessing keys is slowed down per address; the same wrong key again is no further guess", async () => {
    await using house = await openTestHouse();
    const { key } = await makeKey(house);
    const late = await makeKey(house, { custom_key: "late-and-short" });
    const attempt = (guess: string, peer = "198.51.100.1") => call(house, { "x-api-key": guess }, peer);
    expect((await attempt(key)).data).not.toBeNull();
    for (let count = 0; count < 100; count++) expect((await attempt("expired-long-ago")).error).toBe("key.invalid");
    for (let count = 0; count < 29; count++) expect((await attempt(`guess-${count}`)).error).toBe("key.invalid");
    const limited = await attempt("guess-29");
    expect(limited).toMatchObject({ error: "limit.wait", retry: "600" });
    expect((await attempt(late.key)).error).toBe("limit.wait");
    expect((await attempt(key)).data).not.toBeNull();
    expect((await attempt(late.key, "198.51.100.2")).data).not.toBeNull();
    house.clock.advance(minutes(10));
    expect((await attempt(late.key)).data).not.toBeNull();
  });

  test("that worked here counts as a guess once it is deleted", async () => {
    await using house = await openTestHouse();
    const made = await makeKey(house);
    await call(house, withKey(made));
    await house.house.access.keys.remove(made.id);
    for (let count = 0; count < 29; count++) await call(house, { "x-api-key": `guess-${count}` });
    await call(house, withKey(made));
    expect((await call(house, withKey(made))).error).toBe("limit.wait");
  });
});

describe("HTTP Basic", () => {
  test("takes the administrator's name and password, also with colons and other letters in it", async () => {
    await using house = await openTestHouse();
    expect((await call(house, basic(`${ADMIN.username}:${ADMIN.password}`))).data).toMatchObject({ is_admin: true });
    const password = "a:b:ключ 🔑:";
    const change = { currentPassword: ADMIN.password, newPassword: password };
    await house.house.access.admin.change(change, { address: "192.0.2.1", userAgent: "" });
    expect((await call(house, basic(`admin:${password}`))).data).toMatchObject({ is_admin: true });
    for (const wrong of ["admin:a", "admin", ":", "", `admin:${password} `, `Admin:${password}`, `:${password}`])
      expect((await call(house, basic(wrong))).data).toBeNull();
    expect((await call(house, { authorization: "Basic %%%" })).data).toBeNull();
  });

  test("takes a key that may read by WebDAV as the password of any name", async () => {
    await using house = await openTestHouse();
    const [reads, writes] = [await makeKey(house, { permissions: ["webdav_read"] }), await makeKey(house)];
    const texts = await makeKey(house, { permissions: ["text", "webdav_manage"] });
    expect((await call(house, basic(`${reads.key}:${reads.key}`))).data?.name).toBe(reads.name);
    expect((await call(house, basic(`${texts.key}:${texts.key}`))).error).toBe("login.wrong");
    expect((await call(house, basic(`whoever:${reads.key}`))).data?.name).toBe(reads.name);
    expect((await call(house, basic(`${ADMIN.username}:${writes.key}`))).data?.name).toBe(writes.name);
    expect((await call(house, basic(`${reads.key}:wrong`))).error).toBe("login.wrong");
    expect((await call(house, basic(`${reads.key}:`))).error).toBe("login.wrong");
    await house.house.access.keys.remove(reads.id);
    expect((await call(house, basic(`${reads.key}:${reads.key}`))).error).toBe("login.wrong");
  });

  test("says nothing in a request that another site's page sent", async () => {
    await using house = await openTestHouse({ publicUrl: "https://share.example" });
    const right = basic(`${ADMIN.username}:${ADMIN.password}`);
    expect((await call(house, { ...right, "sec-fetch-site": "cross-site" })).error).toBe("auth.expired");
    expect((await call(house, { ...right, "sec-fetch-site": "same-origin" })).data).toMatchObject({ is_admin: true });
    expect((await call(house, { ...right, "sec-fetch-site": "cross-site" })).error).toBe("auth.expired");
    const ours: Record<string, string>[] = [
      { "sec-fetch-site": "none" },
      { origin: "http://satchel.test" },
      { origin: "http://satchel.test", "sec-fetch-site": "same-origin" },
      { origin: "https://share.example" },
    ];
    for (const headers of ours)
      expect((await call(house, { ...right, ...headers })).data).toMatchObject({ is_admin: true });
    const foreign: Record<string, string>[] = [
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "" },
      { origin: "https://evil.example" },
      { origin: "http://satchel.test:8080" },
      { origin: "http://satchel.test.evil.example" },
      { origin: "null" },
      { origin: "" },
      { origin: "https://evil.example", "sec-fetch-site": "same-origin" },
    ];
    for (const headers of foreign) expect((await call(house, { ...right, ...headers })).error).toBe("auth.expired");
  });

  test("is not checked anew for five minutes, unless the account changes, be it from the terminal", async () => {
    await using house = await openTestHouse();
    const { admin, limiter } = house.house.access;
    const right = basic(`${ADMIN.username}:${ADMIN.password}`);
    /** Only a new check asks the limiter. */
    const lockOut = () => {
      for (let count = 0; count < 10; count++) limiter.miss("loginByAddress", "192.0.2.1");
    };
    expect((await call(house, right)).data).toMatchObject({ is_admin: true });
    lockOut();
    house.clock.advance(minutes(5) - 1);
    expect((await call(house, right)).data).toMatchObject({ is_admin: true });
    house.clock.advance(1);
    expect(await call(house, right)).toMatchObject({ error: "limit.wait" });
    house.clock.advance(minutes(10));
    expect((await call(house, right)).data).toMatchObject({ is_admin: true });
    await admin.reset();
    expect((await call(house, right)).error).toBe("login.wrong");
  });

  test("is slowed down per address, and the same wrong password again is no further guess", async () => {
    await using house = await openTestHouse();
    const attempt = (password: string, peer = "198.51.100.1") => call(house, basic(`admin:${password}`), peer);
    for (let count = 0; count < 20; count++) expect((await attempt("forgotten")).error).toBe("login.wrong");
    for (let count = 0; count < 9; count++) expect((await attempt(`guess ${count}`)).error).toBe("login.wrong");
    expect(await attempt("guess 9")).toMatchObject({ error: "limit.wait", retry: "600" });
    expect((await attempt(ADMIN.password)).error).toBe("limit.wait");
    expect((await attempt(ADMIN.password, "198.51.100.2")).data).toMatchObject({ is_admin: true });
    const signIn = { method: "POST", body: JSON.stringify(ADMIN) };
    expect((await house.request("/api/admin/login", signIn, "198.51.100.1")).status).toBe(429);
  });

  test("guesses from everywhere keep strangers out, and not who has proved itself", async () => {
    await using house = await openTestHouse();
    const right = basic(`${ADMIN.username}:${ADMIN.password}`);
    expect((await call(house, right, "198.51.100.1")).data).toMatchObject({ is_admin: true });
    for (let count = 0; count < 100; count++) house.house.access.limiter.miss("loginByAccount", "admin");
    house.clock.advance(minutes(5));
    expect((await call(house, right, "198.51.100.2")).error).toBe("limit.wait");
    expect((await call(house, right, "198.51.100.1")).data).toMatchObject({ is_admin: true });
  });

  test("ends no session when it signs out", async () => {
    await using house = await openTestHouse();
    const token = await house.signIn();
    const headers = basic(`${ADMIN.username}:${ADMIN.password}`);
    expect((await house.request("/api/admin/logout", { method: "POST", headers })).status).toBe(200);
    expect((await call(house, { authorization: `Bearer ${token}` })).data).toMatchObject({ is_admin: true });
  });
});
