import { describe, expect, test } from "bun:test";
import { makeKey, withKey } from "../../support/make-key.ts";
import { builtInStorage, makeMount } from "../../support/make-mount.ts";
import { scenarios, send } from "../../support/scenario.ts";
import { shareFile } from "../../support/share-file.ts";
import { openTestHouse, type TestHouse } from "../../support/test-house.ts";

const admin = { as: "admin" } as const;
const post = (url: string, body?: unknown) => ({ ...admin, method: "POST" as const, url, body });
const clear = (body?: unknown) => post("/api/admin/cache/clear", body);
const clearVisible = (body?: unknown) => post("/api/user/cache/clear", body);

describe("the calls", () => {
  scenarios([
    {
      ...admin,
      method: "GET",
      url: "/api/admin/cache/stats",
      status: 200,
      has: ['"texts":{', '"hitRate":0', '"rss":'],
    },
    { as: "any key", method: "GET", url: "/api/admin/cache/stats", status: 403 },
    { ...clear(), status: 200, has: ['"clearedCount":0', '"timestamp":"'] },
    { ...clear(""), status: 200 },
    { ...clear({}), status: 200 },
    { ...clear({ mountId: null, s3ConfigId: null }), status: 200 },
    { ...clear({ mountId: "nothing" }), status: 404, has: ["mount.missing"] },
    { ...clear({ s3ConfigId: "nothing" }), status: 404, has: ["storage.missing"] },
    { ...clear({ mountId: 7 }), status: 400, has: ["body.invalid", "mountId"] },
    { ...clear("["), status: 400, has: ["body.malformed"] },
    { ...clear(), as: "any key", status: 403 },
    { ...clear(), as: "anyone", status: 401 },
    { ...clearVisible(), status: 200 },
    { ...clearVisible(), as: { key: ["mount_view"] }, status: 200 },
    { ...clearVisible(), as: { key: ["text"] }, status: 403 },
    { ...clearVisible({ mountId: "nothing" }), status: 404, has: ["mount.missing"] },
  ]);
});

interface Counts {
  readonly hits: number;
  readonly misses: number;
  readonly cacheSize: number;
  readonly hitRate: number;
}

async function as(house: TestHouse, method: string, url: string, body?: object) {
  const headers = { authorization: `Bearer ${await house.signIn()}` };
  const response = await house.request(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const { data } = (await response.json()) as { data: { cache: Record<string, Counts>; clearedCount: number } };
  return data;
}

const stats = async (house: TestHouse) => (await as(house, "GET", "/api/admin/cache/stats")).cache;

describe("what is kept", () => {
  test("is counted, forgotten when asked to, and read again", async () => {
    await using house = await openTestHouse();
    const { slug } = await shareFile(house, { content: "kept" });
    const read = async () => await (await house.request(`/api/file-download/${slug}`)).text();
    for (let times = 0; times < 3; times += 1) expect(await read()).toBe("kept");
    expect((await stats(house)).files).toMatchObject({ hits: 2, misses: 1, cacheSize: 1, hitRate: 2 / 3 });
    const { clearedCount } = await as(house, "POST", "/api/admin/cache/clear");
    expect(clearedCount).toBeGreaterThanOrEqual(1);
    expect((await stats(house)).files?.cacheSize).toBe(0);
    expect(await read()).toBe("kept");
    expect((await stats(house)).files).toMatchObject({ misses: 2, cacheSize: 1 });
  });

  test("of one storage is forgotten by itself", async () => {
    await using house = await openTestHouse();
    const { slug } = await shareFile(house, { content: "kept" });
    await house.request(`/api/file-download/${slug}`);
    const { id } = await makeMount(house);
    expect(await as(house, "POST", "/api/admin/cache/clear", { mountId: id })).toMatchObject({ clearedCount: 0 });
    const s3ConfigId = await builtInStorage(house);
    expect(await as(house, "POST", "/api/admin/cache/clear", { s3ConfigId })).toMatchObject({ clearedCount: 1 });
  });

  test("of a mount is not forgotten for a storage on which it does not stand", async () => {
    await using house = await openTestHouse();
    const { id: mountId } = await makeMount(house);
    const clearBoth = (s3ConfigId: string, status: number) =>
      send(house, { ...clear({ mountId, s3ConfigId }), status });
    await clearBoth(await builtInStorage(house), 200);
    await clearBoth("nothing", 404);
  });

  test("of a mount outside the caller's base path is none of its business", async () => {
    await using house = await openTestHouse();
    const { id } = await makeMount(house);
    const headers = withKey(await makeKey(house, { permissions: ["mount_view"], basic_path: "/elsewhere" }));
    const body = JSON.stringify({ mountId: id });
    const response = await house.request("/api/user/cache/clear", { method: "POST", headers, body });
    expect(response.status).toBe(404);
  });
});
