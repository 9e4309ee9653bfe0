import { expect, test } from "bun:test";
import { typeOfName } from "../../src/lib/mime.ts";
import type { ObjectHead, Recheck } from "../../src/stores/store.ts";
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

const everything = { prefix: "", limit: 1000 };

/** Names that some system somewhere stumbles over. */
const names = [
  "a b  c.txt",
  "100%.txt",
  "%41%2F.txt",
  "#1?x=y&z.txt",
  "a+b=c.txt",
  "中文 文件.txt",
  "👩‍👩‍👧 family.txt",
  "e\u0301 and é.txt",
  "'quoted' \"twice\".txt",
  ".hidden",
  "no ending",
  "tail.",
  "x".repeat(255),
  `${"文".repeat(83)}.zip12`,
];

/** Whole objects: written, read, replaced, copied and removed. */
export function objectTests(open: OpenStore, { listsTypes, freshTags }: StoreTraits): void {
  /** What a list says of an object. */
  const listed = (head: ObjectHead): ObjectHead => (listsTypes ? head : { ...head, type: typeOfName(head.key) });

  test("what was put is there, with its type, its size and an ETag", async () => {
    await using opened = await open();
    const { store } = opened;
    const head = await store.put("a/b.txt", whole("hello"), { type: "text/x-own", length: 5 });
    expect(head).toMatchObject({ key: "a/b.txt", size: 5, type: "text/x-own" });
    expect(head.etag).toMatch(/^[0-9a-f]{32}(-\d+)?$/);
    expect(head.modified).toBeGreaterThan(Date.parse("2020-01-01"));
    expect(await store.head("a/b.txt")).toEqual(head);
    expect((await store.get("a/b.txt"))?.head).toEqual(head);
    expect(await textAt(store, "a/b.txt")).toBe("hello");
  });

  test("what was never put is not there", async () => {
    await using opened = await open();
    const { store } = opened;
    await putText(store, "folder/file", "x");
    for (const key of ["nothing", "folder", "folder/other", "folder/file/below", "Folder/file", "nothing/"]) {
      expect(await store.head(key)).toBeUndefined();
      expect(await store.get(key)).toBeUndefined();
    }
  });

  test.each([
    [0, 0, "0"],
    [3, 5, "345"],
    [9, 9, "9"],
    [0, 9, "0123456789"],
  ])("a range of bytes %d to %d", async (start, end, expected) => {
    await using opened = await open();
    const { store } = opened;
    const head = await putText(store, "digits", "0123456789");
    const object = await store.get("digits", { start, end });
    expect(object?.head).toEqual(head);
    expect(Buffer.from((await bytesIn(object)) ?? []).toString()).toBe(expected);
  });

  test("an overwritten object has the new bytes, the new type and another ETag", async () => {
    await using opened = await open();
    const { store } = opened;
    const before = await putText(store, "same", "first");
    const after = await store.put("same", whole("other"), { type: "image/png", length: 5 });
    expect(after.etag).not.toBe(before.etag);
    expect(await store.head("same")).toEqual(after);
    expect((await store.head("same"))?.type).toBe("image/png");
    expect(await textAt(store, "same")).toBe("other");
    const equal = await store.put("same", whole("other"), { type: "image/png", length: 5 });
    expect(await store.head("same")).toEqual(equal);
  });

  test.each([
    ["declared", whole(""), 0],
    ["undeclared", streamed(new Uint8Array()), undefined],
  ])("nothing at all is an object too, its length %s", async (_, body, length) => {
    await using opened = await open();
    const { store } = opened;
    expect(await store.put("empty.txt", body, { type: "text/plain", length })).toMatchObject({ size: 0 });
    expect(await store.head("empty.txt")).toMatchObject({ size: 0, type: "text/plain" });
    expect(await textAt(store, "empty.txt")).toBe("");
  });

  test.each([
    ["declared", (bytes: Uint8Array<ArrayBuffer>) => whole(bytes), 12 * MiB + 77],
    ["undeclared", (bytes: Uint8Array<ArrayBuffer>) => streamed(bytes), undefined],
  ])("12 MB arrive as they were sent, their length %s", async (_, body, length) => {
    await using opened = await open();
    const { store } = opened;
    const bytes = bytesOf(12 * MiB + 77);
    expect(await store.put("big", body(bytes), { type: "a/b", length })).toMatchObject({ size: bytes.length });
    expect(same(await bytesIn(await store.get("big")), bytes)).toBe(true);
    const range = { start: 6 * MiB - 3, end: 9 * MiB + 1 };
    expect(same(await bytesIn(await store.get("big", range)), bytes.slice(range.start, range.end + 1))).toBe(true);
  });

  test.each([
    ["shorter", 6],
    ["longer", 4],
    ["longer than nothing", 0],
  ])("a body %s than declared leaves the old object, and no new one", async (_, length) => {
    await using opened = await open();
    const { store } = opened;
    const before = await putText(store, "kept", "before");
    for (const key of ["kept", "new"]) {
      for (const body of [whole("after"), streamed(Buffer.from("after"))]) {
        const put = store.put(key, body, { type: "text/plain", length });
        await expect(put).rejects.toMatchObject({ code: "upload.length" });
      }
    }
    expect((await store.list(everything)).objects).toEqual([listed(before)]);
    expect(await textAt(store, "kept")).toBe("before");
  });

  test("a body of unknown length may reach its limit and not pass it", async () => {
    await using opened = await open();
    const { store } = opened;
    const options = { type: "text/plain", limit: 10 };
    expect(await store.put("fits", streamed(Buffer.from("0123456789")), options)).toMatchObject({ size: 10 });
    const put = store.put("passes", streamed(Buffer.from("0123456789a")), options);
    await expect(put).rejects.toMatchObject({ code: "file.tooLarge" });
    expect(await store.head("passes")).toBeUndefined();
  });

  test("a connection that breaks leaves the old object, and no new one", async () => {
    await using opened = await open();
    const { store } = opened;
    const before = await putText(store, "kept", "before");
    for (const key of ["kept", "new"]) {
      const cut = stalled(Buffer.from("half"));
      const put = store.put(key, cut.body, { type: "text/plain", length: 8 });
      await Promise.race([cut.taken, put]);
      cut.break();
      await expect(put).rejects.toMatchObject({ code: "upload.length" });
    }
    expect((await store.list(everything)).objects).toEqual([listed(before)]);
  });

  test("an aborted put ends at once, though its body does not, and leaves nothing", async () => {
    await using opened = await open();
    const { store } = opened;
    const before = await putText(store, "kept", "before");
    const abort = new AbortController();
    const cut = stalled(Buffer.from("half"));
    const put = store.put("kept", cut.body, { type: "text/plain", signal: abort.signal });
    await Promise.race([cut.taken, put]);
    abort.abort(new Error("no more"));
    await expect(put).rejects.toThrow("no more");
    const late = store.put("new", whole("x"), { type: "text/plain", length: 1, signal: abort.signal });
    await expect(late).rejects.toThrow("no more");
    expect((await store.list(everything)).objects).toEqual([listed(before)]);
  });

  test.each([
    ["in memory", 5, true],
    ["in memory, of unknown length", 5, false],
    ["on its way", MiB, true],
    ["in parts", 11 * MiB, false],
  ])("a put that is not confirmed leaves what was there: %s", async (_, size, known) => {
    await using opened = await open();
    const { store } = opened;
    const before = await putText(store, "kept", "before");
    const put = (key: string, beforeCommit: Recheck) => {
      const body = known ? whole(bytesOf(size)) : streamed(bytesOf(size));
      return store.put(key, body, { type: "text/plain", ...(known && { length: size }), beforeCommit });
    };
    for (const key of ["kept", "new/deep/er"]) await expect(put(key, refusal)).rejects.toBe(REFUSED);
    expect((await store.list(everything)).objects).toEqual([listed(before)]);
    expect((await store.list({ ...everything, delimiter: "/" })).folders).toEqual([]);
    expect(await put("new", async () => undefined)).toMatchObject({ size });
  });

  test("a put is confirmed when its last byte has come, and not before", async () => {
    await using opened = await open();
    const { store } = opened;
    for (const length of [10, undefined]) {
      let confirmed = 0;
      const slow = stalled(Buffer.from("first"), Buffer.from(" last"));
      const beforeCommit = async () => {
        confirmed += 1;
      };
      const put = store.put("slow", slow.body, { type: "text/plain", length, beforeCommit });
      await slow.taken;
      expect(confirmed).toBe(0);
      slow.goOn();
      expect((await put).size).toBe(10);
      expect(confirmed).toBeGreaterThan(0);
    }
  });

  test("a copy that is not confirmed leaves what was there, and so does a folder", async () => {
    await using opened = await open();
    const { store } = opened;
    const [from, kept] = [await putText(store, "from", "new"), await putText(store, "kept", "before")];
    for (const to of ["kept", "new"])
      await expect(store.copy("from", to, { beforeCommit: refusal })).rejects.toBe(REFUSED);
    const folder = store.put("folder/", whole(""), {
      type: "application/x-directory",
      length: 0,
      beforeCommit: refusal,
    });
    await expect(folder).rejects.toBe(REFUSED);
    expect((await store.list(everything)).objects).toEqual([from, kept].map(listed));
    expect((await store.list({ ...everything, delimiter: "/" })).folders).toEqual([]);
  });

  test("of two puts at once one stays, whole", async () => {
    await using opened = await open();
    const { store } = opened;
    const [one, other] = [bytesOf(2 * MiB, 1), bytesOf(3 * MiB, 2)];
    await Promise.all(
      [one, other].map((bytes) => store.put("same", streamed(bytes), { type: "a/b", length: bytes.length })),
    );
    const object = await store.get("same");
    const bytes = await bytesIn(object);
    expect(same(bytes, one) || same(bytes, other)).toBe(true);
    expect(object?.head.size).toBe(bytes?.length ?? -1);
  });

  test("remove takes several, minds none that is not there, and none that is not confirmed", async () => {
    await using opened = await open();
    const { store } = opened;
    for (const key of ["a", "b/c", "b/d", "e"]) await putText(store, key, key);
    await store.remove(["a", "b/c", "nothing", "b/c/below", "nothing/below"]);
    await store.remove([]);
    await expect(store.remove(["b/d", "e"], { beforeCommit: refusal })).rejects.toBe(REFUSED);
    expect((await store.list(everything)).objects.map(({ key }) => key)).toEqual(["b/d", "e"]);
  });

  test("what was removed and put again is another object", async () => {
    await using opened = await open();
    const { store } = opened;
    const before = await store.put("a.txt", whole("x"), { type: "image/png", length: 1 });
    await store.remove(["a.txt"]);
    const after = await putText(store, "a.txt", "x");
    if (freshTags) expect(after.etag).not.toBe(before.etag);
    expect(await store.head("a.txt")).toMatchObject({ type: "text/plain", etag: after.etag });
  });

  test("a copy has the bytes and the type, and lives on its own", async () => {
    await using opened = await open();
    const { store } = opened;
    await store.put("from", whole("content"), { type: "image/png", length: 7 });
    const copy = await store.copy("from", "deep/er/to");
    expect(copy).toMatchObject({ key: "deep/er/to", size: 7, type: "image/png" });
    await store.remove(["from"]);
    expect(await textAt(store, "deep/er/to")).toBe("content");
    expect(await store.head("deep/er/to")).toEqual(copy);
    expect(await store.copy("from", "elsewhere")).toBeUndefined();
    expect(await store.head("elsewhere")).toBeUndefined();
  });

  test("a copy of one version is none where another one is", async () => {
    await using opened = await open();
    const { store } = opened;
    const found = await putText(store, "from", "before");
    await putText(store, "from", "after");
    const ifMatch = found.etag;
    expect(await store.copy("from", "to", { ifMatch })).toBeUndefined();
    expect(await store.copy("from", "from", { ifMatch, described: { type: "text/html" } })).toBeUndefined();
    expect(await store.head("to")).toBeUndefined();
    const now = await store.head("from");
    expect(await store.copy("from", "to", { ifMatch: now?.etag })).toMatchObject({ size: 5 });
  });

  test("a copy takes the place of what was there", async () => {
    await using opened = await open();
    const { store } = opened;
    await putText(store, "from", "new");
    const before = await putText(store, "to", "old");
    expect((await store.copy("from", "to"))?.etag).not.toBe(before.etag);
    expect(await textAt(store, "to")).toBe("new");
  });

  test("an empty folder is a key of its own", async () => {
    await using opened = await open();
    const { store } = opened;
    await store.put("folder/", whole(""), { type: "application/x-directory", length: 0 });
    expect(await store.head("folder/")).toMatchObject({ key: "folder/", size: 0 });
    expect(await store.head("folder")).toBeUndefined();
    expect((await store.list(everything)).objects.map(({ key }) => key)).toEqual(["folder/"]);
    await store.remove(["folder/"]);
    expect(await store.head("folder/")).toBeUndefined();
  });

  test.each(names.map((name) => [name.slice(0, 20), name]))("the name %p", async (_, name) => {
    await using opened = await open();
    const { store } = opened;
    for (const key of [name, `fo lder %2F/${name}`]) {
      const head = await putText(store, key, key);
      expect(head.key).toBe(key);
      expect(await textAt(store, key)).toBe(key);
      expect((await store.list({ prefix: key, limit: 10 })).objects).toEqual([listed(head)]);
      await store.remove([key]);
      expect(await store.head(key)).toBeUndefined();
    }
  });
}
