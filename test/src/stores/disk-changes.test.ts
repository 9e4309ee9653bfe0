import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "../../../src/database/database.ts";
import { createDigestThread } from "../../../src/lib/digests/digest-thread.ts";
import { createLog } from "../../../src/lib/log.ts";
import { createCleanup } from "../../../src/stores/disk/cleanup.ts";
import { createDiskSpace } from "../../../src/stores/disk/space.ts";
import { createDiskStore } from "../../../src/stores/disk/store.ts";
import { putText, textAt, whole } from "../../suites/store-bodies.ts";
import { createHeldDatabase } from "../../support/database/late-database.ts";
import { openDiskStore } from "../../support/stores/disk-store.ts";

/** The folder of a built-in store opened once more, with what a test puts before it. */
async function openBeside({ engine = (db: Database) => db } = {}) {
  const disk = await openDiskStore();
  const cleared: string[] = [];
  const store = createDiskStore({
    db: engine(disk.db),
    clock: Date.now,
    folder: join(disk.outside, "objects"),
    bucket: "drive",
    presign: () => "",
    cleanup: { begin: (path) => void cleared.push(path) },
    space: createDiskSpace({ folder: disk.outside }),
    ...createDigestThread(),
  });
  return { ...disk, store, cleared };
}

describe("a folder that is removed", () => {
  test("is gone at once, whatever becomes of what was in it", async () => {
    await using disk = await openBeside();
    await putText(disk.store, "f/a/b", "x");
    await disk.store.tree?.remove("f/");
    expect((await disk.store.list({ prefix: "", limit: 10 })).objects).toEqual([]);
    expect(disk.cleared.map((path) => existsSync(join(path, "a/b")))).toEqual([true]);
  });

  test("that cannot be cleared away is logged, and keeps no other", async () => {
    using folder = temporary(tmpdir());
    const lines: string[] = [];
    const cleanup = createCleanup(createLog("info", (text) => void lines.push(text)));
    await mkdir(join(folder.path, "other/sub"), { recursive: true });
    cleanup.begin(join(folder.path, "no\u0000name"));
    cleanup.begin(join(folder.path, "other"));
    await cleanup.settled();
    expect(existsSync(join(folder.path, "other"))).toBe(false);
    expect(lines.join("")).toContain("removed folder not cleared away");
  });
});

describe("a file that is copied", () => {
  test("while it is replaced has bytes and type of one version", async () => {
    const held = createHeldDatabase();
    await using disk = await openBeside({ engine: held.engine });
    const { store } = disk;
    await store.put("from", whole("old"), { type: "text/old" });
    const looked = held.holdNext();
    const copied = store.copy("from", "to");
    await looked.reached;
    await store.put("from", whole("newer"), { type: "text/new" });
    looked.letGo();
    expect(await copied).toMatchObject({ size: 5, type: "text/new" });
    expect([await textAt(store, "to"), (await store.head("to"))?.type]).toEqual(["newer", "text/new"]);
  });

  test("while somebody writes on in it is copied as it is", async () => {
    const held = createHeldDatabase();
    await using disk = await openBeside({ engine: held.engine });
    await writeFile(join(disk.drive, "log.png"), "some");
    const looked = held.holdNext();
    const copied = disk.store.copy("log.png", "to");
    await looked.reached;
    await writeFile(join(disk.drive, "log.png"), "some more");
    looked.letGo();
    expect(await copied).toMatchObject({ type: "image/png" });
    expect(await textAt(disk.store, "to")).toBe("some more");
  });
});

test("files and folders in turns are looked up together, and are what head says", async () => {
  let asked = 0;
  const engine = (db: Database): Database => ({
    ...db,
    all: <Row>(query: Parameters<Database["all"]>[0]) => {
      asked += 1;
      return db.all<Row>(query);
    },
  });
  await using disk = await openBeside({ engine });
  const { store, drive } = disk;
  for (let index = 0; index < 300; index++) {
    if (index % 3 === 0) await store.put(`d/${index}`, whole("x"), { type: "image/png" });
    else await mkdir(join(drive, `d/${index}`), { recursive: true });
    await mkdir(join(drive, `d/${index}-`), { recursive: true });
    if (index % 3 === 1) await store.put(`d/${index}/below`, whole("x"), { type: "image/gif" });
  }
  for (const delimiter of ["/", undefined] as const) {
    asked = 0;
    const { objects } = await store.list({ prefix: "d/", delimiter, limit: 10_000 });
    expect(asked).toBeLessThan(15);
    expect(objects.length).toBe(delimiter ? 100 : 100 + 100 + 100 + 300);
    for (const object of objects) expect(object).toEqual((await store.head(object.key)) ?? object);
    expect(objects.filter(({ type }) => type === "image/png").length).toBe(100);
  }
});

test("a file that was met in one version is not read in another", async () => {
  await using disk = await openDiskStore();
  const { store } = disk;
  const met = await putText(store, "a", "old");
  expect((await store.get("a", undefined, met))?.head).toEqual(met);
  const now = await putText(store, "a", "new");
  expect(await store.get("a", undefined, met)).toBeUndefined();
  expect((await store.get("a", undefined, now))?.head).toEqual(now);
});

test("a disk that is not there is no empty one", async () => {
  await using disk = await openDiskStore();
  await putText(disk.store, "a/b", "x");
  expect((await disk.store.list({ prefix: "no/", limit: 10 })).objects).toEqual([]);
  await rm(disk.drive, { recursive: true });
  for (const prefix of ["", "a/"])
    await expect(disk.store.list({ prefix, limit: 10 })).rejects.toMatchObject({ code: "storage.unreachable" });
});

/** A file system of its own, where this machine has one. */
const elsewhere = ["/dev/shm"].find((path) => existsSync(path) && statSync(path).dev !== statSync(tmpdir()).dev);

test.skipIf(elsewhere === undefined)("what lies on another disk is a conflict, and stays", async () => {
  await using disk = await openDiskStore();
  using other = temporary(elsewhere ?? "");
  rmSync(disk.drive, { recursive: true });
  mkdirSync(join(other.path, "f"));
  symlinkSync(other.path, disk.drive);
  const store = await disk.reopen();
  await expect(store.tree?.remove("f/")).rejects.toMatchObject({ code: "path.conflict" });
  await expect(putText(store, "f/a", "x")).rejects.toMatchObject({ code: "path.conflict" });
  expect(await store.head("f/")).toBeDefined();
});

function temporary(below: string) {
  const path = mkdtempSync(join(below, "satchel-disk-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
