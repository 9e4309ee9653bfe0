import { describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { DOWNLOADS_OF_ONE, SOURCE_REQUESTS } from "#contract/limits";
import { urlUploads } from "#contract/url-uploads";
import { listen } from "../../../support/listening.ts";
import { makeKey, withKey } from "../../../support/make-key.ts";
import { openRawSource } from "../../../support/raw-source.ts";
import { ask } from "../../../support/share-file.ts";
import { openTestHouse, type TestHouse, type TestHouseOptions } from "../../../support/test-house.ts";
import { until } from "../../../support/until.ts";
import { onlyHere, openWebSource } from "../../../support/web-source.ts";

/** A house whose sources may be on this machine. */
const openHouse = (options: TestHouseOptions = {}) => openTestHouse({ sources: onlyHere, ...options });

const info = (house: TestHouse, url: string) => ask(house, urlUploads.info, { body: { url } });

async function proxied(house: TestHouse, url: string, headers?: Record<string, string>) {
  const path = `/api/url/proxy?${new URLSearchParams({ url })}`;
  return await house.request(path, { headers: headers ?? { authorization: `Bearer ${await house.signIn()}` } });
}

describe("what a URL leads to", () => {
  test("is said by HEAD", async () => {
    await using house = await openHouse();
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
    await using house = await openHouse();
    await using source = openWebSource(({ method, headers }) => {
      if (method === "HEAD") return new Response(null, { status: 403 });
      expect(headers.get("range")).toBe("bytes=0-0");
      return new Response("h", { status: 206, headers: { "content-range": "bytes 0-0/123456789" } });
    });
    const { data } = await info(house, source.url("/film.mp4"));
    expect(data).toMatchObject({ method: "GET", size: 123456789, filename: "film.mp4", contentType: "video/mp4" });
  });

  test("has no size that is not sure", async () => {
    await using house = await openHouse();
    const headers = { "content-encoding": "gzip", "content-length": "20" };
    await using source = openWebSource(() => new Response(null, { headers }));
    expect((await info(house, source.url("/a.txt"))).data).toMatchObject({ size: null });
    await using liar = openWebSource(
      () => new Response(null, { status: 206, headers: { "content-range": "bytes 0-0/*" } }),
    );
    expect((await info(house, liar.url("/a.txt"))).data).toMatchObject({ size: null });
  });

  test("names who may read it: every page, this site's, or none", async () => {
    await using house = await openHouse();
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
    await using house = await openHouse();
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
    await using house = await openHouse();
    await using source = openWebSource(() => new Response("gone", { status: 410 }));
    const answer = await info(house, source.url("/"));
    expect(answer).toMatchObject({ status: 502, error: "url.refused" });
    expect(answer.message).toContain("410");
    await using silent = await openRawSource((socket) => socket.destroy());
    expect(await info(house, silent.url)).toMatchObject({ status: 502, error: "url.unreachable" });
  });

  test("a name of a source that no file may have is another", async () => {
    await using house = await openHouse();
    const headers = { "content-disposition": 'attachment; filename="../../../etc/passwd\\\\.."' };
    await using source = openWebSource(() => new Response("x", { headers }));
    expect((await info(house, source.url("/a/b.txt"))).data.filename).toBe("b.txt");
  });
});

describe("bytes through the proxy", () => {
  test("come as a download that no browser runs, with nothing of the source's headers", async () => {
    await using house = await openHouse();
    const evil = {
      "content-type": "text/html",
      "set-cookie": "a=b",
      "content-disposition": 'inline; filename="page.html"',
      "content-security-policy": "default-src *",
      "access-control-allow-origin": "https://evil.test",
      location: "https://evil.test",
      "x-evil": "1",
    };
    await using source = openWebSource(() => new Response("<script>1</script>", { headers: evil }));
    const response = await proxied(house, source.url("/"));
    expect(await response.text()).toBe("<script>1</script>");
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-security-policy": expect.stringContaining("sandbox"),
      "x-content-type-options": "nosniff",
      "content-disposition": 'attachment; filename="page.html"',
      "cache-control": "no-store",
      "access-control-allow-origin": "*",
    });
    for (const name of ["set-cookie", "location", "x-evil"]) expect(response.headers.has(name)).toBe(false);
  });

  test("cost the source no secret of the caller", async () => {
    await using house = await openHouse();
    await using source = openWebSource(() => new Response("x"));
    const headers = {
      authorization: `Bearer ${await house.signIn()}`,
      cookie: "session=1",
      referer: "https://share.example/upload",
      "x-forwarded-for": "10.1.2.3",
      range: "bytes=5-",
    };
    await (await proxied(house, source.url("/"), headers)).text();
    const sent = Object.fromEntries(source.requests[0]?.headers ?? []);
    expect(Object.keys(sent).sort()).toEqual(["accept", "accept-encoding", "host", "user-agent"]);
  });

  test("a POST keeps the URL out of every log", async () => {
    await using house = await openHouse();
    await using source = openWebSource(() => new Response("x"));
    const response = await house.request("/api/url/proxy", {
      method: "POST",
      headers: { authorization: `Bearer ${await house.signIn()}` },
      body: JSON.stringify({ url: source.url("/?X-Amz-Signature=abc123") }),
    });
    expect(await response.text()).toBe("x");
    expect(house.log()).not.toContain("abc123");
  });

  test("that are encoded say so", async () => {
    await using house = await openHouse();
    const packed = Bun.gzipSync("hello");
    await using source = openWebSource(
      () => new Response(packed, { headers: { "content-encoding": "gzip", "content-type": "text/plain" } }),
    );
    const response = await proxied(house, source.url("/a.txt"));
    expect(response.headers.get("content-encoding")).toBe("gzip");
    expect(await response.bytes()).toEqual(new Uint8Array(packed));
  });

  test.each([
    ["a length that is not kept", "content-length: 100\r\n\r\nshort"],
    ["a last chunk that is missing", "transfer-encoding: chunked\r\n\r\n5\r\nshort\r\n"],
  ])("that break off end as an error on the wire: %s", async (_, rest) => {
    await using house = await openHouse();
    await using server = listen(house);
    await using source = await openRawSource((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${rest}`);
      setTimeout(() => socket.end(), 50);
    });
    const token = await house.signIn();
    const received = await exchange(server.port, [
      `GET /api/url/proxy?url=${encodeURIComponent(source.url)} HTTP/1.1`,
      `host: ${server.host}`,
      `authorization: Bearer ${token}`,
    ]);
    expect(received).toContain("200 OK");
    expect(received).toContain("short");
    // The last chunk would say that this is all.
    expect(received).not.toEndWith("0\r\n\r\n");
  });

  test("beyond the largest upload are refused before they come, and cut off when nobody said so", async () => {
    await using house = await openHouse();
    const authorization = { authorization: `Bearer ${await house.signIn()}` };
    const put = { method: "PUT", headers: authorization, body: JSON.stringify({ max_upload_size: 1 }) };
    expect((await house.request("/api/admin/settings/group/1", put)).status).toBe(200);
    const large = new Uint8Array(1024 ** 2 + 1);
    await using source = openWebSource((_, { pathname }) =>
      pathname === "/said" ? new Response(large) : new Response(inPieces(large)),
    );
    const refused = await proxied(house, source.url("/said"));
    expect(refused.status).toBe(413);
    const cut = await proxied(house, source.url("/unsaid"));
    expect(cut.status).toBe(200);
    await expect(cut.bytes()).rejects.toThrow();
  });

  test("few at once for one caller, and a place is free again when one ends in any way", async () => {
    await using house = await openHouse();
    await using source = await openRawSource(
      (socket) => void socket.write("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nok"),
    );
    const some = await Promise.all(Array.from({ length: DOWNLOADS_OF_ONE }, () => proxied(house, source.url)));
    const more = await proxied(house, source.url);
    expect(more.status).toBe(429);
    expect(await more.json()).toMatchObject({ error: "url.tooMany" });
    const other = withKey(await makeKey(house, { permissions: ["file_share"] }));
    const theirs = await proxied(house, source.url, other);
    expect(theirs.status).toBe(200);
    await some[0]?.body?.cancel();
    expect((await proxied(house, source.url)).status).toBe(200);
  });

  test("a caller that goes away leaves its source", async () => {
    await using house = await openHouse();
    await using server = listen(house);
    await using source = await openRawSource(
      (socket) => void socket.write("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nok"),
    );
    const leave = new AbortController();
    const response = await fetch(`${server.address}/api/url/proxy?url=${encodeURIComponent(source.url)}`, {
      headers: { authorization: `Bearer ${await house.signIn()}` },
      signal: leave.signal,
    });
    expect(response.status).toBe(200);
    expect(source.open()).toBe(1);
    leave.abort();
    await until(source.open, (open) => open === 0);
  });

  test("so many questions a minute and no more, each caller for itself", async () => {
    await using house = await openHouse();
    await using source = openWebSource(() => new Response("x"));
    const key = withKey(await makeKey(house, { permissions: ["file_share"] }));
    for (let count = 0; count < SOURCE_REQUESTS; count++) await (await proxied(house, source.url("/"), key)).text();
    const refused = await proxied(house, source.url("/"), key);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await info(house, source.url("/"))).status).toBe(200);
  });
});

describe("who may ask", () => {
  test.each(["/api/url/info", "/api/url/proxy", "/api/url/presign", "/api/url/multipart/init", "/api/url/cancel"])(
    "%s wants the right to share files",
    async (path) => {
      await using house = await openHouse();
      await using source = openWebSource(() => new Response("x"));
      const body = JSON.stringify({ url: source.url("/") });
      const status = async (headers: Record<string, string>) =>
        (await house.request(path, { method: "POST", headers, body })).status;
      const without = withKey(await makeKey(house, { permissions: ["text", "mount_view", "mount_upload"] }));
      expect(await status({})).toBe(401);
      expect(await status(without)).toBe(403);
      expect(await status({ authorization: "ApiKey nothing-of-the-kind" })).toBe(401);
      expect(source.requests).toHaveLength(0);
    },
  );

  test("visitors may once there is a key for them that may share files, each address for itself", async () => {
    await using house = await openHouse();
    await using source = openWebSource(() => new Response("x"));
    await makeKey(house, { permissions: ["file_share"], is_guest: true });
    const path = `/api/url/proxy?${new URLSearchParams({ url: source.url("/") })}`;
    for (let count = 0; count < SOURCE_REQUESTS; count++) await (await house.request(path)).text();
    expect((await house.request(path)).status).toBe(429);
    expect((await house.request(path, {}, "198.51.100.7")).status).toBe(200);
  });
});

/** A body whose length nobody says. */
const inPieces = (bytes: Uint8Array<ArrayBuffer>) =>
  new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(bytes.subarray(0, 1000));
      controller.enqueue(bytes.subarray(1000));
      controller.close();
    },
  });

/** Everything that a connection answers until it is closed. */
function exchange(port: number, lines: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    let received = "";
    const socket = connect(port, "127.0.0.1");
    socket.setEncoding("latin1").on("data", (text: string) => {
      received += text;
      if (received.endsWith("0\r\n\r\n")) socket.destroy();
    });
    socket.on("error", () => undefined).once("close", () => resolve(received));
    socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  });
}
