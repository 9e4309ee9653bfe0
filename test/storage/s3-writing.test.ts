import { describe, expect, test } from "bun:test";
import type { ObjectStore } from "../../src/stores/store.ts";
import { bytesIn, bytesOf, MiB, putText, same, stalled, streamed, textAt, whole } from "../suites/store-bodies.ts";
import { type ProxyFault, s3Answer, s3Error } from "../support/proxies/faulty-proxy.ts";
import { openConnection, putHead } from "../support/servers/listening.ts";
import { openFaultyStore, TIMEOUTS } from "../support/stores/faulty-store.ts";
import { openS3Store } from "../support/stores/s3-store.ts";

/** What a store leaves when a storage fails while something is written: the object that was there, and nothing else. */

const failure = (code: string) => ({ code });
const type = "a/b";
const SLOW = s3Error("503 Slow Down", "SlowDown");
const BROKEN = s3Error("500 Internal Server Error", "InternalError");

const known = (store: ObjectStore, size: number) => store.put("k", streamed(bytesOf(size)), { type, length: size });
const unknown = (store: ObjectStore, size: number) => store.put("k", streamed(bytesOf(size)), { type });

/** One way to write, what it sends, and a request in it. */
const ways: [string, (store: ObjectStore) => Promise<unknown>, RegExp][] = [
  ["a small object", (store) => known(store, 1000), /^PUT/],
  ["a large object", (store) => known(store, 6 * MiB), /^PUT/],
  ["an object of unknown length", (store) => unknown(store, 2 * MiB), /^PUT/],
  ["the second part of an object of unknown length", (store) => unknown(store, 12 * MiB), /^PUT .*partNumber=2/],
];

const faults: [string, ProxyFault, string][] = [
  ["is cut in the middle", { cutRequest: 500 }, "storage.unreachable"],
  ["gets no further", { stallRequest: 500 }, "storage.unreachable"],
  ["is answered by 503 SlowDown", { answer: SLOW }, "storage.busy"],
  ["is answered by 500", { answer: BROKEN }, "storage.broken"],
  ["is answered by 429 without a word", { answer: s3Answer("429 Too Many Requests") }, "storage.busy"],
  ["is answered without an ETag", { answer: s3Answer("200 OK") }, "storage.broken"],
  ["is refused", { answer: s3Error("403 Forbidden", "AccessDenied") }, "storage.refused"],
  ["does not fit", { answer: s3Error("507 Insufficient Storage", "XMinioStorageFull") }, "storage.full"],
  [
    "is sent elsewhere",
    { answer: s3Answer("307 Temporary Redirect", "", { Location: "http://127.0.0.1:9/" }) },
    "storage.region",
  ],
];

describe.each(ways)("%s", (_, write, on) => {
  test.each(faults)("that %s leaves the old object and nothing else", async (_, fault, code) => {
    await using faulty = await openFaultyStore();
    const { store, proxy, pauses } = faulty;
    const before = await putText(store, "k", "before");
    proxy.inject({ on, ...fault });
    await expect(write(store)).rejects.toMatchObject(failure(code));
    expect(await store.head("k")).toEqual(before);
    expect(await faulty.unfinished()).toEqual([]);
    expect(pauses.length).toBeLessThanOrEqual(3);
  });
});

/** Nobody can tell then whether it was written; but half of it never is. */
describe.each(ways)("%s", (_, write, on) => {
  test.each([
    ["gets no answer", { stallAnswer: -1 }],
    ["is answered by a broken connection", { cutAnswer: -1 }],
  ])("that %s leaves the old object or the whole new one", async (_, fault) => {
    await using faulty = await openFaultyStore();
    const { store, proxy } = faulty;
    const before = await putText(store, "k", "before");
    proxy.inject({ on, ...fault });
    await expect(write(store)).rejects.toMatchObject(failure("storage.unreachable"));
    const after = await bytesIn(await store.get("k"));
    const isOld = after?.length === before.size;
    expect(isOld || same(after, bytesOf(after?.length ?? 0))).toBe(true);
    expect(isOld || [1000, 2 * MiB, 6 * MiB].includes(after?.length ?? 0)).toBe(true);
    expect(await faulty.unfinished()).toEqual([]);
  });
});

