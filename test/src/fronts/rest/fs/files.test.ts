import { describe, expect, test } from "bun:test";
import { fsBytes as fs } from "#contract/fs/bytes";
import { makeKey, withKey } from "../../../../support/make-key.ts";
import { makeMount } from "../../../../support/make-mount.ts";
import { scenarios } from "../../../../support/scenario.ts";
import { ask } from "../../../../support/share-file.ts";
import { hours } from "../../../../support/test-clock.ts";
import { openTestHouse, type TestHouse } from "../../../../support/test-house.ts";
import { addressesOf, oddNames, treeFile, treeFolder } from "../../../../support/tree/files.ts";

const fetchUrl = (query: Record<string, string>) => `/api/fs/download?${new URLSearchParams(query)}`;

const grantFor = async (house: TestHouse, ...paths: string[]): Promise<string> =>
  (await ask(house, fs.grant, { body: { paths } })).data.grant;

const arrange = async (house: TestHouse): Promise<void> => {
  for (const path of ["/drive/a.txt", "/drive/team/b.txt"]) await treeFile(house, path, `text of ${path}`);
  await treeFolder(house, "/drive/empty");
};

describe("a file of the tree", () => {
  const a = { method: "GET", url: "/api/fs/download?path=/drive/a.txt" } as const;
  const b = { method: "GET", url: "/api/fs/download?path=/drive/team/b.txt" } as const;
  scenarios(
    [
      { ...a, as: "anyone", status: 401, has: ["auth.required"] },
      { ...a, as: "wrong key", status: 401, has: ["key.invalid"] },
      { ...a, as: "wrong token", status: 401 },
      { ...a, as: "visitor", status: 200, has: ["text of /drive/a.txt"] },
      { ...a, as: "admin", status: 200, has: ["text of /drive/a.txt"] },
      { ...a, as: { key: ["mount_view"] }, status: 200 },
      { ...a, as: { key: ["mount_upload", "webdav_read"] }, status: 403, has: ["auth.forbidden"] },
      { ...a, as: { key: ["mount_view"], basePath: "/drive/team" }, status: 403, has: ["path.forbidden"] },
      { ...b, as: { key: ["mount_view"], basePath: "/drive/team" }, status: 200, has: ["text of /drive/team/b.txt"] },
      { ...b, as: { key: ["mount_view"], basePath: "/drive/tea" }, status: 403, has: ["path.forbidden"] },
      { ...a, as: "admin", url: "/api/fs/download?path=/drive/none.txt", status: 404, has: ["path.missing"] },
      { ...a, as: "admin", url: "/api/fs/download?path=/other/none.txt", status: 404, has: ["mount.none"] },
      { ...a, as: "admin", url: "/api/fs/download?path=/drive/team", status: 400, has: ["path.isFolder"] },
      { ...a, as: "admin", url: "/api/fs/download?path=/drive/empty/", status: 400, has: ["path.isFolder"] },
      { ...a, as: "admin", url: "/api/fs/download?path=/drive", status: 400, has: ["path.isFolder"] },
      { ...a, as: "admin", url: "/api/fs/download?path=/", status: 400, has: ["path.isFolder"] },
      { ...a, as: "admin", url: "/api/fs/download", status: 400, has: ["query.invalid"] },
      { ...a, as: "admin", url: "/api/fs/download?path=drive/a.txt", status: 400, has: ["path.invalid"] },
      { ...a, as: "admin", url: "/api/fs/download?path=/drive/../drive/a.txt", status: 400, has: ["path.invalid"] },
      { ...a, as: "admin", url: "/api/fs/download?path=/drive/a.txt%00", status: 400, has: ["path.invalid"] },
      { ...a, as: "admin", url: "/api/fs/download?path=/drive%5Ca.txt", status: 400, has: ["path.invalid"] },
      { ...a, as: "admin", url: "/api/fs/download?path=/drive/a%252etxt", status: 404, has: ["path.missing"] },
      {
        ...a,
        as: "admin",
        url: `/api/fs/download?path=/drive/${"a".repeat(2000)}`,
        status: 400,
        has: ["path.invalid"],
      },
      { ...a, url: "/api/fs/download?path=/drive/a.txt&grant=x", status: 403, has: ["grant.void"] },
      { ...a, url: "/api/fs/list?path=/drive&grant=x", status: 401, has: ["auth.required"] },
      { ...a, as: "wrong key", url: "/api/fs/download?path=/drive/a.txt&grant=x", status: 401, has: ["key.invalid"] },
      { ...a, as: "any key", url: "/api/fs/download?path=/drive/a.txt&grant=x", status: 200 },
      { ...a, as: "visitor", url: "/api/fs/download?path=/drive/a.txt&grant=x", status: 403, has: ["grant.void"] },
    ],
    arrange,
  );

  test("keeps to conditions and ranges, and to what keeps a browser from running it", async () => {
    await using house = await openTestHouse();
    await treeFile(house, "/drive/a.html", "0123456789");
    const authorization = `Bearer ${await house.signIn()}`;
    const get = (headers: Record<string, string> = {}, query = {}, method = "GET") =>
      house.request(fetchUrl({ path: "/drive/a.html", ...query }), { method, headers: { authorization, ...headers } });
    const whole = await get();
    const etag = whole.headers.get("etag") ?? "";
    expect(await whole.text()).toBe("0123456789");
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "content-disposition": 'attachment; filename="a.html"',
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
      "accept-ranges": "bytes",
    });
    expect(whole.headers.get("content-security-policy")).toStartWith("sandbox;");
    const inline = await get({}, { inline: "1" });
    expect(inline.headers.get("content-disposition")).toBe('inline; filename="a.html"');
    expect(inline.headers.get("content-security-policy")).toStartWith("sandbox;");
    const range = await get({ range: "bytes=-3" });
    expect([range.status, await range.text(), range.headers.get("content-range")]).toEqual([
      206,
      "789",
      "bytes 7-9/10",
    ]);
    expect((await get({ range: "bytes=10-" })).status).toBe(416);
    expect((await get({ "if-none-match": etag })).status).toBe(304);
    expect((await get({ "if-match": '"x"' })).status).toBe(412);
    const head = await get({}, {}, "HEAD");
    expect([head.status, head.headers.get("content-length"), head.headers.get("etag"), await head.text()]).toEqual([
      200,
      "10",
      etag,
      "",
    ]);
    await treeFile(house, "/drive/a.html", "another");
    expect(await (await get({ range: "bytes=0-3", "if-range": etag })).text()).toBe("another");
  });

  test.each(oddNames)("is fetched under the name %s, by credential and by grant", async (name) => {
    await using house = await openTestHouse();
    const path = `/drive/odd/${name}`;
    await treeFile(house, path, name);
    const grant = await grantFor(house, path);
    const response = await house.request(fetchUrl({ path, grant }));
    expect([response.status, await response.text()]).toEqual([200, name]);
    const { download_url, preview_url } = await addressesOf(house, path);
    for (const url of [download_url, preview_url]) expect(await (await house.request(url)).text()).toBe(name);
  });

  test("of a mount in another mount is the inner one's", async () => {
    await using house = await openTestHouse();
    await treeFile(house, "/drive/inner/a.txt", "shadowed");
    await treeFile(house, "/drive/a.txt", "seen");
    await makeMount(house, { mount_path: "/drive/inner" });
    const authorization = `Bearer ${await house.signIn()}`;
    const response = await house.request(fetchUrl({ path: "/drive/inner/a.txt" }), { headers: { authorization } });
    expect(await response.text()).toBe("seen");
  });
});

