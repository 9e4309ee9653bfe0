import { describe, expect, test } from "bun:test";
import type { SettingRecord } from "#contract/settings";
import { scenarios } from "../../../../support/scenario.ts";
import { presign } from "../../../../support/share-file.ts";
import { openTestHouse, type TestHouse } from "../../../../support/test-house.ts";

const url = "/api/admin/settings";
const admin = { as: "admin" } as const;
const get = (query = "") => ({ ...admin, method: "GET" as const, url: `${url}${query}` });
const put = (group: string, body: unknown, query = "") => ({
  ...admin,
  method: "PUT" as const,
  url: `${url}/group/${group}${query}`,
  body,
});
const partly = (key: string, part: string) => ({
  status: 202,
  has: ['"code":202', '"success":false', `"key":"${key}"`, part],
});
const whole = { status: 200, has: ['"success":true', '"errors":[]'] };

describe("reading settings", () => {
  scenarios([
    {
      ...get(),
      status: 200,
      has: ['"1":[', '"2":[', '"3":[', '"4":[', '"max_upload_size"'],
      hasNot: ["schema_version"],
    },
    { ...get("?includeSystem=true"), status: 200, has: ['"99":[', '"schema_version"', '"flags":2'] },
    { ...get("?group=1"), status: 200, has: ['"data":[{', '"group_id":1'], hasNot: ["webdav_upload_mode"] },
    { ...get("?group=3&metadata=false"), status: 200, has: ['"data":[{"key":"webdav_upload_mode","value":"direct"}]'] },
    { ...get("?group=99"), status: 200, has: ["db_initialized"] },
    { ...get("?group=7"), status: 404, has: ["setting.groupMissing"] },
    ...["one", "", "0x1", "1e0", "%201", "1.0", "-1"].map((group) => ({
      ...get(`?group=${group}`),
      status: 400,
      has: ["query.invalid", "group"],
    })),
    { ...get("?metadata=perhaps"), status: 400, has: ["query.invalid", "metadata"] },
    { ...get(), as: "any key", status: 403, hasNot: ["max_upload_size"] },
    { ...get(), as: "anyone", status: 401 },
    {
      ...get("/groups"),
      status: 200,
      has: ['{"id":1,"name":"Global","settingCount":11,"readonlyCount":0}', '"readonlyCount":2'],
    },
    { ...get("/groups"), headers: { "accept-language": "zh" }, status: 200, has: ["全局设置"] },
    {
      ...get("/metadata?key=webdav_upload_mode"),
      status: 200,
      has: ['"type":"select"', '"options":"[\\"direct\\",\\"multipart\\"]"', '"description":"How WebDAV'],
    },
    { ...get("/metadata?key=proxy_sign_all"), headers: { "accept-language": "zh" }, status: 200, has: ["挂载点"] },
    { ...get("/metadata?key=nothing"), status: 404, has: ["setting.missing"] },
    { ...get("/metadata?key=__proto__"), status: 404, has: ["setting.missing"] },
    { ...get("/metadata?key="), status: 400, has: ["query.invalid"] },
    { ...get("/metadata"), status: 400, has: ["query.invalid"] },
    { ...get(`/metadata?key=${"k".repeat(101)}`), name: "101 characters", status: 400, has: ["query.invalid"] },
  ]);
});

