import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ServedFile, serveFile, untrustedHeaders } from "../../../src/fronts/bytes.ts";
import { disposition } from "../../../src/lib/mime.ts";

/** Over a real connection: only there Bun itself looks at ranges and lengths of a file's answer. */

const CONTENT = "0123456789";
const modified = Date.parse("2030-01-02T03:04:05.678Z");
const LAST_MODIFIED = "Wed, 02 Jan 2030 03:04:05 GMT";

const known: ServedFile = {
  size: CONTENT.length,
  etag: "abc",
  modified,
  type: "text/plain; charset=utf-8",
  disposition: disposition("attachment", "file.txt"),
  cache: "no-cache",
};

/** Serves one file as a front would; answers how to ask for it and how often its bytes were opened. */
async function served(content: string | Uint8Array<ArrayBuffer> = CONTENT, changed: Partial<ServedFile> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "satchel-test-"));
  // What the storage calls a file is nobody's business.
  const path = join(folder, "name-on-disk.html");
  await Bun.write(path, content);
  const file = { ...known, size: Buffer.byteLength(content), ...changed };
  let opened = 0;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const response = await serveFile(request, file, async (range) => {
        opened += 1;
        return range ? Bun.file(path).slice(range.start, range.end + 1) : Bun.file(path);
      });
      return response ?? new Response("nothing", { status: 599 });
    },
  });
  return {
    ask: (headers: Record<string, string> = {}, method = "GET") =>
      fetch(server.url, { method, headers: { "accept-encoding": "identity", ...headers } }),
    opened: () => opened,
    async [Symbol.asyncDispose]() {
      await server.stop(true);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Status, length, range and text of an answer. */
const shape = async (response: Response) => ({
  status: response.status,
  length: response.headers.get("content-length"),
  range: response.headers.get("content-range"),
  text: await response.text(),
});

/** Requests that are answered with 200, 206, 416 and 304. */
const eachWay: readonly Record<string, string>[] = [
  {},
  { range: "bytes=0-1" },
  { range: "bytes=99-" },
  { "if-none-match": "*" },
];

const whole = { status: 200, length: "10", range: null, text: CONTENT };

function expectHeaders({ headers }: Response, cache = "no-cache") {
  for (const [name, value] of Object.entries(untrustedHeaders)) expect(headers.get(name)).toBe(value);
  expect(headers.get("etag")).toBe('"abc"');
  expect(headers.get("last-modified")).toBe(LAST_MODIFIED);
  expect(headers.get("accept-ranges")).toBe("bytes");
  expect(headers.get("cache-control")).toBe(cache);
  expect(headers.get("content-disposition")).toBe('attachment; filename="file.txt"');
  expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
}

describe("the whole file", () => {
  test("with its length and all that makes it harmless", async () => {
    await using here = await served();
    const response = await here.ask();
    expectHeaders(response);
    expect(response.headers.get("transfer-encoding")).toBeNull();
    expect(await shape(response)).toEqual(whole);
  });

  test("HEAD has the same headers and opens nothing", async () => {
    await using here = await served();
    for (const range of ["", "bytes=2-3", "bytes=99-"]) {
      const response = await here.ask({ range }, "HEAD");
      expectHeaders(response);
      expect(await shape(response)).toEqual({ ...whole, text: "" });
    }
    expect(here.opened()).toBe(0);
  });

  test("HEAD of a file that is larger than any memory", async () => {
    await using here = await served(CONTENT, { size: 5_000_000_000_000 });
    expect((await here.ask({}, "HEAD")).headers.get("content-length")).toBe("5000000000000");
  });

  test("an empty one is 200 and empty", async () => {
    await using here = await served("");
    const empty = { status: 200, length: "0", range: null, text: "" };
    for (const method of ["GET", "HEAD"]) {
      const response = await here.ask({}, method);
      expectHeaders(response);
      expect(await shape(response)).toEqual(empty);
    }
    expect(await shape(await here.ask({ range: "bytes=-5" }))).toEqual(empty);
    expect(await shape(await here.ask({ range: "bytes=0-" }))).toEqual({ ...empty, status: 416, range: "bytes */0" });
  });

  test("of 20 MB arrives as it is, whole and in part", async () => {
    const bytes = new Uint8Array(20_000_000).map((_, index) => (index >> 9) * 37 + index);
    await using here = await served(bytes);
    expect(Bun.hash(await (await here.ask()).arrayBuffer())).toBe(Bun.hash(bytes));
    const part = await here.ask({ range: "bytes=9999999-19999998" });
    expect(part.headers.get("content-length")).toBe("10000000");
    expect(Bun.hash(await part.arrayBuffer())).toBe(Bun.hash(bytes.slice(9_999_999, 19_999_999)));
  });

  test("that is no longer there is left to the caller", async () => {
    const request = new Request("http://satchel.test/");
    expect(await serveFile(request, known, async () => undefined)).toBeUndefined();
  });

  test("of a protected share is stored nowhere", async () => {
    await using here = await served(CONTENT, { cache: "no-store" });
    for (const sent of eachWay) expectHeaders(await here.ask(sent), "no-store");
  });
});

describe("a range", () => {
  test.each([
    ["bytes=0-3", "0123", "bytes 0-3/10"],
    ["bytes=2-", "23456789", "bytes 2-9/10"],
    ["bytes=9-9", "9", "bytes 9-9/10"],
    ["bytes=-3", "789", "bytes 7-9/10"],
    ["bytes=-99", CONTENT, "bytes 0-9/10"],
    ["bytes=0-99", CONTENT, "bytes 0-9/10"],
    ["bytes=0-", CONTENT, "bytes 0-9/10"],
  ])("%s -> 206", async (range, text, contentRange) => {
    await using here = await served();
    const response = await here.ask({ range });
    expectHeaders(response);
    expect(await shape(response)).toEqual({ status: 206, length: String(text.length), range: contentRange, text });
  });

  test.each([
    ["bytes=0-1,5-6"],
    ["bytes=0-0,-1"],
    ["bytes=5-2"],
    ["bytes=a-b"],
    ["bytes=-"],
    ["bytes="],
    ["items=0-1"],
    ["nonsense"],
    [`bytes=${"0-0,".repeat(1000)}1-1`],
  ])("%.20s means nothing or too much -> 200 and the whole", async (range) => {
    await using here = await served();
    const response = await here.ask({ range });
    expectHeaders(response);
    expect(await shape(response)).toEqual(whole);
  });

  test.each([["bytes=10-"], ["bytes=10-20"], ["bytes=-0"], ["bytes=99999999999999999999-"]])(
    "%s lies outside -> 416",
    async (range) => {
      await using here = await served();
      const response = await here.ask({ range });
      expectHeaders(response);
      expect(await shape(response)).toEqual({ status: 416, length: "0", range: "bytes */10", text: "" });
      expect(here.opened()).toBe(0);
    },
  );

  test.each([
    ["the same ETag", '"abc"', 206],
    ["another ETag", '"abd"', 200],
    ["a weak ETag", 'W/"abc"', 200],
    ["the very date", LAST_MODIFIED, 206],
    ["a later date", "Wed, 02 Jan 2030 03:04:06 GMT", 200],
    ["an earlier date", "Wed, 02 Jan 2030 03:04:04 GMT", 200],
    ["nonsense", "yesterday", 200],
  ])("If-Range with %s: %s -> %d", async (_, ifRange, status) => {
    await using here = await served();
    const response = await here.ask({ range: "bytes=1-2", "if-range": ifRange });
    expectHeaders(response);
    const part = { status: 206, length: "2", range: "bytes 1-2/10", text: "12" };
    expect(await shape(response)).toEqual(status === 206 ? part : whole);
  });

  test("outside, under an If-Range that does not hold -> 200", async () => {
    await using here = await served();
    expect(await shape(await here.ask({ range: "bytes=99-", "if-range": '"abd"' }))).toEqual(whole);
  });
});

describe("conditions", () => {
  test.each([
    [304, { "if-none-match": '"abc"' }],
    [304, { "if-none-match": 'W/"abc"' }],
    [304, { "if-none-match": '"x", "abc"' }],
    [304, { "if-none-match": "*" }],
    [304, { "if-modified-since": LAST_MODIFIED }],
    [304, { "if-none-match": '"abc"', range: "bytes=0-1" }],
    [200, { "if-none-match": '"abd"' }],
    [200, { "if-none-match": '"abd"', "if-modified-since": LAST_MODIFIED }],
    [200, { "if-modified-since": "Wed, 02 Jan 2030 03:04:04 GMT" }],
    [200, { "if-match": '"abc"' }],
    [200, { "if-unmodified-since": LAST_MODIFIED }],
    [412, { "if-match": '"abd"' }],
    [412, { "if-unmodified-since": "Wed, 02 Jan 2030 03:04:04 GMT" }],
    [412, { "if-match": '"abd"', "if-none-match": '"abc"' }],
  ] as const)("-> %d under %j", async (status, sent) => {
    await using here = await served();
    for (const method of ["GET", "HEAD"]) {
      const response = await here.ask(sent, method);
      expectHeaders(response);
      expect(response.status).toBe(status);
      expect(await response.text()).toBe(status === 200 && method === "GET" ? CONTENT : "");
    }
    expect(here.opened()).toBe(status === 200 ? 1 : 0);
  });
});

describe("the name that a browser saves it under", () => {
  test.each([
    ["plain.txt", 'inline; filename="plain.txt"'],
    ["a b.txt", 'inline; filename="a b.txt"'],
    ["文件.txt", "inline; filename=\"__.txt\"; filename*=UTF-8''%E6%96%87%E4%BB%B6.txt"],
    [
      "👩‍👩‍👧.png",
      "inline; filename=\"________.png\"; filename*=UTF-8''%F0%9F%91%A9%E2%80%8D%F0%9F%91%A9%E2%80%8D%F0%9F%91%A7.png",
    ],
    ['"q" \\ 100%.txt', "inline; filename=\"_q_ _ 100_.txt\"; filename*=UTF-8''%22q%22%20%5C%20100%25.txt"],
    ["a'(b)*!.txt", 'inline; filename="a\'(b)*!.txt"'],
    ["é'(b)*!.txt", "inline; filename=\"_'(b)*!.txt\"; filename*=UTF-8''%C3%A9%27%28b%29%2A%21.txt"],
    [
      "line\r\nset-cookie: a=b",
      "inline; filename=\"line__set-cookie: a=b\"; filename*=UTF-8''line%0D%0Aset-cookie%3A%20a%3Db",
    ],
  ])("%p", async (name, expected) => {
    await using here = await served(CONTENT, { disposition: disposition("inline", name) });
    for (const sent of eachWay) {
      const { headers } = await here.ask(sent);
      expect(headers.get("content-disposition")).toBe(expected);
      expect(headers.get("set-cookie")).toBeNull();
    }
  });
});
