import { describe, expect, test } from "bun:test";
import { Failure } from "#contract/failures";
import type { Database } from "../../../../src/database/database.ts";
import { migrate } from "../../../../src/database/migrate.ts";
import { plainSql, type Sql, sql } from "../../../../src/database/sql.ts";
import { openSqlite } from "../../../../src/database/sqlite/sqlite.ts";
import type { Place } from "../../../../src/stores/store.ts";
import { openProperties } from "../../../../src/vfs/webdav/properties.ts";

async function open({ most }: { readonly most?: number } = {}) {
  const db = openSqlite({ file: ":memory:", synchronous: "NORMAL" });
  await migrate(db, true);
  // No storage is configured here.
  await db.run(plainSql("pragma foreign_keys = off"));
  let now = 1_000_000;
  const asked: number[] = [];
  const read: number[] = [];
  const noted: Database = {
    ...db,
    async all<Row>(query: Sql) {
      const rows = await db.all<Row>(query);
      read.push(JSON.stringify(rows).length);
      return rows;
    },
  };
  const properties = await openProperties({
    cluster: { db: noted, shared: false },
    clock: () => now,
    disk: { requireForDatabase: (bytes) => void asked.push(bytes) },
    most,
  });
  return {
    db,
    /** What the disk was asked for. */
    asked,
    /** Characters of each list of rows that was read. */
    read,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    /** Bytes of the properties in another folder, as if they had come before this server. */
    fill: (bytes: number) =>
      db.run(sql`insert into dav_properties (storage, key, folder, namespace, name, value)
        values ('s', 'full/x', 'full/', 'urn:x', 'p', ${"x".repeat(bytes)})`),
    properties,
    set: (key: string, ...names: string[]) =>
      properties.patch(
        at(key),
        names.map((name) => ({ namespace: "urn:x", name, value: `<${name} xmlns="urn:x"/>` })),
      ),
    names: async (key: string, storage = "s") =>
      (await properties.of({ storage, key })).dead.map(({ name }) => name).join(" "),
    [Symbol.dispose]: () => db.close(),
  };
}

const at = (key: string): Place => ({ storage: "s", key });

