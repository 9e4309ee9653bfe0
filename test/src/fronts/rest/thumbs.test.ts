import { describe, expect, spyOn, test } from "bun:test";
import { thumbHashToApproximateAspectRatio } from "thumbhash";
import { files, type PictureFacts } from "#contract/files";
import { fsBytes } from "#contract/fs/bytes";
import { manyScans, onItsSide, photo, png } from "../../../support/files/picture.ts";
import { makeKey, withKey } from "../../../support/make-key.ts";
import { credentialOf, scenarios } from "../../../support/scenario.ts";
import { ask, shareFile } from "../../../support/share-file.ts";
import { openTestHouse, type TestHouse } from "../../../support/test-house.ts";
import { addressesOf, treeFile } from "../../../support/tree/files.ts";
import { until } from "../../../support/until.ts";

/** Small pictures over REST: who sees them, what they cost, and how long a browser keeps them. */

const picture = await photo(640, 480);
/** A picture as a browser makes it of a film. */
const still = await new Bun.Image(await photo(1000, 500)).webp().bytes();
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

test("visitors of a link wait among visitors, by their address, however often they open it", async () => {
  await using house = await openTestHouse();
  await treeFile(house, "/drive/a.jpg", picture);
  using asked = spyOn(house.house.thumbs, "of");
  const actors = [{ link: ["view"] }, { link: ["view"] }, "admin"] as const;
  for (const actor of actors) {
    const headers = await credentialOf(house, actor);
    expect((await house.request(url({ path: "/drive/a.jpg" }), { headers })).status).toBe(200);
  }
  const askers = asked.mock.calls.map(([, , { name, isVisitor }]) => ({ name, isVisitor }));
  const [first, again, account] = askers;
  expect([first, account]).toMatchObject([{ isVisitor: true }, { name: "admin", isVisitor: false }]);
  expect(again).toEqual(first);
});

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

  test("is asked for by one visitor without taking the place of others, and of those who have an account", async () => {
    await using house = await openTestHouse();
    await treeFile(house, "/drive/a.jpg", picture);
    const { slug } = await shareFile(house, { filename: "a.jpg", mimetype: "image/jpeg", content: picture });
    const scans = await manyScans(20_000);
    const gone = new AbortController();
    const statuses: number[] = [];
    const ask = async (path: string, peer: string) =>
      statuses.push((await house.request(path, { signal: gone.signal }, peer)).status);
    const flood: Promise<number>[] = [];
    for (let index = 0; index < 31; index += 1) {
      const content = new Uint8Array(Buffer.concat([scans, Buffer.from(`${index}`)]));
      const slow = await shareFile(house, { filename: "slow.jpg", mimetype: "image/jpeg", content });
      for (const w of ["320", "1280"]) flood.push(ask(`/api/file-thumb/${slow.slug}?w=${w}`, "198.51.100.7"));
    }
    // One is made, sixty wait, and one is refused.
    await until(
      () => statuses,
      (some) => some.length > 0,
    );
    expect(statuses).toEqual([503]);
    const headers = withKey(await makeKey(house));
    expect((await house.request(url({ path: "/drive/a.jpg" }), { headers })).status).toBe(200);
    const other = house.request(`/api/file-thumb/${slug}`, {}, "198.51.100.8");
    gone.abort();
    expect((await other).status).toBe(200);
    await Promise.all(flood);
  });

  test("there is none of what is no picture", async () => {
    await using house = await openTestHouse();
    await shareFile(house, { slug: "photo", filename: "a.jpg", content: "text" });
    expect(await statusOf(house)).toEqual([415, "no-store"]);
    expect((await house.request("/api/file-thumb/other")).status).toBe(404);
  });
});

/** What is known of a file of the drive in the list of its folder. */
async function listed(house: TestHouse, name: string) {
  const headers = { authorization: `Bearer ${await house.signIn()}` };
  const answer = await house.request("/api/fs/list?path=/drive", { headers });
  const { data } = (await answer.json()) as { data: { items: { name: string; picture?: PictureFacts }[] } };
  return data.items.find((item) => item.name === name)?.picture;
}

