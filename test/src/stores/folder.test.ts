import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { STAGING } from "#contract/paths";
import { responseOf } from "../../../src/lib/open-file.ts";
import type { ObjectStore } from "../../../src/stores/store.ts";
import { storeSuite } from "../../suites/store.ts";
import { putText, streamed, textAt } from "../../suites/store-bodies.ts";
import { openFolderStore } from "../../support/stores/folder-store.ts";

storeSuite("a folder of the machine", openFolderStore, {
  listsTypes: true,
  freshTags: true,
  leavesPartsOut: true,
  hasTree: true,
});

const failure = (code: string) => ({ code });
const everything = { prefix: "", limit: 1000 };
const keysOf = async (store: ObjectStore) => (await store.list(everything)).objects.map(({ key }) => key);
const bodyOf = async (store: ObjectStore, key: string) => await responseOf((await store.get(key))?.body).text();

async function readerOf(store: ObjectStore, key: string) {
  const body = (await store.get(key))?.body;
  if (!(body instanceof ReadableStream)) throw new Error("A file of the machine is a stream.");
  return body.getReader();
}

/** Every verb that changes something. */
const changes = (store: ObjectStore, there: string): (() => Promise<unknown>)[] => [
  () => putText(store, "new", "x"),
  () => putText(store, "folder/", ""),
  () => store.put(there, streamed(Buffer.from("x")), { type: "a/b" }),
  () => store.remove([there]),
  () => store.copy(there, "copy"),
  () => store.copy(there, there, { described: { type: "a/b" } }),
  () => store.createMultipart("parts", { type: "a/b" }),
  async () => await store.tree?.move(there, "moved"),
  async () => await store.tree?.remove("folder/"),
  async () => await store.tree?.removeEmpty("folder/"),
  async () => store.presign({ method: "PUT", key: "new", expires: 60, base: "http://a.test" }),
];

describe("what others do to a folder", () => {
  test("is seen at once: files, folders, removals and renames", async () => {
    await using folder = await openFolderStore();
    const { store, root } = folder;
    mkdirSync(join(root, "a/b"), { recursive: true });
    writeFileSync(join(root, "a/b/one.txt"), "one");
    expect(await keysOf(store)).toEqual(["a/b/one.txt"]);
    renameSync(join(root, "a"), join(root, "z"));
    expect(await keysOf(store)).toEqual(["z/b/one.txt"]);
    expect(await textAt(store, "z/b/one.txt")).toBe("one");
    rmSync(join(root, "z"), { recursive: true });
    expect(await store.head("z/b/one.txt")).toBeUndefined();
    expect(await keysOf(store)).toEqual([]);
  });

  test("gives a file another ETag and its type back to its name, also one that was written here", async () => {
    await using folder = await openFolderStore();
    const { store, root } = folder;
    const { etag } = await store.put("note.txt", streamed(Buffer.from("ours")), { type: "a/b" });
    expect((await store.head("note.txt"))?.etag).toBe(etag);
    writeFileSync(join(root, "note.txt"), "theirs, longer");
    const changed = await store.head("note.txt");
    expect(changed?.etag).not.toBe(etag);
    expect(changed).toMatchObject({ size: 14, type: "text/plain" });
    expect(await bodyOf(store, "note.txt")).toBe("theirs, longer");
  });

  test("does not leave bytes of the file before in what is read of it afterwards", async () => {
    await using folder = await openFolderStore();
    const { store, root } = folder;
    writeFileSync(join(root, "one"), "first");
    const found = await store.get("one");
    writeFileSync(join(root, "two"), "other");
    renameSync(join(root, "two"), join(root, "one"));
    await expect(responseOf(found?.body).text()).rejects.toThrow();
    expect(await bodyOf(store, "one")).toBe("other");
    expect(await store.get("one", undefined, found?.head)).toBeUndefined();
  });

  test("a log that grows is read as far as it was, one that is cut ends with an error", async () => {
    await using folder = await openFolderStore();
    const { store, root } = folder;
    const bytes = "x".repeat(600_000);
    writeFileSync(join(root, "log"), bytes);
    const reader = await readerOf(store, "log");
    let read = (await reader.read()).value?.byteLength ?? 0;
    appendFileSync(join(root, "log"), "more");
    for (let next = await reader.read(); !next.done; next = await reader.read()) read += next.value.byteLength;
    expect(read).toBe(600_000);
    const cut = await readerOf(store, "log");
    await cut.read();
    truncateSync(join(root, "log"), 10);
    const rest = async () => {
      for (let next = await cut.read(); !next.done; next = await cut.read());
    };
    await expect(rest()).rejects.toMatchObject(failure("storage.broken"));
  });
});

