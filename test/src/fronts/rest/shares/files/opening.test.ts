import { describe, expect, test } from "bun:test";
import { files, type OpenedFile } from "#contract/files";
import { scenarios } from "../../../../../support/scenario.ts";
import { ask, shareFile } from "../../../../../support/share-file.ts";
import { minutes } from "../../../../../support/test-clock.ts";
import { openTestHouse, type TestHouse } from "../../../../../support/test-house.ts";

const get = (url: string) => ({ method: "GET" as const, url });
const verify = (slug: string, body: unknown, query = "") => ({
  method: "POST" as const,
  url: `/api/public/files/${slug}/verify${query}`,
  body,
});

/** Opens a share as its page does and answers what it is told. */
async function open(house: TestHouse, slug: string): Promise<OpenedFile> {
  const response = await house.request(`/api/public/files/${slug}`);
  expect(response.status).toBe(200);
  return ((await response.json()) as { data: OpenedFile }).data;
}

const statusOf = async (house: TestHouse, url: string, init?: RequestInit) => (await house.request(url, init)).status;

describe("opening a file share", () => {
  const furnish = async (house: TestHouse) => {
    await shareFile(house, { slug: "plain", filename: "报告 1.txt", remark: "note" });
    await shareFile(house, { slug: "secret", filename: "hidden.txt", remark: "for you", password: "sesame" });
    await shareFile(house, { slug: "once", filename: "burn.txt", remark: "for you", max_views: 1 });
    await shareFile(house, { slug: "both", filename: "burn.txt", password: "sesame", max_views: 2 });
    await shareFile(house, { slug: "old", expires_at: new Date(house.clock.now() + 1).toISOString() });
    house.clock.advance(1);
  };
  const tellsNothing = ["burn", "hidden", "for you", "text/plain", '"size"', "created", "typeName", "Url", '"id"'];

  /** What a page needs to know before a view is spent, to have at hand what will show the file. */
  const tellsKind = tellsNothing.filter((words) => words !== "text/plain" && words !== "typeName");

  scenarios(
    [
      {
        ...get("/api/public/files/plain"),
        status: 200,
        has: [
          "报告 1.txt",
          '"size":5',
          '"views":1',
          '"views_left":null',
          '"requires_password":false',
          '"remark":"note"',
        ],
        hasNot: ["storage", "etag", "version"],
      },
      {
        ...get("/api/public/files/plain"),
        status: 200,
        has: ['"downloadUrl":"http://satchel.test/api/file-download/'],
      },
      {
        ...get("/api/public/files/plain"),
        status: 200,
        has: ['"previewUrl"', '"proxy_preview_url"', '"typeName":"text"'],
      },
      { ...get("/api/public/files/plain"), as: "wrong token", status: 200, has: ['"success":true'] },
      { ...get("/api/public/files/plain"), as: "admin", status: 200, has: ['"views":1'] },
      { ...get("/api/public/files/plain?peek=1"), status: 200, has: ["报告 1.txt", '"views":1', "downloadUrl"] },
      { ...get("/api/public/files/PLAIN"), status: 404, has: ["share.missing"] },
      { ...get("/api/public/files/nothing"), status: 404, has: ["share.missing"] },
      { ...get("/api/public/files/nothing?peek=1"), as: "admin", status: 404, has: ["share.missing"] },
      { ...get("/api/public/files/old"), status: 410, has: ["share.gone"] },
      { ...get("/api/public/files/old?peek=1"), status: 410, has: ["share.gone"] },
      {
        ...get("/api/public/files/secret"),
        status: 200,
        has: ['"requires_password":true', '"views":0', "hidden.txt"],
        hasNot: ["Url", "grant", "for you", "remark", "created_by"],
      },
      {
        ...get("/api/public/files/secret?peek=1"),
        status: 200,
        has: ['"requires_password":true', '"has_password":true', '"views_left":null'],
        hasNot: tellsNothing,
      },
      {
        ...get("/api/public/files/once?peek=1"),
        status: 200,
        has: ['"requires_password":false', '"views_left":1', '"max_views":1', '"views":0', '"ending":"txt"'],
        hasNot: tellsKind,
      },
      {
        ...get("/api/public/files/both?peek=1"),
        status: 200,
        has: ['"requires_password":true', '"views_left":2'],
        hasNot: tellsNothing,
      },
      {
        ...get("/api/public/files/once"),
        status: 200,
        has: ["burn.txt", '"is_last_view":true', '"views_left":0', "downloadUrl"],
      },
      {
        ...verify("secret", { password: "sesame" }),
        status: 200,
        has: [
          "hidden.txt",
          '"views":1',
          '"requires_password":false',
          '"remark":"for you"',
          "created_by",
          "downloadUrl",
        ],
        hasNot: ["sesame"],
      },
      {
        ...verify("both", { password: "sesame" }, "?peek=1"),
        status: 200,
        has: ['"requires_password":false', '"views":0', '"views_left":2'],
        hasNot: tellsKind,
      },
      { ...verify("both", { password: "wrong" }, "?peek=1"), status: 401, has: ["password.wrong"] },
      { ...verify("secret", { password: "sesame" }, "?peek=1"), status: 200, has: ["hidden.txt", "downloadUrl"] },
      { ...verify("once", { password: "x" }, "?peek=1"), status: 400, has: ["share.noPassword"] },
      { ...verify("both", { password: "sesame" }), status: 200, has: ['"is_last_view":false', '"views_left":1'] },
      { ...verify("secret", { password: "sesame" }), as: "wrong token", status: 200 },
      { ...verify("secret", { password: "sesame" }), as: "admin", status: 200 },
      { ...verify("secret", { password: "wrong" }), status: 401, has: ["password.wrong"], hasNot: ["hidden"] },
      { ...verify("secret", { password: "wrong" }), as: "admin", status: 401, has: ["password.wrong"] },
      {
        name: "in Chinese",
        ...verify("secret", { password: "wrong" }),
        headers: { "accept-language": "zh" },
        status: 401,
        has: ["密码错误"],
      },
      { ...verify("secret", {}), status: 400, has: ["body.invalid", "password"] },
      { ...verify("secret", { password: "" }), status: 400, has: ["password"] },
      { ...verify("secret", { password: 5 }), status: 400, has: ["password"] },
      { ...verify("secret", { password: "p".repeat(129) }), status: 400, has: ["password"] },
      { ...verify("plain", { password: "x" }), status: 400, has: ["share.noPassword"] },
      { ...verify("once", { password: "x" }), status: 400, has: ["share.noPassword"] },
      { ...verify("old", { password: "x" }), status: 410, has: ["share.gone"] },
      { ...verify("nothing", { password: "x" }), status: 404, has: ["share.missing"] },
      { method: "HEAD", url: "/api/public/files/once", status: 200, hasNot: ["burn"] },
      { method: "HEAD", url: "/api/public/files/nothing", status: 404 },
      { method: "HEAD", url: "/api/public/files/old", status: 410 },
    ],
    furnish,
  );

  test("looking spends nothing, opening spends one", async () => {
    await using house = await openTestHouse();
    await shareFile(house, { slug: "once", max_views: 1 });
    const looks = ["/api/public/files/once?peek=1", "/api/file-view/once", "/api/file-download/once"];
    for (const url of looks) await house.request(url, { method: url.includes("peek") ? "GET" : "HEAD" });
    await house.request("/api/public/files/once", { method: "HEAD" });
    expect(await open(house, "once")).toMatchObject({ views: 1, views_left: 0, is_last_view: true });
    expect(await statusOf(house, "/api/public/files/once")).toBe(410);
    expect(await statusOf(house, "/api/public/files/once?peek=1")).toBe(410);
    expect(await statusOf(house, "/api/public/files/once", { method: "HEAD" })).toBe(410);
    expect(await statusOf(house, "/api/file-view/once")).toBe(410);
  });

  test("views of a share without limit are counted for everybody", async () => {
    await using house = await openTestHouse();
    const { id } = await shareFile(house, { slug: "plain" });
    expect((await open(house, "plain")).views).toBe(1);
    expect((await open(house, "plain")).views).toBe(2);
    await house.request("/api/file-download/plain");
    expect((await ask(house, files.read, { params: { id } })).data.views).toBe(3);
    expect((await open(house, "plain")).views).toBe(4);
  });

  test.each([
    ["the page's call", "/api/public/files/five"],
    ["the file itself", "/api/file-download/five"],
  ])("twenty at once on five views by %s: exactly five succeed", async (_, url) => {
    await using house = await openTestHouse();
    await shareFile(house, { slug: "five", max_views: 5 });
    const statuses = await Promise.all(Array.from({ length: 20 }, () => statusOf(house, url)));
    expect(statuses.filter((status) => status === 200).length).toBe(5);
    expect(statuses.filter((status) => status === 410).length).toBe(15);
  });

  test("twenty with the password at once on five views: exactly five succeed", async () => {
    await using house = await openTestHouse();
    await shareFile(house, { slug: "five", max_views: 5, password: "sesame" });
    const body = JSON.stringify({ password: "sesame" });
    const statuses = await Promise.all(
      Array.from({ length: 20 }, () => statusOf(house, "/api/public/files/five/verify", { method: "POST", body })),
    );
    expect(statuses.filter((status) => status === 200).length).toBe(5);
    expect(statuses.filter((status) => status === 410).length).toBe(15);
  });

  test("wrong passwords spend no view, are slowed down, and keep nobody else out", async () => {
    await using house = await openTestHouse();
    await shareFile(house, { slug: "guarded", password: "sesame", max_views: 1 });
    const guess = (password: string, peer: string) =>
      house.request("/api/public/files/guarded/verify", { method: "POST", body: JSON.stringify({ password }) }, peer);
    for (let index = 0; index < 20; index++) expect((await guess(`g${index}`, "198.51.100.7")).status).toBe(401);
    const limited = await guess("sesame", "198.51.100.7");
    expect(limited.status).toBe(429);
    expect(limited.headers.get("retry-after")).toBe("600");
    const peer = "198.51.100.7";
    expect((await house.request("/api/file-view/guarded?password=sesame", {}, peer)).status).toBe(429);
    expect((await house.request("/api/file-view/guarded?password=sesame", { method: "HEAD" }, peer)).status).toBe(429);
    expect((await guess("sesame", "203.0.113.8")).status).toBe(200);
    expect((await guess("sesame", "203.0.113.8")).status).toBe(410);
    house.clock.advance(minutes(10));
    expect((await guess("sesame", "198.51.100.7")).status).toBe(410);
  });

  test("guessing slugs is slowed down per address, by whatever way", async () => {
    await using house = await openTestHouse();
    const ways = ["/api/public/files/", "/api/file-view/", "/api/file-download/"];
    for (let index = 0; index < 60; index++) expect(await statusOf(house, `${ways[index % 3]}guess${index}`)).toBe(404);
    for (const way of ways) expect(await statusOf(house, `${way}guess60?grant=x`)).toBe(429);
  });

  test("answers of shares and all failures are stored by nobody", async () => {
    await using house = await openTestHouse();
    await furnish(house);
    const urls = ["plain", "secret", "once", "old", "nothing"].flatMap((slug) => [
      `/api/public/files/${slug}`,
      `/api/public/files/${slug}?peek=1`,
    ]);
    const failing = ["file-view/old", "file-download/nothing", "file-view/secret", "file-view/secret?password=wrong"];
    for (const url of [...urls, ...failing.map((path) => `/api/${path}`)]) {
      expect((await house.request(url)).headers.get("cache-control")).toBe("no-store");
    }
    const open = await house.request("/api/file-view/plain");
    expect(open.headers.get("cache-control")).toBe("no-cache");
    for (const url of ["/api/file-view/secret?password=sesame", "/api/file-download/both?password=sesame"]) {
      const response = await house.request(url);
      expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
    }
  });
});
