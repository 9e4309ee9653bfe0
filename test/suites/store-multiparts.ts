import { expect, test } from "bun:test";
import type { MultipartName, ObjectStore, StoredPart } from "../../src/stores/store.ts";
import type { OpenStore, StoreTraits } from "./store.ts";
import {
  bytesIn,
  bytesOf,
  MiB,
  putText,
  REFUSED,
  refusal,
  same,
  stalled,
  streamed,
  textAt,
  whole,
} from "./store-bodies.ts";

const KEY = "folder/big.bin";
const PART = 5 * MiB;

type Bytes = Uint8Array<ArrayBuffer>;

const begin = async (store: ObjectStore, partSize?: number): Promise<MultipartName> => {
  const options = { type: "image/png", ...(partSize !== undefined && { partSize }) };
  return { key: KEY, upload: await store.createMultipart(KEY, options) };
};

const put = (store: ObjectStore, upload: MultipartName, number: number, bytes: Bytes): Promise<StoredPart> =>
  store.putPart(upload, number, whole(bytes), { length: bytes.length });

const contentOf = async (store: ObjectStore): Promise<Uint8Array | undefined> => bytesIn(await store.get(KEY));

/** Uploads in parts; no part but the last is smaller than S3 allows. */
export function multipartTests(open: OpenStore, { leavesPartsOut }: StoreTraits): void {
  test("parts in any order become one object, which is not there before", async () => {
    await using opened = await open();
    const { store } = opened;
    const bytes = bytesOf(2 * PART + 12345);
    const upload = await begin(store, PART);
    const parts: StoredPart[] = [];
    for (const number of [3, 1, 2]) {
      const part = bytes.slice((number - 1) * PART, number * PART);
      parts.push(await put(store, upload, number, part));
      expect(await store.head(KEY)).toBeUndefined();
    }
    expect((await store.list({ prefix: "", limit: 1000 })).objects).toEqual([]);
    expect(parts.map(({ number, size }) => [number, size])).toEqual([
      [3, 12345],
      [1, PART],
      [2, PART],
    ]);
    const ordered = parts.toSorted((a, b) => a.number - b.number);
    expect(await store.listParts(upload)).toEqual(ordered);
    expect(await store.completed(upload, ordered)).toBeUndefined();
    const head = await store.completeMultipart(upload, ordered);
    expect(await store.completed(upload, ordered)).toEqual(head);
    expect(await store.completed(upload, ordered.slice(1))).toBeUndefined();
    expect(head).toMatchObject({ key: KEY, size: bytes.length, type: "image/png" });
    expect(head.etag).toMatch(/^[0-9a-f]{32}-3$/);
    expect(await store.head(KEY)).toEqual(head);
    expect(same(await contentOf(store), bytes)).toBe(true);
    await expect(store.listParts(upload)).rejects.toMatchObject({ code: "upload.missing" });
  });

  test("parts that are not confirmed stay parts, and become the object once they are", async () => {
    await using opened = await open();
    const { store } = opened;
    const upload = await begin(store, PART);
    const parts = [await put(store, upload, 1, bytesOf(PART)), await put(store, upload, 2, bytesOf(7))];
    await expect(store.completeMultipart(upload, parts, { beforeCommit: refusal })).rejects.toBe(REFUSED);
    expect(await store.head(KEY)).toBeUndefined();
    expect(await store.listParts(upload)).toEqual(parts);
    expect(await store.completeMultipart(upload, parts)).toMatchObject({ size: PART + 7 });
  });

  test("parts that come at once, among them the short last one first, without a size told before", async () => {
    await using opened = await open();
    const { store } = opened;
    const bytes = bytesOf(3 * PART + 1);
    const upload = await begin(store);
    const slice = (number: number) => bytes.slice((number - 1) * PART, number * PART);
    const parts = await Promise.all([4, 3, 2, 1].map((number) => put(store, upload, number, slice(number))));
    const head = await store.completeMultipart(upload, parts.reverse());
    expect(head.size).toBe(bytes.length);
    expect(same(await contentOf(store), bytes)).toBe(true);
  });

  test.each([
    ["as large as told", PART, [PART, PART, 1000]],
    ["larger than told", PART, [PART + 1, PART + MiB, PART]],
    ["of all sizes", undefined, [PART + 5, PART, 2 * PART, PART + 1, 7]],
    ["smaller than told", 2 * PART, [PART, PART + 3, 11]],
    ["one only", undefined, [100]],
    ["one and empty", undefined, [0]],
  ] as const)("parts %s", async (_, partSize, sizes) => {
    await using opened = await open();
    const { store } = opened;
    const upload = await begin(store, partSize);
    const pieces = sizes.map((size, index) => bytesOf(size, index + 1));
    const parts: StoredPart[] = [];
    for (const [index, piece] of pieces.entries()) parts.push(await put(store, upload, index + 1, piece));
    const head = await store.completeMultipart(upload, parts);
    const bytes = new Uint8Array(Buffer.concat(pieces));
    expect(head.size).toBe(bytes.length);
    expect(same(await contentOf(store), bytes)).toBe(true);
  });

  test(`numbers may have gaps${leavesPartsOut ? ", and a part that is not claimed is left out" : ""}`, async () => {
    await using opened = await open();
    const { store } = opened;
    const upload = await begin(store, PART);
    const [one, two, three] = [bytesOf(PART, 1), bytesOf(PART, 2), bytesOf(100, 3)];
    const first = await put(store, upload, 2, one);
    if (leavesPartsOut) await put(store, upload, 5, two);
    const last = await put(store, upload, 10_000, three);
    await store.completeMultipart(upload, [first, last]);
    expect(same(await contentOf(store), Buffer.concat([one, three]))).toBe(true);
  });

  test("a part that comes again takes the place of the first, and the first's ETag counts no more", async () => {
    await using opened = await open();
    const { store } = opened;
    const upload = await begin(store, PART);
    const first = await put(store, upload, 1, bytesOf(PART, 1));
    const last = await put(store, upload, 2, bytesOf(77, 2));
    const again = await put(store, upload, 1, bytesOf(PART, 3));
    expect(again.etag).not.toBe(first.etag);
    expect(await store.listParts(upload)).toEqual([again, last]);
    await expect(store.completeMultipart(upload, [first, last])).rejects.toMatchObject({ code: "upload.parts" });
    const third = await put(store, upload, 1, bytesOf(PART + 9, 4));
    await store.completeMultipart(upload, [third, last]);
    expect(same(await contentOf(store), Buffer.concat([bytesOf(PART + 9, 4), bytesOf(77, 2)]))).toBe(true);
  });

  test("the same part twice at once: either, whole", async () => {
    await using opened = await open();
    const { store } = opened;
    const upload = await begin(store, PART);
    const candidates = [bytesOf(PART, 1), bytesOf(PART, 2), bytesOf(PART, 3)];
    const answers = await Promise.all(candidates.map((bytes) => put(store, upload, 1, bytes)));
    const [kept] = await store.listParts(upload);
    const winner = answers.findIndex(({ etag }) => etag === kept?.etag);
    await store.completeMultipart(upload, [kept ?? { number: 1, etag: "" }]);
    expect(same(await contentOf(store), candidates[winner] ?? new Uint8Array())).toBe(true);
  });

  test.each([
    ["an ETag of nobody's", ([one]: StoredPart[]) => [{ number: 1, etag: "0".repeat(32) }, one]],
    [
      "another part's ETag",
      ([one, two]: StoredPart[]) => [
        { number: 1, etag: two?.etag },
        { number: 2, etag: one?.etag },
      ],
    ],
    ["a part that never came", ([one, two]: StoredPart[]) => [one, two, { number: 3, etag: one?.etag }]],
    ["the wrong order", ([one, two]: StoredPart[]) => [two, one]],
    ["a part twice", ([one]: StoredPart[]) => [one, one]],
    ["no part", () => []],
  ])("%s is refused, and the upload goes on", async (_, claim) => {
    await using opened = await open();
    const { store } = opened;
    const upload = await begin(store, PART);
    const parts = [await put(store, upload, 1, bytesOf(PART, 1)), await put(store, upload, 2, bytesOf(9, 2))];
    const claimed = claim(parts) as StoredPart[];
    await expect(store.completeMultipart(upload, claimed)).rejects.toMatchObject({ code: "upload.parts" });
    expect(await store.head(KEY)).toBeUndefined();
    expect(await store.listParts(upload)).toEqual(parts);
    expect(await store.completeMultipart(upload, parts)).toMatchObject({ size: PART + 9 });
  });

  test("completed twice at once it is completed once", async () => {
    await using opened = await open();
    const { store } = opened;
    const upload = await begin(store, PART);
    const parts = [await put(store, upload, 1, bytesOf(PART, 1)), await put(store, upload, 2, bytesOf(9, 2))];
    const results = await Promise.allSettled([1, 2, 3].map(() => store.completeMultipart(upload, parts)));
    const heads = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    const refusals = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
    const head = await store.head(KEY);
    expect(heads.length).toBeGreaterThan(0);
    expect(heads.every(({ etag }) => etag === head?.etag)).toBe(true);
    expect(refusals.every(({ code }) => code === "upload.missing")).toBe(true);
    expect(same(await contentOf(store), Buffer.concat([bytesOf(PART, 1), bytesOf(9, 2)]))).toBe(true);
  });

  test("an aborted upload leaves nothing, and takes nothing more", async () => {
    await using opened = await open();
    const { store } = opened;
    const before = await putText(store, KEY, "before");
    const upload = await begin(store, PART);
    const part = await put(store, upload, 1, bytesOf(PART));
    await store.abortMultipart(upload);
    await store.abortMultipart(upload);
    const missing = { code: "upload.missing" };
    await expect(put(store, upload, 2, bytesOf(9))).rejects.toMatchObject(missing);
    await expect(store.putPart(upload, 2, streamed(bytesOf(9)), { length: 9 })).rejects.toMatchObject(missing);
    await expect(store.listParts(upload)).rejects.toMatchObject(missing);
    await expect(store.completeMultipart(upload, [part])).rejects.toMatchObject(missing);
    expect(await store.head(KEY)).toEqual(before);
  });

  test("nobody knows an upload that was never begun, nor one of another key", async () => {
    await using opened = await open();
    const { store } = opened;
    const begun = await begin(store);
    const missing = { code: "upload.missing" };
    for (const name of [
      { key: KEY, upload: "nothing" },
      { ...begun, key: "other" },
    ]) {
      await expect(put(store, name, 1, bytesOf(9))).rejects.toMatchObject(missing);
      await expect(store.listParts(name)).rejects.toMatchObject(missing);
      await expect(store.completeMultipart(name, [])).rejects.toMatchObject(missing);
      await store.abortMultipart(name);
    }
    expect(await store.listParts(begun)).toEqual([]);
  });

  test.each([
    ["shorter", PART + 1],
    ["longer", PART - 1],
  ])("a part %s than declared does not count, and the earlier one stays", async (_, length) => {
    await using opened = await open();
    const { store } = opened;
    const upload = await begin(store, PART);
    const early = store.putPart(upload, 1, whole(bytesOf(PART, 1)), { length });
    await expect(early).rejects.toMatchObject({ code: "upload.length" });
    expect(await store.listParts(upload)).toEqual([]);
    const first = await put(store, upload, 1, bytesOf(PART, 2));
    const again = store.putPart(upload, 1, streamed(bytesOf(PART, 3)), { length });
    await expect(again).rejects.toMatchObject({ code: "upload.length" });
    expect(await store.listParts(upload)).toEqual([first]);
    await store.completeMultipart(upload, [first]);
    expect(same(await contentOf(store), bytesOf(PART, 2))).toBe(true);
  });

  test("an aborted part ends at once, though its body does not, and another try counts", async () => {
    await using opened = await open();
    const { store } = opened;
    const upload = await begin(store, PART);
    const abort = new AbortController();
    const cut = stalled(bytesOf(1000, 9));
    const first = store.putPart(upload, 1, cut.body, { length: PART, signal: abort.signal });
    await Promise.race([cut.taken, first]);
    const second = await put(store, upload, 1, bytesOf(PART, 2));
    abort.abort(new Error("no more"));
    await expect(first).rejects.toThrow("no more");
    await store.completeMultipart(upload, [second]);
    expect(same(await contentOf(store), bytesOf(PART, 2))).toBe(true);
  });

  test("a part that is still on its way when the upload is completed changes nothing any more", async () => {
    await using opened = await open();
    const { store } = opened;
    const upload = await begin(store, PART);
    const first = await put(store, upload, 1, bytesOf(PART, 1));
    const late = stalled(bytesOf(1000, 9), bytesOf(1000, 10));
    const second = store.putPart(upload, 2, late.body, { length: 2000 });
    await Promise.race([late.taken, second]);
    const head = await store.completeMultipart(upload, [first]);
    late.goOn();
    await expect(second).rejects.toMatchObject({ code: "upload.missing" });
    expect(await store.head(KEY)).toEqual(head);
    expect(same(await contentOf(store), bytesOf(PART, 1))).toBe(true);
  });

  test("a completed upload takes the place of what was there", async () => {
    await using opened = await open();
    const { store } = opened;
    const before = await putText(store, KEY, "before");
    const upload = await begin(store);
    const part = await put(store, upload, 1, bytesOf(9));
    expect(await textAt(store, KEY)).toBe("before");
    const head = await store.completeMultipart(upload, [part]);
    expect(head.etag).not.toBe(before.etag);
    expect(same(await contentOf(store), bytesOf(9))).toBe(true);
  });
}
