import { describe, expect, test } from "bun:test";
import type { S3StoreOptions } from "../../src/stores/s3/store.ts";
import type { ObjectStore } from "../../src/stores/store.ts";
import { putText, streamed, textAt, whole } from "../suites/store-bodies.ts";
import { s3Answer, s3Error } from "../support/proxies/faulty-proxy.ts";
import type { S3Server } from "../support/stores/ceph/gateway.ts";
import { openFaultyStore } from "../support/stores/faulty-store.ts";
import { openS3Store } from "../support/stores/s3-store.ts";

/** What an administrator may have written wrongly, and the ways in which a bucket is reached. */

const part = { key: "k", upload: "nothing" };
const verbs: [string, (store: ObjectStore) => Promise<unknown>][] = [
  ["get", (store) => store.get("k")],
  ["put", (store) => putText(store, "k", "x")],
  ["put of unknown length", (store) => store.put("k", streamed(Buffer.from("x")), { type: "a/b" })],
  ["remove of one", (store) => store.remove(["k"])],
  ["remove of two", (store) => store.remove(["k", "l"])],
  ["list", (store) => store.list({ prefix: "", limit: 1 })],
  ["createMultipart", (store) => store.createMultipart("k", { type: "a/b" })],
  ["putPart", (store) => store.putPart(part, 1, whole("x"), { length: 1 })],
  ["listParts", (store) => store.listParts(part)],
  ["abortMultipart", (store) => store.abortMultipart(part)],
];

/** What every verb fails with. */
async function failures(store: ObjectStore, left: readonly string[] = []): Promise<Set<string>> {
  const codes = new Set<string>();
  for (const [name, verb] of verbs) {
    if (left.includes(name)) continue;
    const error = await verb(store).then(
      () => ({ code: `${name}: no failure`, details: {} }),
      (reason) => reason,
    );
    codes.add(error.code ?? String(error));
    expect(JSON.stringify(error.details)).not.toMatch(/secret|testkey|http/);
  }
  return codes;
}

describe("every verb tells what is wrong", () => {
  test.each([
    ["the secret", { secret: "another" }, "storage.refused"],
    ["the access key", { accessKey: "nobody" }, "storage.refused"],
    ["the endpoint, where nobody listens", { endpoint: "http://127.0.0.1:9" }, "storage.unreachable"],
    ["the endpoint, which has no address", { endpoint: "http://nothing.invalid" }, "storage.unreachable"],
    ["the clock", { clock: () => Date.now() - 3_600_000 }, "storage.clock"],
  ])("with %s", async (_, options, code) => {
    await using opened = await openS3Store(options);
    // Ceph takes a query that was signed an hour ago for one that has expired.
    const codes = await failures(opened.store);
    if (code === "storage.clock") codes.delete("storage.refused");
    expect([...codes]).toEqual([code]);
  });

  test("with the endpoint, which speaks no TLS", async () => {
    await using opened = await openS3Store();
    const endpoint = opened.server.endpoint.replace("http:", "https:");
    expect([...(await failures(opened.another({ endpoint })))]).toEqual(["storage.unreachable"]);
  });

  test("with the bucket", async () => {
    await using opened = await openS3Store();
    const store = opened.another({ bucket: `${opened.bucket}-other` });
    expect([...(await failures(store))]).toEqual(["storage.bucketMissing"]);
  });

  test.each([
    ["malformed", s3Error("400 Bad Request", "AuthorizationHeaderMalformed")],
    ["moved", s3Error("301 Moved Permanently", "PermanentRedirect", { Location: "http://127.0.0.1:9/" })],
    ["moved without a word", s3Answer("301 Moved Permanently")],
  ])("with the region: %s", async (_, answer) => {
    await using faulty = await openFaultyStore();
    faulty.proxy.inject({ answer });
    // A HEAD of the first says nothing but 400.
    const codes = await failures(faulty.store, ["get"]);
    expect([...codes]).toEqual(["storage.region"]);
  });
});

