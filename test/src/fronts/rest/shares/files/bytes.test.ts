import { describe, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { files } from "#contract/files";
import { scenarios } from "../../../../../support/scenario.ts";
import { ask, shareFile } from "../../../../../support/share-file.ts";
import { openTestHouse, type TestHouse } from "../../../../../support/test-house.ts";

const get = (url: string) => ({ method: "GET" as const, url });
const head = (url: string) => ({ method: "HEAD" as const, url });
const navigation = { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };

describe("the bytes of a file share", () => {
  scenarios(
    [
      { ...get("/api/file-view/plain"), status: 200, has: ["0123456789"] },
      { ...get("/api/file-view/plain"), as: "wrong token", status: 200, has: ["0123456789"] },
      { ...get("/api/file-view/plain"), as: "admin", status: 200, has: ["0123456789"] },
      { ...get("/api/file-download/plain"), status: 200, has: ["0123456789"] },
      { ...get("/api/file-download/plain"), as: "wrong token", status: 200 },
      { ...get("/api/file-download/plain"), as: "admin", status: 200 },
      { ...head("/api/file-view/plain"), status: 200, hasNot: ["0123456789"] },
      { ...head("/api/file-download/plain"), as: "wrong token", status: 200, hasNot: ["0123456789"] },
      { ...head("/api/file-download/plain"), as: "admin", status: 200 },
      { ...head("/api/file-view/nothing"), status: 404 },
      { ...head("/api/file-view/old"), status: 410 },
      { ...head("/api/file-view/secret"), status: 401 },
      { ...head("/api/file-view/secret?password=wrong"), status: 401 },
      { ...head("/api/file-view/secret?password=sesame"), status: 200 },
      { ...get("/api/file-view/PLAIN"), status: 404, hasNot: ["{"] },
      { ...get("/api/file-view/plain/more"), status: 404, hasNot: ["{"] },
      { ...get("/api/file-view"), status: 404 },
      { ...get("/api/file-view/..%2f..%2fsecret.key"), status: 404 },
      { ...get("/api/file-download/nothing"), status: 404, hasNot: ["{"] },
      { ...get("/api/file-download/old"), status: 410, hasNot: ["0123456789", "{"] },
      { ...get("/api/file-view/secret"), status: 401, has: ["needs a password"], hasNot: ["0123456789", "{"] },
      { ...get("/api/file-view/secret?password="), status: 401, hasNot: ["0123456789"] },
      { ...get("/api/file-view/secret?password=wrong"), status: 401, has: ["Wrong password"], hasNot: ["0123456789"] },
      { ...get("/api/file-view/secret"), as: "admin", status: 401, hasNot: ["0123456789"] },
      { ...get("/api/file-view/secret?password=sesame"), status: 200, has: ["0123456789"] },
      { ...get("/api/file-download/secret?password=sesame"), status: 200, has: ["0123456789"] },
      {
        name: "in Chinese",
        ...get("/api/file-view/secret?password=wrong"),
        headers: { "accept-language": "zh" },
        status: 401,
        has: ["密码错误"],
      },
      { method: "POST", url: "/api/file-view/plain", body: {}, status: 404 },
      { method: "DELETE", url: "/api/file-download/plain", status: 404 },
    ],
    async (house) => {
      const content = "0123456789";
      await shareFile(house, { slug: "plain", content });
      await shareFile(house, { slug: "secret", content, password: "sesame" });
      await shareFile(house, { slug: "old", content, expires_at: new Date(house.clock.now() + 1).toISOString() });
      house.clock.advance(1);
    },
  );

  test("are harmless in a browser and carry their name in any language", async () => {
    await using house = await openTestHouse();
    const content = "<script>alert(1)</script>";
    await shareFile(house, { slug: "page", filename: `报告 "1"; x=%41;’.html`, content });
    for (const [way, kind] of [
      ["file-view", "inline"],
      ["file-download", "attachment"],
    ] as const) {
      for (const method of ["GET", "HEAD"]) {
        const { headers } = await house.request(`/api/${way}/page`, { method });
        expect(headers.get("content-security-policy")).toStartWith("sandbox;");
        expect(headers.get("content-security-policy")).not.toContain("allow-scripts");
        expect(headers.get("x-content-type-options")).toBe("nosniff");
        expect(headers.get("referrer-policy")).toBe("no-referrer");
        expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
        expect(headers.get("accept-ranges")).toBe("bytes");
        expect(headers.get("last-modified")).toBe("Wed, 02 Jan 2030 03:04:05 GMT");
        expect(headers.get("etag")).toMatch(/^"[0-9a-f]{32}-1"$/);
        const disposition = headers.get("content-disposition") ?? "";
        expect(disposition).toStartWith(`${kind}; filename="`);
        const encoded = /filename\*=UTF-8''(.*)$/.exec(disposition)?.[1] ?? "";
        expect(decodeURIComponent(encoded)).toBe(`报告 "1"; x=%41;’.html`);
        expect(encoded).toMatch(/^[\w.%-]+$/);
      }
    }
    expect((await house.request("/api/file-view/page", { method: "HEAD" })).headers.get("content-length")).toBe("25");
  });

  test("come in ranges and under conditions", async () => {
    await using house = await openTestHouse();
    const { etag } = await shareFile(house, { slug: "digits", content: "0123456789" });
    const url = "/api/file-download/digits";
    const range = async (range: string, more: Record<string, string> = {}) => {
      const response = await house.request(url, { headers: { range, ...more } });
      return [response.status, response.headers.get("content-range"), await response.text()];
    };
    expect(await range("bytes=0-3")).toEqual([206, "bytes 0-3/10", "0123"]);
    expect(await range("bytes=7-")).toEqual([206, "bytes 7-9/10", "789"]);
    expect(await range("bytes=-2")).toEqual([206, "bytes 8-9/10", "89"]);
    expect(await range("bytes=5-999")).toEqual([206, "bytes 5-9/10", "56789"]);
    expect(await range("bytes=10-")).toEqual([416, "bytes */10", ""]);
    expect(await range("bytes=0-1,4-5")).toEqual([200, null, "0123456789"]);
    expect(await range("bytes=x")).toEqual([200, null, "0123456789"]);
    expect(await range("lines=0-1")).toEqual([200, null, "0123456789"]);
    expect(await range("bytes=0-1", { "if-range": `"${etag}"` })).toEqual([206, "bytes 0-1/10", "01"]);
    expect(await range("bytes=0-1", { "if-range": '"other"' })).toEqual([200, null, "0123456789"]);
    const status = async (headers: Record<string, string>) => (await house.request(url, { headers })).status;
    expect(await status({ "if-none-match": `"${etag}"` })).toBe(304);
    expect(await status({ "if-none-match": '"other"' })).toBe(200);
    expect(await status({ "if-match": '"other"' })).toBe(412);
    expect(await status({ "if-modified-since": "Wed, 02 Jan 2030 03:04:05 GMT" })).toBe(304);
    expect(await status({ "if-unmodified-since": "Tue, 01 Jan 2030 03:04:05 GMT" })).toBe(412);
  });

  test("spend one view for each request, and none for HEAD", async () => {
    await using house = await openTestHouse();
    const { id } = await shareFile(house, { slug: "three", max_views: 3, password: "sesame" });
    const ways = ["/api/file-view/three", "/api/file-download/three"].map((way) => `${way}?password=sesame`);
    for (const url of ways) {
      expect((await house.request(url, { method: "HEAD" })).status).toBe(200);
      expect((await house.request(url)).status).toBe(200);
    }
    expect((await ask(house, files.read, { params: { id } })).data.views).toBe(2);
    expect((await house.request("/api/file-view/three?password=wrong")).status).toBe(401);
    expect((await house.request("/api/file-view/three")).status).toBe(401);
    expect(
      (await house.request("/api/file-view/three?password=sesame", { headers: { range: "bytes=0-0" } })).status,
    ).toBe(206);
    expect((await house.request("/api/file-view/three?password=sesame")).status).toBe(410);
    expect((await house.request("/api/file-view/three?password=sesame", { method: "HEAD" })).status).toBe(410);
  });
});

describe("a person who follows a link to the bytes", () => {
  test("spends one view and is sent on to an address that costs nothing more", async () => {
    await using house = await openTestHouse();
    await shareFile(house, { slug: "once", max_views: 1, password: "sesame" });
    const first = await house.request("/api/file-view/once?password=sesame", { headers: navigation });
    expect(first.status).toBe(303);
    expect(first.headers.get("cache-control")).toBe("no-store");
    const location = first.headers.get("location") ?? "";
    expect(location).toStartWith("/api/file-view/once?grant=");
    expect(location).not.toContain("sesame");
    for (let reload = 0; reload < 3; reload++) {
      const response = await house.request(location, { headers: navigation });
      expect([response.status, await response.text()]).toEqual([200, "hello"]);
    }
    const gone = await house.request("/api/file-view/once?password=sesame", { headers: navigation });
    expect(gone.status).toBe(410);
  });

  test("keeps the way that was asked for", async () => {
    await using house = await openTestHouse();
    await shareFile(house, { slug: "plain" });
    const response = await house.request("/api/file-download/plain", { headers: navigation });
    expect(response.headers.get("location")).toStartWith("/api/file-download/plain?grant=");
  });

  test("is sent to the page that asks for the password, and spends nothing", async () => {
    await using house = await openTestHouse();
    const { id } = await shareFile(house, { slug: "secret", max_views: 1, password: "sesame" });
    for (const way of ["file-view", "file-download"]) {
      const response = await house.request(`/api/${way}/secret`, { headers: navigation });
      expect([response.status, response.headers.get("location")]).toEqual([303, "/file/secret"]);
    }
    expect((await house.request("/api/file-view/secret?password=wrong", { headers: navigation })).status).toBe(401);
    expect((await ask(house, files.read, { params: { id } })).data.views).toBe(0);
  });

  test("of a browser that only fetches is no navigation", async () => {
    await using house = await openTestHouse();
    await shareFile(house, { slug: "plain" });
    const response = await house.request("/api/file-view/plain", { headers: { "sec-fetch-mode": "no-cors" } });
    expect([response.status, await response.text()]).toEqual([200, "hello"]);
  });
});

describe("a file that somebody touched where it lies", () => {
  const small = "0123456789";
  const large = small.repeat(10_000);
  const place = (house: TestHouse) => join(house.objects, "drive/shares/note.txt");
  const ask = (house: TestHouse, init: RequestInit = {}) => house.request("/api/file-download/touched", init);

  test.each([small, large])("is 410 when it is gone, whatever was asked", async (content) => {
    await using house = await openTestHouse();
    const { etag } = await shareFile(house, { slug: "touched", content });
    expect((await ask(house)).status).toBe(200);
    await rm(place(house));
    house.clock.advance(1000);
    const asked = [
      ["accept", "*/*"],
      ["range", "bytes=0-1"],
      ["if-none-match", `"${etag}"`],
      ["range", "bytes=999999-"],
    ];
    for (const [name = "", value = ""] of asked) {
      const response = await ask(house, { headers: { [name]: value } });
      expect([response.status, response.headers.get("cache-control")]).toEqual([410, "no-store"]);
      expect(await response.text()).toContain("no longer in its storage");
    }
    expect((await ask(house, { method: "HEAD" })).status).toBe(410);
    expect((await house.request("/api/public/files/touched")).status).toBe(200);
  });

  test.each([
    [small, "changed"],
    [small, "changed and longer than it was"],
    [large, "changed"],
    [large, `${large}more`],
    [small, large],
  ])("is served as it is, with its own length and ETag", async (content, now) => {
    await using house = await openTestHouse();
    const { etag } = await shareFile(house, { slug: "touched", content });
    await ask(house);
    await Bun.write(place(house), now);
    house.clock.advance(1000);
    const whole = await ask(house);
    const tag = whole.headers.get("etag") ?? "";
    expect([whole.status, await whole.text()]).toEqual([200, now]);
    expect(tag).not.toBe(`"${etag}"`);
    const looked = await ask(house, { method: "HEAD" });
    expect(looked.headers.get("content-length")).toBe(String(now.length));
    expect(looked.headers.get("etag")).toBe(tag);
    expect((await ask(house, { headers: { "if-none-match": `"${etag}"` } })).status).toBe(200);
    expect((await ask(house, { headers: { "if-none-match": tag } })).status).toBe(304);
    const last = await ask(house, { headers: { range: "bytes=-1" } });
    expect(await last.text()).toBe(now.slice(-1));
    expect(last.headers.get("content-range")).toBe(`bytes ${now.length - 1}-${now.length - 1}/${now.length}`);
    const resumed = await ask(house, { headers: { range: "bytes=1-", "if-range": `"${etag}"` } });
    expect([resumed.status, await resumed.text()]).toEqual([200, now]);
    const beyond = await ask(house, { headers: { range: `bytes=${now.length}-` } });
    expect([beyond.status, beyond.headers.get("content-range")]).toEqual([416, `bytes */${now.length}`]);
  });
});
