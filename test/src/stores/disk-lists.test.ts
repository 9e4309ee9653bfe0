import { describe, expect, test } from "bun:test";
import { link, mkdir, readdir, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "../../../src/database/sql.ts";
import type { ListRequest, ObjectStore } from "../../../src/stores/store.ts";
import { putText, whole } from "../../suites/store-bodies.ts";
import { openDiskStore } from "../../support/stores/disk-store.ts";
import { until } from "../../support/until.ts";

const MANY = 1200;
const nameOf = (index: number) => `file ${String(index).padStart(5, "0")}`;

/** A folder so large that its names are kept, and older than the clock can tell. */
async function fill(folder: string): Promise<void> {
  await mkdir(folder);
  for (let index = 0; index < MANY; index++) await writeFile(join(folder, nameOf(index)), "x");
  await utimes(folder, 1, 1);
}

const keysOf = async (store: ObjectStore, request: Partial<ListRequest>): Promise<string[]> => {
  const { objects, folders } = await store.list({ prefix: "", limit: 10_000, ...request });
  return [...objects.map(({ key }) => key), ...folders];
};

/** Page by page, so many at a time. */
async function paged(store: ObjectStore, request: Omit<ListRequest, "after">): Promise<string[]> {
  const keys: string[] = [];
  for (let after: string | undefined; ; ) {
    const { objects, folders, next } = await store.list({ ...request, after });
    keys.push(...objects.map(({ key }) => key), ...folders);
    if (next === undefined) return keys;
    expect(next > (after ?? "")).toBe(true);
    after = next;
  }
}

describe("a large folder", () => {
  test.each(["/", undefined] as const)("is the same in pages as at once, delimiter %p", async (delimiter) => {
    await using disk = await openDiskStore();
    await fill(join(disk.drive, "big"));
    const all = Array.from({ length: MANY }, (_, index) => `big/${nameOf(index)}`);
    for (const limit of [999, 1000, 1001, MANY, MANY + 1])
      expect(await paged(disk.store, { prefix: "big/", delimiter, limit })).toEqual(all);
  });

  test("shows at once what anybody adds, renames and removes", async () => {
    await using disk = await openDiskStore();
    const { store, drive } = disk;
    const folder = join(drive, "big");
    await fill(folder);
    const expected = new Set(await keysOf(store, { prefix: "big/", delimiter: "/" }));
    expect(expected.size).toBe(MANY);
    const changes: [() => Promise<unknown>, string | undefined, string | undefined][] = [
      [() => writeFile(join(folder, "by hand"), "x"), "big/by hand", undefined],
      [() => rename(join(folder, "by hand"), join(folder, "renamed")), "big/renamed", "big/by hand"],
      [() => rm(join(folder, nameOf(7))), undefined, `big/${nameOf(7)}`],
      [() => putText(store, "big/by code", "x"), "big/by code", undefined],
      [() => store.remove([`big/${nameOf(9)}`]), undefined, `big/${nameOf(9)}`],
      [async () => store.tree?.move("big/by code", "big/moved"), "big/moved", "big/by code"],
    ];
    for (const [change, added, removed] of changes) {
      await change();
      if (added) expected.add(added);
      if (removed) expected.delete(removed);
      expect(await keysOf(store, { prefix: "big/", delimiter: "/" })).toEqual([...expected].sort());
      // So that the next change is a change of the folder's time, however soon it comes.
      await utimes(folder, 1, 1);
    }
    await store.tree?.remove("big/");
    expect(await keysOf(store, {})).toEqual([]);
  });

  test("each file of it is what head says, whoever wrote it", async () => {
    await using disk = await openDiskStore();
    const { store, drive, db } = disk;
    await fill(join(drive, "big"));
    const own = [3, 4, 5, 1000, 1199].map((index) => `big/${nameOf(index)}`);
    for (const key of own) await store.put(key, whole("own"), { type: "image/png", length: 3 });
    // Replaced by hand, and beside it what a process that was killed may have left.
    await writeFile(join(drive, "big", nameOf(4)), "by hand");
    await utimes(join(drive, "big", nameOf(4)), 1.000001, 1.000001);
    await db.run(
      sql`insert into disk_attributes (bucket, key, stamp, content_type, etag) values ('drive', ${`big/${nameOf(5)}`}, '9:9', 'a/b', 'wrong')`,
    );
    await db.run(
      sql`insert into disk_attributes (bucket, key, stamp, content_type, etag) values ('drive', ${`big/${nameOf(6)}`}, '9:9', 'a/b', 'wrong')`,
    );
    const { objects } = await store.list({ prefix: "big/", delimiter: "/", limit: 10_000 });
    expect(objects.length).toBe(MANY);
    for (const object of objects) expect(object).toEqual((await store.head(object.key)) ?? object);
    expect(objects.filter(({ type }) => type === "image/png").map(({ key }) => key)).toEqual(
      own.filter((key) => !key.endsWith("00004")),
    );
  });
});

describe("a tree", () => {
  /** Files and folders in turns, names that begin alike, an empty folder, and forty folders in each other. */
  const keys = [
    ...["a.b", "a/1", "b/1", "b/2/3", "b0", "c!/x", "c/x", "c0/x", "é/é", "e\u0301/x", "\uff5e/x", "😀/x/y"],
    ...["empty/", "100%/%2F/#?", `${"d/".repeat(40)}deep`, `${"d/".repeat(20)}half`],
  ];
  const inOrder = keys.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));

  test("is the same in pages of any size as at once", async () => {
    await using disk = await openDiskStore();
    for (const key of keys) await disk.store.put(key, whole(""), { type: "image/png", length: 0 });
    expect(await keysOf(disk.store, {})).toEqual(inOrder);
    for (const limit of [1, 2, 3, 7, 100]) expect(await paged(disk.store, { prefix: "", limit })).toEqual(inOrder);
    const folders = await disk.store.list({ prefix: "", delimiter: "/", limit: 100 });
    for (const { key, type } of folders.objects) expect([key, type]).toEqual([key, "image/png"]);
    for (const limit of [1, 2, 3, 7]) {
      const some = await paged(disk.store, { prefix: "", delimiter: "/", limit });
      expect(some.toSorted()).toEqual([...folders.objects.map(({ key }) => key), ...folders.folders].toSorted());
    }
  });

  test("moves with everything in it, links and files of others too, and no link is followed", async () => {
    await using disk = await openDiskStore();
    const { store, drive, outside, incoming } = disk;
    await writeFile(join(outside, "secret"), "secret");
    await mkdir(join(outside, "secrets/sub"), { recursive: true });
    await writeFile(join(outside, "secrets/sub/file"), "secret");
    await putText(store, "from/a", "x");
    await writeFile(join(drive, "from/line\nfeed"), "x");
    await symlink(join(outside, "secrets"), join(drive, "from/link"));
    await symlink(join(outside, "secrets"), join(drive, "link"));
    await symlink("loop", join(drive, "loop"));
    await link(join(drive, "from/a"), join(drive, "hard"));
    expect(await store.tree?.move("from/", "to/")).toBe(true);
    expect(await keysOf(store, {})).toEqual(["hard", "to/a"]);
    expect(await store.tree?.move("link/", "other/")).toBe(false);
    expect(await store.tree?.move("link", "other")).toBe(false);
    const invalid = { code: "path.invalid" };
    await expect(store.tree?.move("link/sub/", "stolen/")).rejects.toMatchObject(invalid);
    await expect(store.tree?.move("to/", "link/to/")).rejects.toMatchObject(invalid);
    await expect(store.tree?.move("to/a", "to/link/a")).rejects.toMatchObject(invalid);
    await expect(store.tree?.remove("link/sub/")).rejects.toMatchObject(invalid);
    await expect(store.tree?.remove("loop/sub/")).rejects.toMatchObject(invalid);
    await expect(store.tree?.move("to/a", "link")).rejects.toMatchObject({ code: "path.conflict" });
    await store.tree?.remove("link/");
    await store.tree?.remove("to/");
    expect(await keysOf(store, {})).toEqual(["hard"]);
    await until(
      () => readdir(incoming),
      (left) => left.length === 0,
    );
    expect(await Bun.file(join(outside, "secrets/sub/file")).text()).toBe("secret");
  });

  test("leaves no attributes behind where it was, nor when it is removed", async () => {
    await using disk = await openDiskStore();
    const { store, db } = disk;
    const rows = async () =>
      (await db.all<{ key: string }>(sql`select key from disk_attributes order by key`)).map(({ key }) => key);
    // More than go at once.
    for (let index = 0; index < 1001; index++) await putText(store, `f/${index % 3}/${index}`, "");
    await putText(store, "f0", "");
    expect(await store.tree?.move("f/", "文件/")).toBe(true);
    const moved = await rows();
    expect(moved.length).toBe(1002);
    expect(moved.filter((key) => key.startsWith("f/"))).toEqual([]);
    expect(moved.filter((key) => key.startsWith("文件/")).sort()).toEqual(
      (await keysOf(store, { prefix: "文件/" })).sort(),
    );
    await expect(store.tree?.move("文件/", "f0/below/")).rejects.toMatchObject({ code: "path.conflict" });
    expect(await rows()).toEqual(moved);
    await store.tree?.remove("文件/");
    expect(await rows()).toEqual(["f0"]);
  });
});

test("what was being removed when the process ended is gone after the next start", async () => {
  await using disk = await openDiskStore();
  await putText(disk.store, "f/a/b", "x");
  // As kill -9 between the rename and what comes after it leaves it.
  await rename(join(disk.drive, "f"), join(disk.incoming, "removed"));
  const store = await disk.reopen();
  expect(await keysOf(store, {})).toEqual([]);
  await until(
    () => readdir(disk.incoming),
    (left) => left.length === 0,
  );
});

test("a file of somebody else is copied, and read-only ones can be replaced", async () => {
  await using disk = await openDiskStore();
  await writeFile(join(disk.drive, "theirs.png"), "x", { mode: 0o444 });
  expect(await disk.store.copy("theirs.png", "copy.bin")).toMatchObject({ size: 1, type: "image/png" });
  expect(await putText(disk.store, "copy.bin", "yy")).toMatchObject({ size: 2 });
});
