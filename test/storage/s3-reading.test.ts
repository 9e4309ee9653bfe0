import { describe, expect, test } from "bun:test";
import { responseOf } from "../../src/lib/open-file.ts";
import { bytesIn, bytesOf, MiB, putText, same, textAt, whole } from "../suites/store-bodies.ts";
import { s3Answer, s3Error } from "../support/proxies/faulty-proxy.ts";
import { openFaultyStore } from "../support/stores/faulty-store.ts";
import { until } from "../support/until.ts";

/** What a store makes of a storage whose answers break, lie or never come. */

const failure = (code: string) => ({ code });
const LARGE = 6 * MiB;

const opened = async (size: number) => {
  const faulty = await openFaultyStore();
  const bytes = bytesOf(size);
  await faulty.another({ endpoint: faulty.server.endpoint }).put("a b", whole(bytes), { type: "a/b", length: size });
  return { ...faulty, bytes };
};

describe("small objects", () => {
  test("come in one piece, which knows its length", async () => {
    await using faulty = await opened(MiB);
    const object = await faulty.store.get("a b");
    expect(object?.body).toBeInstanceOf(Blob);
    expect(same(await bytesIn(object), faulty.bytes)).toBe(true);
    expect(faulty.proxy.requests.map((line) => line.split(" ")[0])).toEqual(["HEAD", "GET"]);
  });

  test("are asked for again when their answer breaks, after a pause", async () => {
    await using faulty = await opened(MiB);
    faulty.proxy.inject({ on: /^GET/, times: 2, cutAnswer: 1000 });
    expect(same(await bytesIn(await faulty.store.get("a b")), faulty.bytes)).toBe(true);
    expect(faulty.pauses).toEqual([100, 200]);
  });

  test("are given up after three more tries", async () => {
    await using faulty = await opened(MiB);
    faulty.proxy.inject({ on: /^GET/, cutAnswer: 1000 });
    await expect(faulty.store.get("a b")).rejects.toMatchObject(failure("storage.unreachable"));
    expect(faulty.proxy.requests.length).toBe(5);
    expect(faulty.pauses).toEqual([100, 200, 400]);
  });

  test.each([
    ["in the middle", { stallAnswer: 1000 }],
    ["before it began", { stallAnswer: -1 }],
  ])("are not waited for for ever when their answer stops %s", async (_, fault) => {
    await using faulty = await opened(MiB);
    faulty.proxy.inject({ on: /^GET/, ...fault });
    await expect(faulty.store.get("a b")).rejects.toMatchObject(failure("storage.unreachable"));
    expect(faulty.proxy.requests.length).toBe(2);
  });

  test("at most sixteen at once wait in memory", async () => {
    const faulty = await opened(3 * MiB);
    const { proxy } = faulty;
    // Else one that is given up makes way for another.
    const store = faulty.another({ timeouts: { answer: 300_000, idle: 300_000 } });
    const count = (method: string) => proxy.requests.filter((line) => line.startsWith(method)).length;
    proxy.inject({ on: /^GET/, stallAnswer: MiB });
    const gets = Promise.allSettled(Array.from({ length: 40 }, () => store.get("a b")));
    await until(
      () => [count("HEAD"), count("GET")],
      ([heads = 0, bodies = 0]) => heads === 40 && bodies >= 16,
    );
    await store.head("a b");
    expect(count("GET")).toBe(16);
    await faulty[Symbol.asyncDispose]();
    await gets;
  });
});

describe("large objects", () => {
  test("are not fetched before somebody reads", async () => {
    await using faulty = await opened(LARGE);
    const object = await faulty.store.get("a b");
    expect(object?.body).toBeInstanceOf(ReadableStream);
    expect(faulty.proxy.requests.map((line) => line.split(" ")[0])).toEqual(["HEAD"]);
    expect(same(await bytesIn(object), faulty.bytes)).toBe(true);
    const range = { start: MiB, end: MiB + 5 * MiB - 2 };
    expect(same(await bytesIn(await faulty.store.get("a b", range)), faulty.bytes.slice(MiB, range.end + 1))).toBe(
      true,
    );
  });

  test.each([
    ["breaks", { cutAnswer: 3 * MiB }],
    ["breaks before its last byte", { cutAnswer: LARGE - 1 }],
    ["stops", { stallAnswer: 3 * MiB }],
    ["never begins", { stallAnswer: -1 }],
    ["is refused", { answer: s3Error("403 Forbidden", "AccessDenied") }],
  ])("end as an error when their answer %s, for whoever is sent them too", async (_, fault) => {
    await using faulty = await opened(LARGE);
    faulty.proxy.inject({ on: /^GET/, ...fault });
    await expect(bytesIn(await faulty.store.get("a b"))).rejects.toMatchObject({ name: "Failure" });
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: async () => responseOf((await faulty.store.get("a b"))?.body),
      error: () => new Response("broken", { status: 502 }),
    });
    const received = await fetch(server.url)
      .then((answer) => (answer.ok ? answer.bytes() : undefined))
      .catch(() => undefined);
    expect(received).toBeUndefined();
    await server.stop(true);
  });

  test("whoever reads no further ends the request", async () => {
    await using faulty = await opened(LARGE);
    faulty.proxy.inject({ on: /^GET/, stallAnswer: 2 * MiB });
    const body = (await faulty.store.get("a b"))?.body as ReadableStream<Uint8Array>;
    const reader = body.getReader();
    expect((await reader.read()).done).toBe(false);
    await reader.cancel();
    expect((await reader.read()).done).toBe(true);
  });
});