describe("a grant", () => {
  test("stands in for the credential of whoever asked for it, while they may", async () => {
    await using house = await openTestHouse();
    await arrange(house);
    const key = await makeKey(house, { permissions: ["mount_view"], basic_path: "/drive/team" });
    const body = JSON.stringify({ paths: ["/drive/team/b.txt"] });
    const made = await house.request("/api/fs/grant", { method: "POST", headers: withKey(key), body });
    const { data } = (await made.json()) as { data: { grant: string; expires_at: string } };
    expect(data.expires_at).toBe(new Date(house.clock.now() + hours(6)).toISOString());
    for (const hidden of [key.key, "/drive"]) expect(data.grant).not.toContain(hidden);
    const get = (path: string, headers = {}) => house.request(fetchUrl({ path, grant: data.grant }), { headers });
    expect((await get("/drive/team/b.txt")).status).toBe(200);
    expect((await get("/drive/a.txt")).status).toBe(403);
    expect((await get("/drive/team/b.txt", { authorization: "ApiKey nonsense-of-mine" })).status).toBe(401);
    const { keys } = house.house.access;
    await keys.update(key.id, { basic_path: "/drive/other" } as never);
    expect(await (await get("/drive/team/b.txt")).text()).toContain("grant.void");
    await keys.remove(key.id);
    expect(await (await get("/drive/team/b.txt")).text()).toContain("grant.void");
  });

  test("ends after six hours, and with its key", async () => {
    await using house = await openTestHouse();
    await arrange(house);
    const grant = await grantFor(house, "/drive/a.txt");
    const status = async () => (await house.request(fetchUrl({ path: "/drive/a.txt", grant }))).status;
    house.clock.advance(hours(6) - 1);
    expect(await status()).toBe(200);
    house.clock.advance(1);
    expect(await status()).toBe(403);
  });

  test("of a visitor ends when the key is no longer the visitors'", async () => {
    await using house = await openTestHouse();
    await arrange(house);
    const key = await makeKey(house, { is_guest: true, permissions: ["mount_view"] });
    const body = JSON.stringify({ paths: ["/drive/a.txt"] });
    const made = await house.request("/api/fs/grant", { method: "POST", body });
    const { grant } = ((await made.json()) as { data: { grant: string } }).data;
    const status = async () => (await house.request(fetchUrl({ path: "/drive/a.txt", grant }))).status;
    expect(await status()).toBe(200);
    await house.house.access.keys.update(key.id, { is_guest: false } as never);
    expect(await status()).toBe(403);
  });

  scenarios([
    { as: "anyone", method: "POST", url: "/api/fs/grant", body: { paths: ["/a"] }, status: 401 },
    { as: { key: ["mount_upload"] }, method: "POST", url: "/api/fs/grant", body: { paths: ["/a"] }, status: 403 },
    { as: "any key", method: "POST", url: "/api/fs/grant", body: { paths: [] }, status: 400 },
    {
      as: "any key",
      method: "POST",
      url: "/api/fs/grant",
      body: { paths: ["/a/.."] },
      status: 400,
      has: ["path.invalid"],
    },
    { as: "any key", method: "POST", url: "/api/fs/grant", body: { paths: Array(10_001).fill("/a") }, status: 400 },
  ]);
});