describe("another try", () => {
  test.each([
    ["a small object", (store: ObjectStore) => known(store, 1000), 1000],
    ["an object of unknown length", (store: ObjectStore) => unknown(store, 12 * MiB), 12 * MiB],
  ])("brings %s in, because it is still in memory", async (_, write, size) => {
    await using faulty = await openFaultyStore();
    faulty.proxy.inject({ on: /^PUT/, times: 1, answer: SLOW });
    faulty.proxy.inject({ on: /^PUT/, times: 1, cutRequest: 500 });
    faulty.proxy.inject({ on: /^PUT/, times: 1, answer: BROKEN });
    await write(faulty.store);
    expect(faulty.pauses).toEqual([100, 200, 400]);
    expect(same(await bytesIn(await faulty.store.get("k")), bytesOf(size))).toBe(true);
    expect(await faulty.unfinished()).toEqual([]);
  });

  test("is not made of a body that has passed through", async () => {
    await using faulty = await openFaultyStore();
    faulty.proxy.inject({ on: /^PUT/, answer: SLOW });
    await expect(known(faulty.store, MiB)).rejects.toMatchObject(failure("storage.busy"));
    expect(faulty.proxy.requests.length).toBe(1);
  });

  test("is not made of the beginning of an upload in parts", async () => {
    await using faulty = await openFaultyStore();
    faulty.proxy.inject({ on: /^POST .*uploads/, cutAnswer: -1 });
    await expect(faulty.store.createMultipart("k", { type })).rejects.toMatchObject(failure("storage.unreachable"));
    expect(faulty.proxy.requests.length).toBe(1);
  });

  test("removes what is left of a batch", async () => {
    await using faulty = await openFaultyStore();
    const { store, proxy } = faulty;
    for (const key of ["a", "b", "c"]) await putText(store, key, key);
    const answer = "<DeleteResult><Error><Key>b</Key><Code>InternalError</Code></Error></DeleteResult>";
    proxy.inject({ on: /^POST .*delete/, times: 1, answer: s3Answer("200 OK", answer) });
    await store.remove(["a", "b"]);
    expect(await faulty.keys()).toEqual(["a", "c"]);
    expect(faulty.pauses).toEqual([100]);
  });

  test("of removing says in the end what cannot be removed", async () => {
    await using faulty = await openFaultyStore();
    const answer = "<DeleteResult><Error><Key>b</Key><Code>AccessDenied</Code></Error></DeleteResult>";
    faulty.proxy.inject({ on: /^POST .*delete/, answer: s3Answer("200 OK", answer) });
    await expect(faulty.store.remove(["a", "b"])).rejects.toMatchObject(failure("storage.refused"));
  });
});

describe("the end of an upload in parts", () => {
  const begun = async () => {
    const faulty = await openFaultyStore();
    const name = { key: "k", upload: await faulty.store.createMultipart("k", { type }) };
    const part = await faulty.store.putPart(name, 1, whole("content"), { length: 7 });
    return { ...faulty, name, parts: [part] };
  };

  test("whose answer is lost is known to have come", async () => {
    await using faulty = await begun();
    faulty.proxy.inject({ on: /^POST .*uploadId/, times: 1, cutAnswer: -1 });
    expect(await faulty.store.completeMultipart(faulty.name, faulty.parts)).toMatchObject({ size: 7 });
    expect(await textAt(faulty.store, "k")).toBe("content");
  });

  test.each([
    ["a late error", s3Error("200 OK", "InternalError"), "storage.broken"],
    ["503 SlowDown", SLOW, "storage.busy"],
    ["garbage", s3Answer("200 OK", "garbage"), "storage.broken"],
    ["parts that are too small", s3Error("400 Bad Request", "EntityTooSmall"), "upload.parts"],
  ])("that is answered by %s can be asked for again", async (_, answer, code) => {
    await using faulty = await begun();
    faulty.proxy.inject({ on: /^POST .*uploadId/, times: 4, answer });
    const refused = faulty.store.completeMultipart(faulty.name, faulty.parts);
    await expect(refused).rejects.toMatchObject(failure(code));
    expect(await faulty.store.head("k")).toBeUndefined();
    const again = faulty.another({ endpoint: faulty.server.endpoint });
    expect(await again.completeMultipart(faulty.name, faulty.parts)).toMatchObject({ size: 7 });
  });

  test("with a part below five megabytes that is not the last is refused, and the upload stays", async () => {
    await using faulty = await begun();
    const { store, name, parts } = faulty;
    const second = await store.putPart(name, 2, whole("x"), { length: 1 });
    await expect(store.completeMultipart(name, [...parts, second])).rejects.toMatchObject(failure("upload.parts"));
    expect(await store.listParts(name)).toEqual([...parts, second]);
  });

  test("of a body that fails after its last part does not come", async () => {
    await using faulty = await openFaultyStore();
    faulty.proxy.inject({ on: /^POST .*uploadId/, answer: s3Error("403 Forbidden", "AccessDenied") });
    await expect(unknown(faulty.store, 6 * MiB)).rejects.toMatchObject(failure("storage.refused"));
    expect(await faulty.unfinished()).toEqual([]);
    expect(await faulty.keys()).toEqual([]);
  });
});

