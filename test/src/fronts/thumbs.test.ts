import { describe, expect, test } from "bun:test";
import { files } from "#contract/files";
import { fsBytes } from "#contract/fs-bytes";
import { makeKey, withKey } from "../../support/make-key.ts";
import { photo } from "../../support/picture.ts";
import { scenarios } from "../../support/scenario.ts";
import { ask, shareFile } from "../../support/share-file.ts";
import { openTestHouse, type TestHouse } from "../../support/test-house.ts";
import { addressesOf, treeFile } from "../../support/tree-file.ts";

/** Small pictures over REST: who sees them, what they cost, and how long a browser keeps them. */

const picture = await photo(640, 480);
const url = (query: Record<string, string>) => `/api${fsBytes.thumb.path}?${new URLSearchParams(query)}`;

async function sizeOf(response: Response): Promise<[number, number]> {
  const { width, height } = await new Bun.Image(await response.arrayBuffer()).metadata();
  return [width, height];
}

async function recordOf(house: TestHouse, path: string): Promise<{ etag: string }> {
  const headers = { authorization: `Bearer ${await house.signIn()}` };
  const response = await house.request(`/api/fs/get?${new URLSearchParams({ path })}`, { headers });
  return ((await response.json()) as { data: { etag: string } }).data;
}

describe("the thumbnail of a file in the tree", () => {
  const get = { method: "GET", url: url({ path: "/drive/a.jpg" }) } as const;
  scenarios(
    [
      { ...get, status: 401 },
      { ...get, as: "wrong key", status: 401 },
      { ...get, as: "expired key", status: 401 },
      { ...get, as: { key: ["mount_upload"] }, status: 403, has: ["auth.forbidden"] },
      { ...get, as: { key: ["mount_view"], basePath: "/drive/team" }, status: 403, has: ["path.forbidden"] },
      { ...get, as: { key: ["mount_view"] }, status: 200, has: ["WEBP"] },
      { ...get, as: "admin", status: 200, has: ["WEBP"] },
      { ...get, as: "admin", url: url({ path: "/drive/b.jpg" }), status: 404, has: ["path.missing"] },
      { ...get, as: "admin", url: url({ path: "/drive" }), status: 400, has: ["path.isFolder"] },
      { ...get, as: "admin", url: url({ path: "/drive/a.jpg", w: "321" }), status: 400, has: ["query.invalid"] },
      { ...get, as: "admin", url: url({ path: "/drive/a.svg" }), status: 415, has: ["picture.unreadable"] },
      { ...get, url: url({ path: "/drive/a.jpg", grant: "v0.admin.nothing" }), status: 403, has: ["grant.void"] },
    ],
    async (house) => {
      await treeFile(house, "/drive/a.jpg", picture);
      await treeFile(house, "/drive/a.svg", '<svg xmlns="http://www.w3.org/2000/svg"/>');
    },
  );

  test("comes in two sizes, by a credential or by the grant of the file and of no other", async () => {
    await using house = await openTestHouse();
    await treeFile(house, "/drive/a.jpg", picture);
    await treeFile(house, "/drive/b.jpg", picture);
    const headers = withKey(await makeKey(house));
    expect(await sizeOf(await house.request(url({ path: "/drive/a.jpg" }), { headers }))).toEqual([320, 240]);
    const large = await house.request(url({ path: "/drive/a.jpg", w: "1280" }), { headers });
    expect(await sizeOf(large)).toEqual([640, 480]);
    const { download_url } = await addressesOf(house, "/drive/a.jpg");
    const grant = new URL(download_url, "http://satchel.test").searchParams.get("grant") ?? "";
    expect((await house.request(url({ path: "/drive/a.jpg", grant }))).status).toBe(200);
    expect((await house.request(url({ path: "/drive/b.jpg", grant }))).status).toBe(403);
  });

  test("is no error of the server when whoever asked has left", async () => {
    await using house = await openTestHouse();
    await treeFile(house, "/drive/a.jpg", picture);
    const headers = withKey(await makeKey(house));
    const leaving = new AbortController();
    const asked = house.request(url({ path: "/drive/a.jpg" }), { headers, signal: leaving.signal });
    leaving.abort();
    expect((await asked).status).toBe(503);
    expect(house.log()).not.toContain("unhandled error");
  });

  test("is asked for again with its ETag, and kept for good under that of its file", async () => {
    await using house = await openTestHouse();
    await treeFile(house, "/drive/a.jpg", picture);
    const headers = withKey(await makeKey(house));
    const first = await house.request(url({ path: "/drive/a.jpg" }), { headers });
    expect(first.headers.get("cache-control")).toBe("private, no-cache");
    expect(first.headers.get("content-security-policy")).toContain("sandbox");
    const etag = first.headers.get("etag") ?? "";
    const again = await house.request(url({ path: "/drive/a.jpg" }), {
      headers: { ...headers, "if-none-match": etag },
    });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    const { etag: v } = await recordOf(house, "/drive/a.jpg");
    const keyed = await house.request(url({ path: "/drive/a.jpg", v }), { headers });
    expect(keyed.headers.get("cache-control")).toBe("private, max-age=31536000, immutable");
    await treeFile(house, "/drive/a.jpg", await photo(320, 480, 2));
    const changed = await house.request(url({ path: "/drive/a.jpg", v }), {
      headers: { ...headers, "if-none-match": etag },
    });
    expect([changed.status, changed.headers.get("cache-control")]).toEqual([200, "private, no-cache"]);
    expect(await sizeOf(changed)).toEqual([320, 480]);
  });

  test("a key that has lost its right has the thumbnail no longer, although it is kept", async () => {
    await using house = await openTestHouse();
    await treeFile(house, "/drive/a.jpg", picture);
    const key = await makeKey(house, { permissions: ["mount_view"] });
    expect((await house.request(url({ path: "/drive/a.jpg" }), { headers: withKey(key) })).status).toBe(200);
    await house.house.access.keys.remove(key.id);
    expect((await house.request(url({ path: "/drive/a.jpg" }), { headers: withKey(key) })).status).toBe(401);
  });
});

