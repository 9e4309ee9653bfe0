import { describe, expect, test } from "bun:test";
import { openRawSource } from "../../../../../support/servers/raw-source.ts";
import { info, openSourceHouse, proxied } from "../../../../../support/servers/source-house.ts";
import { openWebSource } from "../../../../../support/servers/web-source.ts";
import { openTestHouse } from "../../../../../support/test-house.ts";

describe("what a URL leads to", () => {
  test("is said by HEAD", async () => {
    await using house = await openSourceHouse();
    await using source = openWebSource(
      () =>
        new Response("hello", {
          headers: {
            "content-type": "image/png",
            "content-disposition": "attachment; filename*=UTF-8''%E5%9B%BE.png",
            "last-modified": "Wed, 21 Oct 2015 07:28:00 GMT",
            "access-control-allow-origin": "*",
          },
        }),
    );
    expect((await info(house, source.url("/x#part"))).data).toEqual({
      url: source.url("/x"),
      filename: "图.png",
      contentType: "image/png",
      size: 5,
      lastModified: "Wed, 21 Oct 2015 07:28:00 GMT",
      method: "HEAD",
      corsSupported: true,
      type: 5,
      typeName: "image",
    });
    expect(source.requests.map(({ method }) => method)).toEqual(["HEAD"]);
  });

  test("is said by one byte where HEAD is refused, of a file of any length", async () => {
    await using house = await openSourceHouse();
    await using source = openWebSource(({ method, headers }) => {
      if (method === "HEAD") return new Response(null, { status: 403 });
      expect(headers.get("range")).toBe("bytes=0-0");
      return new Response("h", { status: 206, headers: { "content-range": "bytes 0-0/123456789" } });
    });
    const { data } = await info(house, source.url("/film.mp4"));
    expect(data).toMatchObject({ method: "GET", size: 123456789, filename: "film.mp4", contentType: "video/mp4" });
  });

  test("has no size that is not sure", async () => {
    await using house = await openSourceHouse();
    const headers = { "content-encoding": "gzip", "content-length": "20" };
    await using source = openWebSource(() => new Response(null, { headers }));
    expect((await info(house, source.url("/a.txt"))).data).toMatchObject({ size: null });
    await using liar = openWebSource(
      () => new Response(null, { status: 206, headers: { "content-range": "bytes 0-0/*" } }),
    );
    expect((await info(house, liar.url("/a.txt"))).data).toMatchObject({ size: null });
  });

  test("names who may read it: every page, this site's, or none", async () => {
    await using house = await openSourceHouse();
    await using source = openWebSource(({ headers }, { pathname }) => {
      const allowed = { own: headers.get("origin") ?? "", other: "https://other.test", none: "" }[pathname.slice(1)];
      return new Response("x", { headers: { "access-control-allow-origin": allowed ?? "*" } });
    });
    const says = async (path: string) => (await info(house, source.url(path))).data.corsSupported;
    expect([await says("/all"), await says("/own"), await says("/other"), await says("/none")]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test.each([
    ["ftp://files.test/x", 400, "url.invalid"],
    ["javascript:alert(1)", 400, "url.invalid"],
    ["http://admin:secret@127.0.0.1/", 400, "url.invalid"],
    ["http://127.0.0.2/", 400, "url.forbidden"],
    ["http://127.0.0.1:22/", 400, "url.forbidden"],
    [`http://127.0.0.1/${"x".repeat(4000)}`, 400, "body.invalid"],
    ["http://127.0.0.1:1/", 400, "url.forbidden"],
    ["http://127.0.0.1:47/", 400, "url.forbidden"],
  ])("%p is refused", async (url, status, error) => {
    await using house = await openSourceHouse();
    expect(await info(house, url)).toMatchObject({ status, error });
    const response = await proxied(house, url);
    expect(response.status).toBe(status);
  });

  test("without a test's word nothing on this machine or in its network is asked", async () => {
    await using house = await openTestHouse();
    await using source = openWebSource(() => new Response("secret"));
    expect(await info(house, source.url("/"))).toMatchObject({ status: 400, error: "url.forbidden" });
    expect((await proxied(house, source.url("/"))).status).toBe(400);
    expect(source.requests).toHaveLength(0);
  });

  test("is refused with the status of the source", async () => {
    await using house = await openSourceHouse();
    await using source = openWebSource(() => new Response("gone", { status: 410 }));
    const answer = await info(house, source.url("/"));
    expect(answer).toMatchObject({ status: 502, error: "url.refused" });
    expect(answer.message).toContain("410");
    await using silent = await openRawSource((socket) => socket.destroy());
    expect(await info(house, silent.url)).toMatchObject({ status: 502, error: "url.unreachable" });
  });

  test("a name of a source that no file may have is another", async () => {
    await using house = await openSourceHouse();
    const headers = { "content-disposition": 'attachment; filename="../../../etc/passwd\\\\.."' };
    await using source = openWebSource(() => new Response("x", { headers }));
    expect((await info(house, source.url("/a/b.txt"))).data.filename).toBe("b.txt");
  });
});