describe("what lists say of pictures", () => {
  test("dimensions and colours once the thumbnail was made, and nothing of what was written over it", async () => {
    await using house = await openTestHouse();
    await treeFile(house, "/drive/a.jpg", onItsSide(picture));
    expect(await listed(house, "a.jpg")).toBeUndefined();
    await house.request(url({ path: "/drive/a.jpg" }), { headers: withKey(await makeKey(house)) });
    const facts = await listed(house, "a.jpg");
    expect(facts).toMatchObject({ width: 480, height: 640 });
    const hash = Buffer.from(facts?.hash ?? "", "base64");
    expect(thumbHashToApproximateAspectRatio(hash)).toBeLessThan(1);
    await treeFile(house, "/drive/a.jpg", await photo(320, 480, 2));
    expect(await listed(house, "a.jpg")).toBeUndefined();
  });

  test("a share tells it when it is open, and not before", async () => {
    await using house = await openTestHouse();
    const fields = { slug: "photo", filename: "a.jpg", content: picture, password: "sesame", max_views: 9 };
    const { id } = await shareFile(house, fields);
    const open = async (path: string, body?: object) => {
      const sent = body && {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      };
      return await (await house.request(`/api/public/files/photo${path}`, sent)).text();
    };
    const opened = await open("/verify", { password: "sesame" });
    const grant = /grant=([^&"]+)/.exec(opened)?.[1];
    expect((await house.request(`/api/file-thumb/photo?grant=${grant}`)).status).toBe(200);
    for (const locked of [await open("?peek=1"), await open(""), await open("/verify?peek=1", { password: "sesame" })])
      expect(locked).not.toContain('"picture"');
    expect(await open("/verify", { password: "sesame" })).toContain('"picture":{"width":640,"height":480');
    const rows = (await ask(house, files.list, {})).data.files;
    expect(rows.find((row) => row.id === id)?.picture).toMatchObject({ width: 640, height: 480 });
  });
});

describe("a thumbnail that a browser offers", () => {
  const film = "not a film, but nothing that is decoded here either";
  const offer = async (
    house: TestHouse,
    { path = "/drive/a.mp4", v = "", as = "", body = still, method = "PUT" } = {},
  ) => {
    const headers = as === "" ? { authorization: `Bearer ${await house.signIn()}` } : withKey({ key: as });
    const etag = v || (await recordOf(house, path)).etag;
    const answer = await house.request(url({ path, v: etag }), { method, headers, body: new Uint8Array(body) });
    return [answer.status, ((await answer.json()) as { error?: string }).error];
  };

  test("is made anew here, and is that of its file for all who see it", async () => {
    await using house = await openTestHouse();
    await treeFile(house, "/drive/a.mp4", film);
    await treeFile(house, "/drive/other.mp4", film);
    const viewer = withKey(await makeKey(house, { name: "viewer", permissions: ["mount_view"] }));
    const shown = (path: string) => house.request(url({ path }), { headers: viewer });
    expect((await shown("/drive/a.mp4")).status).toBe(415);
    expect(await offer(house)).toEqual([200, undefined]);
    expect(await sizeOf(await shown("/drive/a.mp4"))).toEqual([320, 160]);
    expect(await listed(house, "a.mp4")).toMatchObject({ width: 1000, height: 500 });
    // The same content elsewhere is another file: who may write the one says nothing of the other.
    expect((await shown("/drive/other.mp4")).status).toBe(415);
    expect(await listed(house, "other.mp4")).toBeUndefined();
    expect(await offer(house)).toEqual([409, "picture.made"]);
    await treeFile(house, "/drive/a.mp4", `${film}, changed`);
    expect((await shown("/drive/a.mp4")).status).toBe(415);
  });

  test("is not taken from who may not write the file, of another version, or in place of our own", async () => {
    await using house = await openTestHouse();
    await treeFile(house, "/drive/a.mp4", film);
    await treeFile(house, "/drive/a.jpg", picture);
    const { key: viewer } = await makeKey(house, { name: "viewer", permissions: ["mount_view"] });
    const { key: blind } = await makeKey(house, { name: "blind", permissions: ["mount_upload"] });
    const elsewhere = await makeKey(house, {
      name: "elsewhere",
      permissions: ["mount_view", "mount_upload"],
      basic_path: "/drive/team",
    });
    expect(await offer(house, { as: viewer })).toEqual([403, "auth.forbidden"]);
    expect(await offer(house, { as: blind })).toEqual([403, "auth.forbidden"]);
    expect(await offer(house, { as: elsewhere.key })).toEqual([403, "path.forbidden"]);
    expect(await offer(house, { v: "0".repeat(32) })).toEqual([412, "path.changed"]);
    expect(await offer(house, { path: "/drive/a.jpg" })).toEqual([409, "picture.made"]);
    expect((await house.request(url({ path: "/drive/a.mp4", v: "x" }), { method: "PUT", body: "x" })).status).toBe(401);
    const own = await house.request(url({ path: "/drive/a.jpg" }), { headers: withKey({ key: viewer }) });
    expect(await sizeOf(own)).toEqual([320, 240]);
  });

  test.each([
    ["a PNG", png({ width: 10, height: 10 }), 415, "picture.offer"],
    ["a text", Buffer.from("<svg onload=alert(1)>"), 415, "picture.offer"],
    ["nothing", Buffer.alloc(0), 415, "picture.offer"],
    ["more than is read", Buffer.alloc(512 * 1024 + 1), 413, "body.tooLarge"],
  ])("is not %s", async (_, body, status, code) => {
    await using house = await openTestHouse();
    await treeFile(house, "/drive/a.mp4", film);
    expect(await offer(house, { body: new Uint8Array(body) })).toEqual([status, code]);
  });
});