describe("the thumbnail of a share", () => {
  const viewsOf = async (house: TestHouse, id: string) => (await ask(house, files.read, { params: { id } })).data.views;
  const statusOf = async (house: TestHouse, query = "") => {
    const { status, headers } = await house.request(`/api/file-thumb/photo${query}`);
    return [status, headers.get("cache-control")];
  };
  const share = (house: TestHouse, fields: object = {}) =>
    shareFile(house, { slug: "photo", filename: "a.jpg", content: picture, ...fields });

  test("costs no view", async () => {
    await using house = await openTestHouse();
    const { id } = await share(house);
    const response = await house.request("/api/file-thumb/photo?w=1280");
    expect(await sizeOf(response)).toEqual([640, 480]);
    expect(await statusOf(house)).toEqual([200, "private, no-cache"]);
    expect(await viewsOf(house, id)).toBe(0);
  });

  test("of one with a password wants it", async () => {
    await using house = await openTestHouse();
    const { id } = await share(house, { password: "sesame" });
    expect(await statusOf(house)).toEqual([401, "no-store"]);
    expect(await statusOf(house, "?password=wrong")).toEqual([401, "no-store"]);
    expect(await statusOf(house, "?password=sesame")).toEqual([200, "no-store"]);
    expect(await viewsOf(house, id)).toBe(0);
  });

  test("of one with a limit is for those who have opened it, also with its last view", async () => {
    await using house = await openTestHouse();
    const { id } = await share(house, { max_views: 1 });
    expect(await statusOf(house)).toEqual([403, "no-store"]);
    expect(await viewsOf(house, id)).toBe(0);
    const opened = (await (await house.request("/api/public/files/photo")).json()) as {
      data: { downloadUrl: string };
    };
    const grant = new URL(opened.data.downloadUrl, "http://satchel.test").searchParams.get("grant") ?? "";
    expect(grant).not.toBe("");
    expect(await statusOf(house, `?grant=${grant}`)).toEqual([200, "no-store"]);
    expect(await statusOf(house)).toEqual([410, "no-store"]);
    expect(await viewsOf(house, id)).toBe(1);
  });

  test("ends with the share", async () => {
    await using house = await openTestHouse();
    await share(house, { expires_in: "1" });
    expect(await statusOf(house)).toEqual([200, "private, no-cache"]);
    house.clock.advance(3_600_001);
    expect(await statusOf(house)).toEqual([410, "no-store"]);
  });

  test("there is none of what is no picture", async () => {
    await using house = await openTestHouse();
    await shareFile(house, { slug: "photo", filename: "a.jpg", content: "text" });
    expect(await statusOf(house)).toEqual([415, "no-store"]);
    expect((await house.request("/api/file-thumb/other")).status).toBe(404);
  });
});