describe("what is no file or folder", () => {
  test("links are neither listed nor followed, inside and outside, at the end and on the way", async () => {
    await using folder = await openFolderStore();
    const { store, root, outside } = folder;
    mkdirSync(join(outside, "secret"));
    writeFileSync(join(outside, "secret/file"), "not yours");
    writeFileSync(join(root, "real"), "ours");
    symlinkSync(join(outside, "secret"), join(root, "out"));
    symlinkSync(join(outside, "secret/file"), join(root, "file"));
    symlinkSync("real", join(root, "inside"));
    symlinkSync(".", join(root, "loop"));
    expect(await keysOf(store)).toEqual(["real"]);
    for (const key of ["file", "inside"]) expect(await store.get(key)).toBeUndefined();
    for (const key of ["out/file", "out/new", "loop/real"])
      await expect(store.get(key)).rejects.toMatchObject(failure("path.invalid"));
    await expect(putText(store, "out/new", "x")).rejects.toMatchObject(failure("path.invalid"));
    await expect(store.remove(["out/file"])).rejects.toMatchObject(failure("path.invalid"));
    await expect(store.copy("real", "out/copy")).rejects.toMatchObject(failure("path.invalid"));
    expect((await store.list({ prefix: "out/", limit: 10 })).objects).toEqual([]);
    expect(readdirSync(join(outside, "secret"))).toEqual(["file"]);
  });

  test("pipes are neither listed nor waited for, and sockets and devices are not there", async () => {
    await using folder = await openFolderStore();
    const { store, root } = folder;
    Bun.spawnSync(["mkfifo", join(root, "pipe")]);
    await using server = Bun.listen({ unix: join(root, "socket"), socket: { data: () => undefined } });
    expect(existsSync(join(root, "pipe")) && existsSync(join(root, "socket"))).toBe(true);
    expect(await keysOf(store)).toEqual([]);
    for (const key of ["pipe", "socket"]) {
      expect(await store.head(key)).toBeUndefined();
      expect(await store.get(key)).toBeUndefined();
    }
    server.stop(true);
  });
});

describe("what is left in a folder", () => {
  test("is the files alone, with the modes that were chosen", async () => {
    await using folder = await openFolderStore();
    const { store, root } = folder;
    await putText(store, "a/b/file", "x");
    await store.put("stream", streamed(Buffer.from("y")), { type: "a/b" });
    await store.copy("stream", "copy");
    await store.tree?.remove("a/");
    await putText(store, "c/d/file", "x");
    const upload = await store.createMultipart("parts", { type: "a/b" });
    expect(await keysOf(store)).toEqual(["c/d/file", "copy", "stream"]);
    await store.abortMultipart({ key: "parts", upload });
    await folder.stores.close();
    expect(readdirSync(root).sort()).toEqual(["c", "copy", "stream"]);
    for (const file of ["copy", "stream", "c/d/file"]) expect(statSync(join(root, file)).mode & 0o777).toBe(0o644);
    for (const one of ["c", "c/d"]) expect(statSync(join(root, one)).mode & 0o777).toBe(0o755);
  });

  test("of a killed process goes at the next start, and nothing else does", async () => {
    await using folder = await openFolderStore();
    const { root, reopen } = folder;
    const writes = join(root, `${STAGING}writes`);
    mkdirSync(join(writes, "incoming", "a-removed-folder"), { recursive: true });
    writeFileSync(join(writes, "incoming", "half"), "half");
    writeFileSync(join(root, "whole"), "whole");
    const store = await reopen();
    expect(await keysOf(store)).toEqual(["whole"]);
    for (let tries = 0; existsSync(writes) && tries < 500; tries++) await Bun.sleep(10);
    expect(readdirSync(root)).toEqual(["whole"]);
  });

  test("a link in the place of where files wait leads nowhere", async () => {
    await using folder = await openFolderStore();
    const { root, outside, reopen } = folder;
    mkdirSync(join(outside, "other", "incoming"), { recursive: true });
    writeFileSync(join(outside, "other", "incoming", "file"), "stays");
    symlinkSync(join(outside, "other"), join(root, `${STAGING}writes`));
    const store = await reopen();
    expect(await keysOf(store)).toEqual([]);
    await expect(putText(store, "new", "x")).rejects.toThrow();
    expect(readdirSync(join(outside, "other", "incoming"))).toEqual(["file"]);
  });
});