describe("setting them", () => {
  scenarios([
    {
      ...put("1", { max_upload_size: 50, default_use_proxy: "true", file_naming_strategy: "random_suffix" }),
      ...whole,
    },
    { ...put("1", { proxy_sign_all: false, proxy_sign_expires: "3600" }), ...whole },
    { ...put("3", { webdav_upload_mode: "multipart" }), ...whole },
    { ...put("2", { preview_text_types: " TXT, md ,, rs" }), ...whole },
    { ...put("2", { preview_text_types: "" }), ...whole },
    { ...put("1", { max_upload_size: 50 }, "?validate=false"), ...whole },
    { ...put("1", {}), ...whole },
    { ...put("1", { max_upload_size: "much" }), ...partly("max_upload_size", "number") },
    { ...put("1", { max_upload_size: "much" }, "?validate=false"), ...partly("max_upload_size", "number") },
    { ...put("1", { max_upload_size: 0 }), ...partly("max_upload_size", "number") },
    { ...put("1", { max_upload_size: -1 }), ...partly("max_upload_size", "number") },
    { ...put("1", { max_upload_size: 1e12 }), ...partly("max_upload_size", "number") },
    { ...put("1", { max_upload_size: "1e3" }), ...partly("max_upload_size", "number") },
    { ...put("1", { max_upload_size: "NaN" }), ...partly("max_upload_size", "number") },
    { ...put("1", { max_upload_size: null }), ...partly("max_upload_size", "number") },
    { ...put("1", { max_upload_size: [50] }), ...partly("max_upload_size", "number") },
    { ...put("1", { max_upload_size: { value: 50 } }), ...partly("max_upload_size", "number") },
    { ...put("1", { max_upload_size: true }), ...partly("max_upload_size", "number") },
    { ...put("1", { proxy_sign_expires: 1.5 }), ...partly("proxy_sign_expires", "a whole number from 0") },
    { ...put("1", { proxy_sign_all: "maybe" }), ...partly("proxy_sign_all", "true or false") },
    { ...put("1", { proxy_sign_all: 2 }), ...partly("proxy_sign_all", "true or false") },
    { ...put("1", { file_naming_strategy: "guess" }), ...partly("file_naming_strategy", "overwrite, random_suffix") },
    { ...put("2", { preview_text_types: "a b;c" }), ...partly("preview_text_types", "extensions") },
    { ...put("2", { preview_text_types: "x".repeat(4001) }), name: "4,001", ...partly("preview_text_types", "4000") },
    { ...put("1", { nothing: 1 }), ...partly("nothing", "setting does not exist") },
    { ...put("1", '{"__proto__": {"a": 1}}'), status: 200, hasNot: ['"a"'] },
    { ...put("1", { constructor: 1 }), ...partly("constructor", "setting does not exist") },
    { ...put("1", { webdav_upload_mode: "direct" }), ...partly("webdav_upload_mode", "setting does not exist") },
    { ...put("99", { schema_version: 1 }), ...partly("schema_version", "read-only") },
    { ...put("7", { max_upload_size: 50 }), ...partly("max_upload_size", "group of settings does not exist") },
    { ...put("7", {}), ...partly("group", "group of settings does not exist") },
    ...["one", "-1", "0x1", "1e0", "%201", "1.0", "01"].map((group) => ({
      ...put(group, { max_upload_size: 50 }),
      ...partly("max_upload_size", "group of settings does not exist"),
    })),
    { ...put("one", {}), ...partly("group", "group of settings does not exist") },
    { ...put("1", { proxy_sign_all: "x" }), headers: { "accept-language": "zh" }, ...partly("proxy_sign_all", "须为") },
    { ...put("1", []), status: 400, has: ["body.invalid"] },
    { ...put("1", "nonsense"), status: 400, has: ["body.malformed"] },
    { ...put("1", { ["k".repeat(101)]: 1 }), name: "a name of 101 characters", status: 400, has: ["body.invalid"] },
    {
      ...put("1", Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`k${n}`, 1]))),
      name: "101 settings",
      status: 400,
      has: ["body.invalid"],
    },
    { ...put("1", {}), as: "any key", status: 403 },
    { ...put("1", {}), as: "anyone", status: 401 },
  ]);

  const set = async (house: TestHouse, group: number, values: object) => {
    const headers = { authorization: `Bearer ${await house.signIn()}` };
    const init = { method: "PUT", headers, body: JSON.stringify(values) };
    const response = await house.request(`${url}/group/${group}`, init);
    return (await response.json()) as { data: { updatedCount: number; totalCount: number; errors: unknown[] } };
  };

  const settingOf = async (house: TestHouse, key: string) => {
    const headers = { authorization: `Bearer ${await house.signIn()}` };
    const response = await house.request(`${url}/metadata?key=${key}`, { headers });
    return ((await response.json()) as { data: SettingRecord }).data;
  };

  test("what is right is set although the rest is wrong, and when", async () => {
    await using house = await openTestHouse();
    const before = await settingOf(house, "max_upload_size");
    house.clock.advance(5000);
    const { data } = await set(house, 1, { max_upload_size: 0.5, proxy_sign_all: "maybe", nothing: 1 });
    expect(data).toMatchObject({ updatedCount: 1, totalCount: 3 });
    const after = await settingOf(house, "max_upload_size");
    expect(after).toMatchObject({ value: "0.5", created_at: before.created_at });
    expect(Date.parse(after.updated_at) - Date.parse(before.updated_at)).toBe(5000);
    expect((await settingOf(house, "proxy_sign_all")).value).toBe("true");
  });

  test("what is set is read back, and nothing else has changed", async () => {
    await using house = await openTestHouse();
    const values = async () => {
      const headers = { authorization: `Bearer ${await house.signIn()}` };
      const response = await house.request(`${url}?group=1&metadata=false`, { headers });
      const { data } = (await response.json()) as { data: { key: string; value: string }[] };
      return Object.fromEntries(data.map(({ key, value }) => [key, value]));
    };
    const before = await values();
    const { data } = await set(house, 1, { proxy_sign_expires: 3600, file_naming_strategy: "random_suffix" });
    expect(data).toMatchObject({ updatedCount: 2, errors: [] });
    const changed = { proxy_sign_expires: "3600", file_naming_strategy: "random_suffix" };
    expect(await values()).toEqual({ ...before, ...changed });
  });

  test("lists are kept in one shape", async () => {
    await using house = await openTestHouse();
    await set(house, 2, { preview_text_types: " TXT, md ,，rs,md\n" });
    expect((await settingOf(house, "preview_text_types")).value).toBe("txt,md,rs");
  });

  test("the largest upload holds at once", async () => {
    await using house = await openTestHouse();
    expect((await presign(house, { size: 2 * 1024 * 1024 })).status).toBe(200);
    await set(house, 1, { max_upload_size: "1" });
    expect(await presign(house, { size: 2 * 1024 * 1024 })).toMatchObject({ status: 413, error: "file.tooLarge" });
    expect(await (await house.request("/api/system/max-upload-size")).json()).toMatchObject({
      data: { max_upload_size: 1 },
    });
  });

  test("they outlive the house", async () => {
    await using house = await openTestHouse();
    await set(house, 3, { webdav_upload_mode: "multipart" });
    const { openSettings } = await import("../../../../../src/settings/settings.ts");
    const schema = { version: 1, known: 1, createdAt: 0, updatedAt: 0 };
    const again = await openSettings({ db: house.db, clock: house.clock.now, schema, cluster: house.house.cluster });
    expect(again.get("webdav_upload_mode")).toBe("multipart");
  });
});
