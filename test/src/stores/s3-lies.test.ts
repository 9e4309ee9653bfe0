import { describe, expect, test } from "bun:test";
import { storage } from "#contract/storage";
import { createS3Store } from "../../../src/stores/s3/store.ts";
import { createStreams } from "../../../src/stores/s3/streams.ts";
import type { ListRequest, ObjectStore } from "../../../src/stores/store.ts";
import { asAdmin, davCalls } from "../../support/clients/dav.ts";
import { makeMount } from "../../support/make-mount.ts";
import { ask } from "../../support/share-file.ts";
import { emptyBucket, openPretendS3, openSmallBucket } from "../../support/stores/pretend-s3.ts";
import { openTestHouse, type TestHouse } from "../../support/test-house.ts";

/** Storages elsewhere whose answers are well-formed and wrong: nothing may go on for ever, and nothing beyond what was asked for. */

/** Requests after which a pretended storage tells the truth, so that whatever would go on for ever ends. */
const ENOUGH = 60;

interface Listed {
  readonly key: string;
  readonly etag?: string;
  readonly size?: string;
}

const element = ({ key, etag = "&quot;e&quot;", size = "1" }: Listed) =>
  `<Contents><Key>${key}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>${etag}</ETag><Size>${size}</Size></Contents>`;

const documentOf = (root: string, content: string) =>
  new Response(`<?xml version="1.0" encoding="UTF-8"?><${root}>${content}</${root}>`, {
    headers: { "content-type": "application/xml" },
  });

const page = (objects: readonly Listed[], more = "", folders: readonly string[] = []) =>
  documentOf(
    "ListBucketResult",
    `<IsTruncated>${more !== ""}</IsTruncated>${more && `<NextContinuationToken>${more}</NextContinuationToken>`}${objects
      .map(element)
      .join("")}${folders.map((folder) => `<CommonPrefixes><Prefix>${folder}</Prefix></CommonPrefixes>`).join("")}`,
  );

const storeAt = (port: number): ObjectStore =>
  createS3Store({
    ...{ endpoint: `http://127.0.0.1:${port}`, region: "", bucket: "b", pathStyle: true, provider: "Other" },
    ...{ accessKey: "key", secret: "secret", clock: Date.now, fetch, random: () => 0, sleep: async () => undefined },
  });

/** A bucket that answers as it is told, and is empty after many requests. */
function openLiar(answer: (request: Request) => Response) {
  const storage = openPretendS3((request) => (storage.hosts.length > ENOUGH ? page([]) : answer(request)));
  return { ...storage, store: storeAt(storage.port) };
}

/** Mounts the bucket `b` of an S3 server at a name. */
async function mountBucket(house: TestHouse, name: string, port: number): Promise<void> {
  const { data } = await ask(house, storage.create, {
    body: {
      ...{ name, provider_type: "Other", endpoint_url: `http://127.0.0.1:${port}`, bucket_name: "b" },
      ...{ access_key_id: "key", secret_access_key: "lies are told to this", path_style: true },
    } as never,
  });
  await makeMount(house, { name, storage_config_id: data.id, mount_path: `/${name}` });
}

const code = (made: Promise<unknown>): Promise<string> =>
  made.then(
    (value) => JSON.stringify(value),
    (error: { code?: string }) => error.code ?? String(error),
  );

/** Every key of a folder, as walks read them. */
async function walk(store: ObjectStore, request: Omit<ListRequest, "limit">): Promise<number> {
  let [after, count] = [request.after, 0];
  do {
    const { objects, next } = await store.list({ ...request, after, limit: 2 });
    after = next;
    count += objects.length;
  } while (after !== undefined);
  return count;
}

describe("a list", () => {
  test.each([
    ["with the same token again and again", () => page([{ key: "dir/a" }], "same")],
    ["that begins anew on every page", () => page([{ key: "dir/a" }, { key: "dir/b" }], crypto.randomUUID())],
  ])("%s is no list", async (_, answer) => {
    await using liar = openLiar(answer);
    expect(await code(walk(liar.store, { prefix: "dir/" }))).toBe("storage.broken");
    expect(liar.hosts.length).toBeLessThan(5);
  });

  test.each([
    ["a key", page([{ key: "dir/a" }, { key: "other/b" }])],
    ["a key that would leave the folder where its prefix is cut off", page([{ key: "dirX../b" }])],
    ["a folder", page([], "", ["other/"])],
    ["a folder that is no folder", page([], "", ["dir/a"])],
  ])("of what was not asked for is no list: %s", async (_, answer) => {
    await using liar = openLiar(() => answer);
    expect(await code(liar.store.list({ prefix: "dir/", delimiter: "/", limit: 10 }))).toBe("storage.broken");
  });

  test("leaves out folders that no path leads to", async () => {
    await using liar = openLiar(() => page([], "", ["dir/../", "dir/a/"]));
    expect((await liar.store.list({ prefix: "dir/", delimiter: "/", limit: 10 })).folders).toEqual(["dir/a/"]);
  });

  test.each(["-5", "NaN", "Infinity", "1.5", "1e30"])("with a size of %s is no list", async (size) => {
    await using liar = openLiar(() => page([{ key: "a", size }]));
    expect(await code(liar.store.list({ prefix: "", limit: 10 }))).toBe("storage.broken");
  });

  test.each(["a&#13;&#10;Set-Cookie: x=1", "你好", "a&quot;b"])("with an ETag of %s is no list", async (etag) => {
    await using liar = openLiar(() => page([{ key: "a", etag }]));
    expect(await code(liar.store.list({ prefix: "", limit: 10 }))).toBe("storage.broken");
  });
});