describe("a body", () => {
  test.each([
    ["of known length", { length: 8 * MiB }],
    ["of unknown length", {}],
  ])("%s that is aborted half-way leaves nothing, and the storage hears of it", async (_, bounds) => {
    await using opened = await openS3Store();
    const abort = new AbortController();
    const cut = stalled(bytesOf(6 * MiB));
    const put = opened.store.put("k", cut.body, { type, ...bounds, signal: abort.signal });
    await Promise.race([cut.taken, put]);
    abort.abort(new Error("no more"));
    await expect(put).rejects.toThrow("no more");
    expect(await opened.keys()).toEqual([]);
    expect(await opened.unfinished()).toEqual([]);
  });

  test("of unknown length ends at its limit, and nothing is left of its parts", async () => {
    await using opened = await openS3Store();
    const put = opened.store.put("k", streamed(bytesOf(11 * MiB)), { type, limit: 11 * MiB - 1 });
    await expect(put).rejects.toMatchObject(failure("file.tooLarge"));
    expect(await opened.keys()).toEqual([]);
    expect(await opened.unfinished()).toEqual([]);
  });

  test.each([
    ["of known length", { length: 8 * MiB }],
    ["of unknown length", {}],
  ])("%s whose sender falls silent is given up", async (_, bounds) => {
    await using opened = await openS3Store({ timeouts: TIMEOUTS });
    const put = opened.store.put("k", stalled(bytesOf(6 * MiB)).body, { type, ...bounds });
    await expect(put).rejects.toMatchObject(failure("upload.length"));
    expect(await opened.keys()).toEqual([]);
    expect(await opened.unfinished()).toEqual([]);
  });

  test.each([
    ["whole", MiB, "answered"],
    ["cut half-way", MiB / 2, "upload.length"],
  ])("that comes over HTTP, %s, is stored as a whole or not at all", async (_, sent, outcome) => {
    await using opened = await openS3Store();
    await using putting = puttingServer(opened.store);
    using connection = await openConnection(putting.server.port ?? 0);
    await connection.send(putHead(putting.server.url.href, { "content-length": String(MiB) }));
    await connection.send(bytesOf(sent));
    await putting.begun;
    if (sent < MiB) await connection.cut();
    expect(await putting.outcome).toBe(outcome);
    expect(await opened.keys()).toEqual(sent < MiB ? [] : ["k"]);
    if (sent === MiB) expect(same(await bytesIn(await opened.store.get("k")), bytesOf(MiB))).toBe(true);
  });

  test("that comes over HTTP and that the storage does not take is given up", async () => {
    await using faulty = await openFaultyStore();
    faulty.proxy.inject({ on: /^PUT/, stallRequest: 1000 });
    await using putting = puttingServer(faulty.store);
    using connection = await openConnection(putting.server.port ?? 0);
    await connection.send(putHead(putting.server.url.href, { "content-length": String(MiB) }));
    await connection.send(bytesOf(MiB));
    expect(await putting.outcome).toBe("storage.unreachable");
    expect(await faulty.keys()).toEqual([]);
  });

  test("longer than one request may carry goes in parts, as does its copy", async () => {
    await using opened = await openS3Store({ largest: 5 * MiB });
    const { store } = opened;
    const bytes = bytesOf(13 * MiB);
    const head = await store.put("a b", streamed(bytes), { type, length: bytes.length });
    expect(head).toMatchObject({ size: bytes.length, type, etag: expect.stringMatching(/-3$/) });
    expect(await store.copy("a b", "文 件")).toMatchObject({ size: bytes.length, type, etag: head.etag });
    expect(same(await bytesIn(await store.get("文 件")), bytes)).toBe(true);
    for (const length of [bytes.length - 1, bytes.length + 1]) {
      const put = store.put("other", streamed(bytes), { type, length });
      await expect(put).rejects.toMatchObject(failure("upload.length"));
    }
    expect(await opened.keys()).toEqual(["a b", "文 件"]);
    expect(await opened.unfinished()).toEqual([]);
  });

  test("that was accepted but is not there is no success", async () => {
    await using faulty = await openFaultyStore();
    faulty.proxy.inject({ on: /^PUT/, answer: s3Answer("200 OK", "", { ETag: '"x"' }) });
    await expect(known(faulty.store, 9)).rejects.toMatchObject(failure("storage.broken"));
  });
});

describe("many objects", () => {
  test("are listed and removed in more than one request", async () => {
    await using opened = await openS3Store();
    const { store } = opened;
    const keys = Array.from({ length: 1003 }, (_, index) => `many/${String(index).padStart(4, "0")}`);
    for (let at = 0; at < keys.length; at += 50)
      await Promise.all(keys.slice(at, at + 50).map((key) => putText(store, key, "")));
    const { objects, next } = await store.list({ prefix: "many/", limit: 2000 });
    expect(objects.map(({ key }) => key)).toEqual(keys);
    expect(next).toBeUndefined();
    expect((await store.list({ prefix: "", limit: 1001 })).next).toBe("many/1000");
    await store.remove(keys);
    expect((await store.list({ prefix: "", limit: 2000 })).objects).toEqual([]);
  });
});

/** A server that puts the first body which it gets, and the word for what came of it. */
function puttingServer(store: ObjectStore) {
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      begun.resolve();
      await store.put("k", request, { type, length: MiB }).then(
        () => ended.resolve("answered"),
        ({ code }) => ended.resolve(code),
      );
      return new Response();
    },
  });
  return { server, begun: begun.promise, outcome: ended.promise, [Symbol.asyncDispose]: () => server.stop(true) };
}