const OK = (length: number, body: string, headers: Readonly<Record<string, string>> = {}) =>
  s3Answer("200 OK", body, { "Content-Length": String(length), ETag: '"x"', ...headers });

describe("a storage that lies", () => {
  test.each([
    ["another object's bytes", { head: (head: string) => head.replace(/ETag: "/i, 'ETag: "other') }],
    ["fewer bytes than it says", { answer: OK(MiB, "short") }],
    ["another size", { head: (head: string) => head.replace(/Content-Length: \d+/i, "Content-Length: 5") }],
    ["no ETag", { head: (head: string) => head.replace(/\r\nETag: [^\r]+/i, "") }],
    ["no length", { head: (head: string) => head.replace(/\r\nContent-Length: [^\r]+/i, "") }],
  ])("with %s is believed in nothing", async (_, fault) => {
    await using faulty = await opened(MiB);
    faulty.proxy.inject({ on: /^GET/, ...fault });
    const code = expect.stringMatching(/^storage\.(broken|unreachable)$/);
    await expect(faulty.store.get("a b")).rejects.toMatchObject({ code });
  });

  test("about a range is found out", async () => {
    await using faulty = await opened(MiB);
    faulty.proxy.inject({ on: /^GET/, head: (head) => head.replace(/^HTTP\/1.1 206[^\r]*/, "HTTP/1.1 200 OK") });
    const got = faulty.store.get("a b", { start: 5, end: 9 });
    await expect(got).rejects.toMatchObject(failure("storage.broken"));
  });

  test.each([
    ["no XML", s3Answer("200 OK", "<html><body>Please sign in</body></html>")],
    ["broken XML", s3Answer("200 OK", '<?xml version="1.0"?><ListBucketResult><Contents><Key>a</Ke')],
    ["a document of something else", s3Answer("200 OK", "<DeleteResult></DeleteResult>")],
    ["nothing", s3Answer("200 OK")],
    [
      "an object without its size",
      s3Answer(
        "200 OK",
        "<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>a</Key></Contents></ListBucketResult>",
      ),
    ],
    [
      "a list that goes on nowhere",
      s3Answer("200 OK", "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>"),
    ],
    [
      "a list that goes on for ever",
      s3Answer(
        "200 OK",
        "<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>x</NextContinuationToken></ListBucketResult>",
      ),
    ],
    ["more than anybody asked for", s3Answer("200 OK", `<ListBucketResult>${"x".repeat(9 * MiB)}</ListBucketResult>`)],
  ])("and lists with %s is believed in nothing", async (_, answer) => {
    await using faulty = await openFaultyStore();
    await putText(faulty.store, "a", "x");
    faulty.proxy.inject({ on: /^GET .*list-type=2/, answer });
    const list = faulty.store.list({ prefix: "", limit: 10 });
    await expect(list).rejects.toMatchObject(failure("storage.broken"));
  });

  test("a key that no URL can carry is not listed", async () => {
    await using faulty = await openFaultyStore();
    const entry = (key: string) =>
      `<Contents><Key>${key}</Key><Size>1</Size><ETag>"x"</ETag><LastModified>2030-01-01T00:00:00.000Z</LastModified></Contents>`;
    const keys = ["..", "a/../b", "a%2Fb%20+c", "%ff", "./x"].map(entry).join("");
    const answer = `<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>false</IsTruncated>${keys}</ListBucketResult>`;
    faulty.proxy.inject({ answer: s3Answer("200 OK", answer) });
    const { objects } = await faulty.store.list({ prefix: "", limit: 10 });
    expect(objects.map(({ key }) => key)).toEqual(["a/b  c"]);
  });
});

describe("objects that others wrote", () => {
  test("come as they are stored, also those that are compressed", async () => {
    await using faulty = await openFaultyStore();
    const packed = Bun.gzipSync(Buffer.from("hello ".repeat(1000)));
    const url = faulty.store.presign({ method: "PUT", key: "packed", expires: 60, base: "" });
    await fetch(url, { method: "PUT", body: packed, headers: { "content-encoding": "gzip" } });
    const object = await faulty.store.get("packed");
    expect(object?.head.size).toBe(packed.length);
    expect(same(await bytesIn(object), packed)).toBe(true);
  });

  test("that change between two questions are never mixed up", async () => {
    await using faulty = await openFaultyStore();
    const { store, proxy } = faulty;
    await putText(store, "a", "first");
    proxy.inject({ on: /^GET/, times: 1, head: (head) => head.replace(/ETag: "/i, 'ETag: "other') });
    expect(await textAt(store, "a")).toBe("first");
    expect(proxy.requests.filter((line) => line.startsWith("GET")).length).toBe(2);
  });
});