describe("a folder that may not be used", () => {
  test("read-only refuses every change before it is made, and is read as any other", async () => {
    await using folder = await openFolderStore();
    const { root, reopen } = folder;
    writeFileSync(join(root, "there"), "there");
    mkdirSync(join(root, "folder"));
    const store = await reopen([{ id: "photos", path: root, readOnly: true }]);
    for (const change of changes(store, "there"))
      await expect(change()).rejects.toMatchObject(failure("storage.readOnly"));
    await store.abortMultipart({ key: "parts", upload: "none" });
    expect(await bodyOf(store, "there")).toBe("there");
    expect(await keysOf(store)).toEqual(["folder/", "there"]);
    expect(readdirSync(root).sort()).toEqual(["folder", "there"]);
  });

  test("that this server does not name is 503 for every verb", async () => {
    await using folder = await openFolderStore();
    const store = await folder.reopen([]);
    const elsewhere = failure("storage.notHere");
    await expect(store.head("a")).rejects.toMatchObject(elsewhere);
    await expect(store.list(everything)).rejects.toMatchObject(elsewhere);
    await expect(putText(store, "a", "x")).rejects.toMatchObject(elsewhere);
    expect([await store.free(), await store.capacity()]).toEqual([undefined, undefined]);
  });

  test("that has vanished is 502 and not empty, and is there again when it comes back", async () => {
    await using folder = await openFolderStore();
    const { store, root, outside } = folder;
    await putText(store, "a", "x");
    renameSync(root, join(outside, "away"));
    const gone = failure("storage.unreachable");
    await expect(store.list(everything)).rejects.toMatchObject(gone);
    await expect(store.head("a")).rejects.toMatchObject(gone);
    await expect(putText(store, "b", "x")).rejects.toMatchObject(gone);
    expect(existsSync(root)).toBe(false);
    renameSync(join(outside, "away"), root);
    expect(await keysOf(store)).toEqual(["a"]);
  });

  test("that has to do with the data folder is refused, also through a link", async () => {
    await using folder = await openFolderStore();
    const { outside, reopen } = folder;
    symlinkSync(join(outside, "data"), join(outside, "disguised"));
    for (const path of [outside, join(outside, "data"), join(outside, "data/objects"), join(outside, "disguised")]) {
      const store = await reopen([{ id: "photos", path, readOnly: false }]);
      await expect(store.list(everything)).rejects.toMatchObject(failure("storage.denied"));
    }
  });

  test.skipIf(process.getuid?.() === 0)("without the permission to is 502 storage.denied", async () => {
    await using folder = await openFolderStore();
    const { store, root } = folder;
    mkdirSync(join(root, "closed"));
    chmodSync(join(root, "closed"), 0);
    await expect(putText(store, "closed/a", "x")).rejects.toMatchObject(failure("storage.denied"));
    chmodSync(join(root, "closed"), 0o700);
  });

  test("a file whose time was set back has another ETag when its size says so", async () => {
    await using folder = await openFolderStore();
    const { store, root } = folder;
    writeFileSync(join(root, "a"), "one");
    utimesSync(join(root, "a"), 1, 1);
    const before = await store.head("a");
    writeFileSync(join(root, "a"), "longer");
    utimesSync(join(root, "a"), 1, 1);
    expect((await store.head("a"))?.etag).not.toBe(before?.etag);
  });
});