test("a list of parts that goes on without parts is none", async () => {
  let marker = 0;
  await using liar = openLiar(() => {
    const next = `<NextPartNumberMarker>${++marker * 1000}</NextPartNumberMarker>`;
    return documentOf("ListPartsResult", `<IsTruncated>true</IsTruncated>${next}`);
  });
  expect(await code(liar.store.listParts({ key: "a", upload: "u" }))).toBe("storage.broken");
  expect(liar.hosts.length).toBeLessThan(20);
});

test("headers without end are no answer", async () => {
  await using liar = openLiar(() => new Response(null, { headers: { etag: '"e"', "x-long": "x".repeat(3_000_000) } }));
  expect(await code(liar.store.head("a"))).toBe("storage.broken");
});

test("a folder that is there again after each removal is not removed for ever", async () => {
  await using liar = openLiar((request) => {
    if (request.method === "POST") return documentOf("DeleteResult", "");
    if (request.method === "DELETE") return new Response(null, { status: 204 });
    if (!new URL(request.url).searchParams.has("list-type")) return new Response(null, { status: 404 });
    return page([{ key: "dir/a" }, { key: "dir/b" }]);
  });
  await using house = await openTestHouse({ now: Date.now() });
  await mountBucket(house, "liar", liar.port);
  const { status } = await davCalls(house).send("DELETE", "/liar/dir");
  expect(status).toBe(502);
  expect(liar.hosts.length).toBeLessThan(ENOUGH / 2);
});

test("a storage that takes uploads and says nothing does not stop those to another one", async () => {
  const silent = Promise.withResolvers<void>();
  let taken = 0;
  await using mute = openPretendS3((request) => {
    if (request.url.includes("list-type")) return emptyBucket();
    if (request.method !== "PUT") return new Response(null, { status: 404 });
    if (++taken === 3) silent.resolve();
    return new Promise(() => undefined);
  });
  await using sound = openSmallBucket("b");
  await using house = await openTestHouse({ now: Date.now() });
  await mountBucket(house, "mute", mute.port);
  await mountBucket(house, "sound", sound.port);
  const leaving = new AbortController();
  const put = (path: string, signal?: AbortSignal) => {
    const body = new Response("of a length that nobody has said").body;
    return house.request(`/dav${path}`, { method: "PUT", headers: asAdmin, body, ...(signal && { signal }) });
  };
  const waiting = ["a", "b", "c"].map((name) => put(`/mute/${name}`, leaving.signal));
  await silent.promise;
  expect((await put("/sound/a")).status).toBe(201);
  leaving.abort();
  await Promise.allSettled(waiting);
});

test("readers that do not read leave requests to everybody else", async () => {
  const size = 5_000_000;
  const bytes = new Uint8Array(size);
  const headers = { etag: '"e"', "last-modified": "Mon, 23 Nov 2026 12:00:00 GMT" };
  await using server = openPretendS3((request) =>
    request.url.includes("/big")
      ? new Response(bytes, { headers })
      : new Response(null, { status: request.method === "PUT" ? 200 : 404, headers }),
  );
  const store = storeAt(server.port);
  const found = await store.head("big");
  // More than the runtime sends at once.
  const readers = await Promise.all(
    Array.from({ length: 300 }, async () => {
      const { body } = (await store.get("big", undefined, found)) ?? {};
      return body instanceof ReadableStream ? body.getReader() : undefined;
    }),
  );
  const begun = readers.map((reader) => reader?.read());
  await Promise.all(begun.slice(0, 100));
  expect(await store.head("none")).toBeUndefined();
  await Promise.all(readers.map((reader) => reader?.cancel()));
});

test("places of streams go to those that wait, in order, and to nobody who has left", async () => {
  const streams = createStreams(1);
  const leaving = new AbortController();
  const staying = new AbortController().signal;
  const leave = await streams.enter(staying);
  const gone = streams.enter(leaving.signal);
  const next = streams.enter(staying);
  leaving.abort(new Error("left"));
  await expect(gone).rejects.toThrow("left");
  leave();
  leave();
  const leaveNext = await next;
  let isIn = false;
  const last = streams.enter(staying).then(() => {
    isIn = true;
  });
  await Promise.resolve();
  expect(isIn).toBe(false);
  leaveNext();
  await last;
});