const writings: [string, (server: S3Server) => Partial<S3StoreOptions>][] = [
  ["with a slash at the end of the endpoint", ({ endpoint }) => ({ endpoint: `${endpoint}/` })],
  [
    "with blanks around what was pasted",
    ({ accessKey, secret }) => ({ accessKey: ` ${accessKey}`, secret: `${secret}\n` }),
  ],
  ["with a region of its own", () => ({ region: "auto" })],
];

describe("a bucket is reached", () => {
  test.each(writings)("%s", async (_, options) => {
    await using opened = await openS3Store();
    const store = opened.another(options(opened.server));
    await putText(store, "a b", "x");
    expect(await textAt(store, "a b")).toBe("x");
    expect((await store.list({ prefix: "", limit: 9 })).objects.length).toBe(1);
  });

  test("by its name before the host's", async () => {
    await using opened = await openS3Store();
    const { host, port } = new URL(opened.server.endpoint);
    const asked = new Set<string>();
    // Names below localhost are not known everywhere, so the way there is taken by hand and only Host says the name.
    const direct = (url: string, init: BunFetchRequestInit) => {
      const wanted = new URL(url);
      asked.add(wanted.host);
      const headers = { ...(init.headers as Record<string, string>), host: wanted.host };
      return fetch(url.replace(wanted.host, host), { ...init, headers });
    };
    const endpoint = `http://localhost:${port}`;
    const store = opened.another({ endpoint, pathStyle: false, fetch: direct });
    await putText(store, "a/文 b", "x");
    expect(await textAt(store, "a/文 b")).toBe("x");
    expect((await store.list({ prefix: "a/", limit: 9 })).objects.map(({ key }) => key)).toEqual(["a/文 b"]);
    await store.copy("a/文 b", "c");
    await store.remove(["a/文 b", "c"]);
    expect(await opened.keys()).toEqual([]);
    expect([...asked]).toEqual([`${opened.bucket}.localhost:${port}`]);
  });
});

describe("a presigned address", () => {
  const opened = async () => {
    const s3 = await openS3Store();
    const fields = { expires: 60, base: "" } as const;
    return { ...s3, fields };
  };

  test("answers with the headers that it was given", async () => {
    await using s3 = await opened();
    await putText(s3.store, "a b", "hello");
    const answer = { disposition: `attachment; filename*=UTF-8''%E6%96%87%20+.txt`, type: "text/x-own; charset=utf-8" };
    const response = await fetch(s3.store.presign({ ...s3.fields, method: "GET", key: "a b", answer }));
    expect(await response.text()).toBe("hello");
    expect(response.headers.get("content-disposition")).toBe(answer.disposition);
    expect(response.headers.get("content-type")).toBe(answer.type);
  });

  test("takes one object with its type, and one part", async () => {
    await using s3 = await opened();
    const { store, fields } = s3;
    const url = store.presign({ ...fields, method: "PUT", key: "文" });
    const put = await fetch(url, { method: "PUT", body: "x", headers: { "content-type": "text/x-own" } });
    expect(put.status).toBe(200);
    expect(await store.head("文")).toMatchObject({ size: 1, type: "text/x-own" });
    const name = { key: "k", upload: await store.createMultipart("k", { type: "a/b" }) };
    const part = { upload: name.upload, number: 1 };
    const sent = await fetch(store.presign({ ...fields, method: "PUT", key: "k", part }), {
      method: "PUT",
      body: "part",
    });
    const parts = await store.listParts(name);
    expect(sent.headers.get("etag")).toBe(`"${parts[0]?.etag}"`);
    expect(await store.completeMultipart(name, parts)).toMatchObject({ size: 4 });
  });

  test("does nothing else, and nothing any more when its time is over", async () => {
    await using s3 = await opened();
    await putText(s3.store, "k", "x");
    const url = s3.store.presign({ ...s3.fields, method: "GET", key: "k" });
    expect((await fetch(url, { method: "DELETE" })).status).toBe(403);
    expect((await fetch(url.replace("/k?", "/l?"))).status).toBe(403);
    const past = s3.another({ clock: () => Date.now() - 61_000 });
    expect((await fetch(past.presign({ ...s3.fields, method: "GET", key: "k" }))).status).toBe(403);
    expect(await s3.keys()).toEqual(["k"]);
  });
});