describe("dead properties", () => {
  test("are set, replaced and removed", async () => {
    using here = await open();
    expect(await here.names("a")).toBe("");
    await here.set("a", "one", "two");
    await here.properties.patch(at("a"), [
      { namespace: "urn:x", name: "one", value: undefined },
      { namespace: "urn:x", name: "never", value: undefined },
      { namespace: "urn:x", name: "two", value: "<two/>" },
      { namespace: "", name: "two", value: "<two>other</two>" },
    ]);
    expect((await here.properties.of(at("a"))).dead.map(({ value }) => value)).toEqual(["<two>other</two>", "<two/>"]);
  });

  test("of the last one in a request counts", async () => {
    using here = await open();
    const change = { namespace: "urn:x", name: "p" };
    await here.properties.patch(at("a"), [
      { ...change, value: undefined },
      { ...change, value: "<p/>" },
    ]);
    expect(await here.names("a")).toBe("p");
    await here.properties.patch(at("a"), [
      { ...change, value: "<p/>" },
      { ...change, value: undefined },
    ]);
    expect(await here.names("a")).toBe("");
  });

  test("move with a file and with all of a folder, also to another storage and when it is told twice", async () => {
    using here = await open();
    for (const key of ["d/", "d/a", "d/e/", "d/e/b", "d0", "dx", "other"]) await here.set(key, "p");
    const moved = { kind: "moved", from: at("d/"), to: { storage: "t", key: "x/y/" } } as const;
    await here.properties.follow(moved);
    await here.properties.follow({ ...moved, again: true });
    for (const key of ["d/", "d/a", "d/e/b"]) expect(await here.names(key)).toBe("");
    for (const key of ["x/y/", "x/y/a", "x/y/e/", "x/y/e/b"]) expect(await here.names(key, "t")).toBe("p");
    for (const key of ["d0", "dx", "other"]) expect(await here.names(key)).toBe("p");
    const kept = await here.properties.inFolder({ storage: "t", key: "x/y/" }, ["x/y/a", "x/y/e/"]);
    const counts = async (of: typeof kept, keys: string[]) =>
      (await Promise.all(keys.map(of))).map(({ dead }) => dead.length);
    expect(await counts(kept, ["x/y/a", "x/y/e/", "x/y/e/b"])).toEqual([1, 1, 0]);
    const mixed = await here.properties.inFolder({ storage: "t", key: "x/y/" }, ["x/y/e/", "x/y/a"]);
    expect(await counts(mixed, ["x/y/a", "x/y/e/"])).toEqual([1, 1]);
    const above = await here.properties.inFolder({ storage: "t", key: "x/" }, ["x/y/"]);
    expect((await above("x/y/")).dead).toHaveLength(1);
    await here.properties.follow({ kind: "moved", from: at("dx"), to: at("d0") });
    expect([await here.names("dx"), await here.names("d0")]).toEqual(["", "p"]);
  });

  test("of a folder are read a few at once where they are large", async () => {
    using here = await open();
    const value = "x".repeat(60_000);
    const keys = Array.from({ length: 40 }, (_, index) => `d/${String(39 - index)}`);
    // Every fourth has none.
    const large = keys.filter((_, index) => index % 4 > 0);
    for (const key of large) await here.properties.patch(at(key), [{ namespace: "urn:x", name: "p", value }]);
    here.read.length = 0;
    const kept = await here.properties.inFolder(at("d/"), keys);
    for (const key of keys) expect((await kept(key)).dead.length).toBe(large.includes(key) ? 1 : 0);
    expect(Math.max(...here.read)).toBeLessThan(8 * value.length);
    expect(here.read.length).toBeLessThan(20);
  });

  test("go with a file and with all of a folder", async () => {
    using here = await open();
    for (const key of ["d/", "d/a", "d/e/b", "d", "e"]) await here.set(key, "p");
    await here.properties.follow({ kind: "removed", at: at("d/") });
    for (const key of ["d/", "d/a", "d/e/b"]) expect(await here.names(key)).toBe("");
    for (const key of ["d", "e"]) expect(await here.names(key)).toBe("p");
    await here.properties.follow({ kind: "removed", at: at("d") });
    expect(await here.names("d")).toBe("");
  });

  test("are copied, also of many files and of a whole storage", async () => {
    using here = await open();
    await here.set("", "root");
    for (let index = 0; index < 1100; index++) await here.set(`d/${index}`, "p", "q");
    await here.properties.copy(at(""), { storage: "t", key: "copy/" });
    expect([await here.names("copy/", "t"), await here.names("")]).toEqual(["root", "root"]);
    for (const index of [0, 500, 1099]) {
      expect(await here.names(`copy/d/${index}`, "t")).toBe("p q");
      expect(await here.names(`d/${index}`)).toBe("p q");
    }
    await here.properties.follow({ kind: "removed", at: at("d/") });
    expect(
      await here.db.first({
        text: "select 1 from dav_properties where storage = 's' and key <> ''",
        values: [],
      } as never),
    ).toBeUndefined();
  });

  test("are bounded in number and in bytes", async () => {
    using here = await open();
    const many = Array.from({ length: 101 }, (_, index) => `p${index}`);
    const tooMany = expect(here.set("a", ...many)).rejects;
    await tooMany.toThrow(new Failure("property.tooMany"));
    expect(await here.names("a")).toBe("");
    await here.set("a", ...many.slice(1));
    const large = { namespace: "", name: "large", value: "x".repeat(64 * 1024) };
    await expect(here.properties.patch(at("b"), [large])).rejects.toThrow(new Failure("property.tooMany"));
  });

  test("of one storage are bounded together, which is looked at again after a while", async () => {
    using here = await open({ most: 10_000 });
    await here.fill(9000);
    const change = (key: string, bytes: number | undefined) =>
      here.properties.patch(at(key), [
        { namespace: "", name: "p", value: bytes === undefined ? undefined : "x".repeat(bytes) },
      ]);
    const tooMany = new Failure("property.tooMany");
    await change("a", 500);
    await expect(change("b", 500)).rejects.toThrow(tooMany);
    await change("a", 600);
    await change("a", undefined);
    await change("b", 500);
    await expect(here.properties.requireCopy(at("b"), at("c"))).rejects.toThrow(tooMany);
    await here.properties.requireCopy(at("b"), { storage: "t", key: "c" });
    await here.db.run(sql`delete from dav_properties where key = 'full/x'`);
    await expect(change("c", 500)).rejects.toThrow(tooMany);
    here.pass(60_000);
    await change("c", 500);
  });

  test("ask the disk of the database for what they write", async () => {
    using here = await open();
    await here.set("a", "p");
    await here.properties.requireCopy(at("a"), at("b"));
    const bytes = Buffer.byteLength('urn:xp<p xmlns="urn:x"/>');
    expect(here.asked).toEqual([bytes, bytes]);
  });

  test("do not show the time that a version of a file was given", async () => {
    using here = await open();
    await here.properties.setModified(at("a"), { etag: "v1", modified: 1000 });
    const kept = await here.properties.of(at("a"));
    expect(kept.dead).toEqual([]);
    expect([kept.modified("v1"), kept.modified("v2"), kept.modified(null)]).toEqual([1000, undefined, undefined]);
  });
});
