import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { fs as api } from "#contract/fs/fs";
import { fsJobs } from "#contract/fs/jobs";
import { keys } from "#contract/keys";
import { MAX_LIST_PAGE } from "#contract/limits";
import { codingOf } from "../../../../src/lib/packing.ts";
import { openTreeHouse, urlOf } from "../../../support/tree/tree-house.ts";

const unpack = { zstd: zstdDecompressSync, gzip: gunzipSync } as const;

/** A house with a folder of so many files, and what asks it. */
async function folderOf(count: number) {
  const tree = await openTreeHouse();
  mkdirSync(tree.onDisk("many"), { recursive: true });
  for (let at = 0; at < count; at++) writeFileSync(tree.onDisk(`many/IMG_${at}.jpg`), "");
  const ask = (accepted: string | undefined, path = urlOf(api.list, { path: "/m/many" }), method = "GET") =>
    tree.house.request(path, {
      method,
      headers: { ...tree.admin, ...(accepted !== undefined && { "accept-encoding": accepted }) },
    });
  return {
    ask,
    indexed: () => tree.house.house.vfs.search.settled(),
    [Symbol.asyncDispose]: () => tree[Symbol.asyncDispose](),
  };
}

describe.each([
  { files: 50, sent: "from memory" },
  { files: 2000, sent: "by way of a file" },
  { files: MAX_LIST_PAGE + 500, sent: "in slices" },
])("a list of $files files, sent $sent", ({ files }) => {
  test.each(["zstd", "gzip"] as const)("is compressed by %s, and the same", async (coding) => {
    await using folder = await folderOf(files);
    const plain = await folder.ask(undefined);
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(plain.headers.get("vary")).toBe("accept-encoding");
    const packed = await folder.ask(`br, ${coding}`);
    expect(packed.headers.get("content-encoding")).toBe(coding);
    expect(packed.headers.get("vary")).toBe("accept-encoding");
    const [whole, bytes] = [await plain.bytes(), await packed.bytes()];
    expect(Buffer.from(unpack[coding](bytes)).equals(whole)).toBe(true);
    expect(bytes.byteLength).toBeLessThan(whole.byteLength / 4);
  });
});

test("a short answer goes as it is", async () => {
  await using folder = await folderOf(1);
  const response = await folder.ask("zstd, gzip");
  expect(response.headers.get("content-encoding")).toBeNull();
  expect((await response.json()).data.items).toHaveLength(1);
});

test("HEAD has no body, and is not said to be compressed", async () => {
  await using folder = await folderOf(50);
  const response = await folder.ask("zstd, gzip", undefined, "HEAD");
  expect(response.headers.get("content-encoding")).toBeNull();
  expect(await response.text()).toBe("");
});

test("what may hold secrets, or repeats what was asked, is never compressed", async () => {
  for (const { packable } of [keys.list, api.search, api.get] as readonly { readonly packable?: true }[])
    expect(packable).toBeUndefined();
  await using folder = await folderOf(50);
  await (await folder.ask(undefined)).body?.cancel();
  await folder.indexed();
  const response = await folder.ask("zstd, gzip", urlOf(api.search, { q: "IMG" }));
  const text = await response.text();
  expect(text.length).toBeGreaterThan(1024);
  expect(response.headers.get("content-encoding")).toBeNull();
});

test("events are never compressed", async () => {
  await using folder = await folderOf(1);
  const response = await folder.ask("zstd, gzip", `/api${fsJobs.follow.path}`);
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  expect(response.headers.get("content-encoding")).toBeNull();
  await response.body?.cancel();
});

test.each([
  ["gzip, deflate, br, zstd", "zstd"],
  ["gzip, br", "gzip"],
  ["zstd;q=0, gzip;q=0.5", "gzip"],
  ["br", undefined],
  ["", undefined],
  [null, undefined],
])("Accept-Encoding %p is answered with %p", (accepted, coding) => {
  expect(codingOf(accepted)).toBe(coding as never);
});
