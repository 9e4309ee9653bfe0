import { expect, spyOn, test } from "bun:test";
import { closeSync, existsSync, readFileSync, readlinkSync, truncateSync, writeFileSync } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "../../../src/database/sql.ts";

import { createDigestThread } from "../../../src/lib/digests/digest-thread.ts";
import { plainReach } from "../../../src/stores/disk/reach.ts";
import { flushFolders, renameInto } from "../../../src/stores/disk/rename.ts";

import { createDiskSpace } from "../../../src/stores/disk/space.ts";
import { createDiskStore } from "../../../src/stores/disk/store.ts";
import { putText, textAt, whole } from "../../suites/store-bodies.ts";
import { openDiskStore } from "../../support/stores/disk-store.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { openTestHouse } from "../../support/test-house.ts";

/** With DB_SYNCHRONOUS=FULL a name that was answered survives a power cut, because its folder is flushed before the answer. */

/** A built-in store that records the folders it flushes, as paths below its own folder. */
async function openFlushing() {
  const disk = await openDiskStore();
  const folder = join(disk.outside, "objects");
  const flushed: string[] = [];
  const onFlush: { run: () => void } = { run: () => undefined };
  const store = createDiskStore({
    db: disk.db,
    clock: Date.now,
    folder,
    bucket: "drive",
    presign: () => "",
    cleanup: { begin: () => undefined },
    space: createDiskSpace({ folder: disk.outside }),
    ...createDigestThread(),
    flush: async (folders) => {
      flushed.push(...folders.map((path) => path.slice(folder.length + 1)));
      onFlush.run();
    },
  });
  return {
    ...disk,
    store,
    onFlush,
    /** The folders that were flushed since the last call. */
    flushed: () => flushed.splice(0).map((path) => path.replace(/[0-9a-f-]{36}/, "id")),
  };
}

test("a file that is put flushes its folder, and those above a folder that was made for it", async () => {
  await using disk = await openFlushing();
  await putText(disk.store, "a.txt", "x");
  expect(disk.flushed()).toEqual(["drive"]);
  await putText(disk.store, "f/g/a.txt", "x");
  expect(disk.flushed()).toEqual(["drive/f/g", "drive/f", "drive"]);
  await putText(disk.store, "f/g/a.txt", "y");
  expect(disk.flushed()).toEqual(["drive/f/g"]);
  await putText(disk.store, "f/h/a.txt", "y");
  expect(disk.flushed()).toEqual(["drive/f/h", "drive/f"]);
});

test("the folder is flushed when the file has its name, and before what is known of the older file is forgotten", async () => {
  await using disk = await openFlushing();
  await putText(disk.store, "a.txt", "old");
  disk.onFlush.run = () => {
    expect(readFileSync(join(disk.drive, "a.txt"), "utf8")).toBe("new");
    throw new Error("the disk is broken");
  };
  await expect(putText(disk.store, "a.txt", "new")).rejects.toThrow("the disk is broken");
  const rows = await disk.db.all<{ key: string }>(sql`select key from disk_attributes`);
  expect(rows.map(({ key }) => key)).toEqual(["a.txt", "a.txt"]);
});

test("copies, folders, moves and removals flush every folder that they change", async () => {
  await using disk = await openFlushing();
  const { store } = disk;
  await putText(store, "a.txt", "x");
  disk.flushed();
  await store.copy("a.txt", "b.txt");
  expect(disk.flushed()).toEqual(["drive"]);
  await store.put("f/g/", whole(""), { type: "" });
  expect(disk.flushed()).toEqual(["drive/f", "drive"]);
  await store.tree?.move("f/", "h/i/");
  expect(disk.flushed()).toEqual(["drive", "drive/h", "drive"]);
  await store.tree?.remove("h/");
  expect(disk.flushed()).toEqual(["drive"]);
  await store.remove(["a.txt", "b.txt", "none.txt"]);
  expect(disk.flushed()).toEqual(["drive", "drive"]);
  expect(await textAt(store, "a.txt")).toBeUndefined();
});

test("an upload in parts flushes its own folder with each part, and the object's when it is complete", async () => {
  await using disk = await openFlushing();
  const { store } = disk;
  const upload = await store.createMultipart("f/a", { type: "text/plain" });
  expect(disk.flushed()).toEqual([".multipart"]);
  const { etag } = await store.putPart({ key: "f/a", upload }, 1, whole("abc"), { length: 3 });
  expect(disk.flushed()).toEqual([".multipart/id"]);
  await store.completeMultipart({ key: "f/a", upload }, [{ number: 1, etag }]);
  expect(disk.flushed()).toEqual(["drive/f", "drive"]);
});

test("a folder that somebody has removed meanwhile keeps nobody from the others", async () => {
  using folder = temporaryFolder();
  await mkdir(join(folder.path, "there"));
  await flushFolders([join(folder.path, "gone"), join(folder.path, "there")]);
  expect(existsSync(join(folder.path, "there"))).toBe(true);
});

// The first file of shares makes their folder, so that the folder above it has a new name too.
test.each([
  [true, 2],
  [false, 0],
] as const)("a file that is uploaded to a server that is durable (%p) waits for %p folders", async (durable, count) => {
  using folder = temporaryFolder();
  const handle = await open(folder.path, "r");
  await handle.close();
  await using house = await openTestHouse({ durable });
  const headers = { authorization: `Bearer ${await house.signIn()}`, "content-length": "5" };
  const sync = spyOn(Object.getPrototypeOf(handle) as { sync: () => Promise<void> }, "sync");
  try {
    const put = () => house.request("/api/upload-direct/a.txt?slug=a", { method: "PUT", headers, body: "hello" });
    expect((await put()).status).toBe(201);
    expect(sync).toHaveBeenCalledTimes(count);
  } finally {
    sync.mockRestore();
  }
});

test.skipIf(process.platform !== "linux")("a large file that is replaced is freed after the rename, not by it", () => {
  using folder = temporaryFolder();
  const [from, to] = [join(folder.path, "new"), join(folder.path, "there")];
  const held: string[] = [];
  const free = (file: number) => {
    held.push(readlinkSync(`/proc/self/fd/${file}`));
    closeSync(file);
  };
  for (const bytes of [1, 32 * 1024 * 1024]) {
    writeFileSync(from, "new");
    writeFileSync(to, "");
    truncateSync(to, bytes);
    renameInto(plainReach, from, to, free);
    expect(readFileSync(to, "utf8")).toBe("new");
  }
  expect(held).toEqual([`${to} (deleted)`]);
});
