import { describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { DOWNLOADS_OF_ONE, SOURCE_REQUESTS } from "#contract/limits";
import { makeKey, withKey } from "../../../../../support/make-key.ts";
import { listen } from "../../../../../support/servers/listening.ts";
import { openRawSource } from "../../../../../support/servers/raw-source.ts";
import { info, openSourceHouse, proxied } from "../../../../../support/servers/source-house.ts";
import { openWebSource } from "../../../../../support/servers/web-source.ts";
import { until } from "../../../../../support/until.ts";

describe("bytes through the proxy", () => {
  test("come as a download that no browser runs, with nothing of the source's headers", async () => {
    await using house = await openSourceHouse();
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
    await using house = await openSourceHouse();
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

  test("that nobody asked a part of are refused as a part", async () => {
    await using house = await openSourceHouse();
    const part = { status: 206, headers: { "content-range": "bytes 0-0/1000" } };
    await using source = openWebSource(() => new Response("x", part));
    const response = await proxied(house, source.url("/"));
    expect([response.status, await response.json()]).toMatchObject([502, { error: "url.refused" }]);
  });

  test("a POST keeps the URL out of every log", async () => {
    await using house = await openSourceHouse();
    await using source = openWebSource(() => new Response("x"));
    const response = await house.request("/api/url/proxy", {
      method: "POST",
      headers: { authorization: `Bearer ${await house.signIn()}` },
      body: JSON.stringify({ url: source.url("/?X-Amz-Signature=kiesel-otter-77") }),
    });
    expect(await response.text()).toBe("x");
    expect(house.log()).not.toContain("kiesel-otter-77");
  });

  test("that are encoded say so", async () => {
    await using house = await openSourceHouse();
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
    await using house = await openSourceHouse();
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
    // The last chunk would say that this is all. How much came before the end depends on how fast the machine is.
    expect(received).not.toEndWith("0\r\n\r\n");
  });

  test("beyond the largest upload are refused before they come, and cut off when nobody said so", async () => {
    await using house = await openSourceHouse();
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
    await using house = await openSourceHouse();
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
    await using house = await openSourceHouse();
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
    await using house = await openSourceHouse();
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
      await using house = await openSourceHouse();
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
    await using house = await openSourceHouse();
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
