import { describe, expect, test } from "bun:test";
import { mounts, type NewMount } from "#contract/mounts";
import { settings } from "#contract/settings";
import { makeMount } from "../../../../support/make-mount.ts";
import { scenarios } from "../../../../support/scenario.ts";
import { ask } from "../../../../support/share-file.ts";
import { openTestHouse, type TestHouse } from "../../../../support/test-house.ts";
import { addressesOf, oddNames, treeFile, treeFolder } from "../../../../support/tree/files.ts";

/** Lets the mount /team have public addresses, which must be signed only if it says so. */
async function open(house: TestHouse, fields: Partial<NewMount> = {}, all = "false"): Promise<void> {
  await makeMount(house, { web_proxy: true, ...fields });
  await ask(house, settings.update, { params: { group: "1" }, body: { proxy_sign_all: all } });
}

describe("the public address of a file", () => {
  scenarios(
    [
      { method: "GET", url: "/api/p/team/a.txt", status: 200, has: ["public"] },
      { as: "wrong key", method: "GET", url: "/api/p/team/a.txt", status: 200 },
      { method: "GET", url: "/api/p/team/deep/b.txt", status: 200, has: ["deep"] },
      { method: "GET", url: "/api/p/team/deep%2Fb.txt", status: 200, has: ["deep"] },
      { method: "GET", url: "/api/p/team/x/..%2Fa.txt", status: 400, has: ['"error":"path.invalid"'] },
      { method: "GET", url: "/api/p/team/a.txt%00", status: 400, has: ["path.invalid"] },
      { method: "GET", url: "/api/p/team/x%5Ca.txt", status: 400, has: ["path.invalid"] },
      { method: "GET", url: "/api/p/team/%E4%E4", status: 400, has: ["path.invalid"] },
      { method: "GET", url: `/api/p/team/${"a".repeat(2000)}`, status: 400, has: ["path.invalid"] },
      { method: "GET", url: "/api/p/team/%252e%252e/a.txt", status: 404, has: ["path.missing"] },
      { method: "GET", url: "/api/p/team/none.txt", status: 404, has: ['"error":"path.missing"'] },
      { method: "GET", url: "/api/p/team/deep", status: 400, has: ["path.isFolder"] },
      { method: "GET", url: "/api/p/team/", status: 400, has: ["path.isFolder"] },
      { method: "GET", url: "/api/p/drive/a.txt", status: 404, has: ['"error":"mount.none"'] },
      { method: "GET", url: "/api/p/teams/a.txt", status: 404, has: ["mount.none"] },
      { method: "GET", url: "/api/p/", status: 404, has: ["mount.none"] },
      { method: "GET", url: "/api/p", status: 404, has: ["route.missing"] },
      { method: "GET", url: "/api/p/closed/a.txt", status: 404, has: ["mount.none"] },
      { method: "GET", url: "/api/p/team/inner/a.txt", status: 404, has: ["mount.none"] },
      { method: "GET", url: "/api/p/strict/a.txt", status: 401, has: ['"error":"sign.missing"'] },
      { method: "GET", url: "/api/p/strict/nothing.txt", status: 401, has: ["sign.missing"] },
      { as: "admin", method: "GET", url: "/api/p/strict/a.txt", status: 401, has: ["sign.missing"] },
      { method: "GET", url: "/api/p/strict/a.txt?sign=abc:0", status: 401, has: ['"error":"sign.invalid"'] },
      { method: "POST", url: "/api/p/team/a.txt", status: 404, has: ["route.missing"] },
    ],
    async (house) => {
      await open(house);
      await treeFile(house, "/team/a.txt", "public");
      await treeFile(house, "/team/deep/b.txt", "deep");
      await treeFolder(house, "/team/inner");
      await makeMount(house, { mount_path: "/team/inner" });
      await makeMount(house, { mount_path: "/closed", web_proxy: true, is_active: false });
      await makeMount(house, { mount_path: "/strict", web_proxy: true, enable_sign: true });
    },
  );

  test("is shown or kept, in ranges, under conditions, and never run", async () => {
    await using house = await openTestHouse();
    await open(house);
    await treeFile(house, "/team/a.html", "0123456789");
    const shown = await house.request("/api/p/team/a.html");
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "content-disposition": 'inline; filename="a.html"',
      "cache-control": "no-cache",
      "cross-origin-resource-policy": "cross-origin",
    });
    expect(shown.headers.get("content-security-policy")).toStartWith("sandbox;");
    const kept = await house.request("/api/p/team/a.html?download=true");
    expect(kept.headers.get("content-disposition")).toBe('attachment; filename="a.html"');
    const range = await house.request("/api/p/team/a.html", { headers: { range: "bytes=2-4" } });
    expect([range.status, await range.text()]).toEqual([206, "234"]);
    const etag = shown.headers.get("etag") ?? "";
    expect((await house.request("/api/p/team/a.html", { headers: { "if-none-match": etag } })).status).toBe(304);
    const head = await house.request("/api/p/team/a.html", { method: "HEAD" });
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, "10", ""]);
    expect((await house.request("/api/p/team/none", { method: "HEAD" })).status).toBe(404);
  });

  test("is void for another mount at the same path", async () => {
    await using house = await openTestHouse();
    await open(house, { enable_sign: true });
    await treeFile(house, "/team/a.txt", "theirs");
    const { download_url } = await addressesOf(house, "/team/a.txt");
    expect((await house.request(download_url)).status).toBe(200);
    const { mounts: room } = house.house.vfs;
    const before = (await room.list()).find(({ path }) => path === "/team");
    await room.remove(before?.id ?? "");
    await open(house, { enable_sign: true });
    expect((await house.request(download_url)).status).toBe(401);
  });

  test.each(oddNames)("is signed for the name %s", async (name) => {
    await using house = await openTestHouse({ publicUrl: "https://share.example" });
    await open(house, {}, "true");
    await treeFile(house, `/team/dir/${name}`, name);
    const { preview_url, download_url } = await addressesOf(house, `/team/dir/${name}`);
    expect(preview_url).toStartWith("https://share.example/api/p/team/dir/");
    for (const [url, kind] of [
      [preview_url, "inline"],
      [download_url, "attachment"],
    ] as const) {
      const { pathname, search, searchParams } = new URL(url);
      const response = await house.request(pathname + search);
      expect([response.status, await response.text()]).toEqual([200, name]);
      expect(response.headers.get("content-disposition")).toStartWith(kind);
      expect((await house.request(`${pathname}x${search}`)).status).toBe(401);
      expect((await house.request(pathname)).status).toBe(401);
      // As somebody sends it who did not encode what he copied.
      const raw = `${pathname}?sign=${searchParams.get("sign")}`;
      expect((await house.request(raw)).status).toBe(200);
    }
  });

  test("holds as long as its mount says, and never longer than the mount has it", async () => {
    await using house = await openTestHouse();
    await open(house, { enable_sign: true, sign_expires: 60 });
    await treeFile(house, "/team/a.txt");
    const { preview_url } = await addressesOf(house, "/team/a.txt");
    expect((await house.request(preview_url)).status).toBe(200);
    house.clock.advance(60_000);
    const late = await house.request(preview_url);
    expect([late.status, ((await late.json()) as { error: string }).error]).toEqual([401, "sign.expired"]);
    const again = await addressesOf(house, "/team/a.txt");
    expect((await house.request(again.preview_url)).status).toBe(200);
    const { data } = await ask(house, mounts.list, {});
    const id = data.find(({ mount_path }) => mount_path === "/team")?.id ?? "";
    await ask(house, mounts.update, { params: { id }, body: { web_proxy: false } });
    expect((await house.request(again.preview_url)).status).toBe(404);
  });

  test("is found in either form of Unicode", async () => {
    await using house = await openTestHouse();
    await open(house, {}, "true");
    await treeFile(house, "/team/caf\u00e9.txt");
    const { search } = new URL((await addressesOf(house, "/team/caf\u00e9.txt")).preview_url);
    for (const name of ["caf\u00e9", "cafe\u0301"])
      expect((await house.request(`/api/p/team/${encodeURIComponent(name)}.txt${search}`)).status).toBe(200);
  });
});

test("a drawing of the tree goes to no page of this server that would draw it unread", async () => {
  await using house = await openTestHouse();
  await open(house);
  await treeFile(house, "/team/a.svg", "<svg/>");
  const status = async (dest: string, site: string) =>
    (await house.request("/api/p/team/a.svg", { headers: { "sec-fetch-dest": dest, "sec-fetch-site": site } })).status;
  expect([
    await status("image", "same-origin"),
    await status("image", "cross-site"),
    await status("empty", "same-origin"),
  ]).toEqual([406, 200, 200]);
});
