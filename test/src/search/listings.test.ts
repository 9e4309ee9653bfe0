import { describe, expect, test } from "bun:test";
import { type ListedNames, type OpenSearch, openSearch } from "../../support/tree/open-search.ts";

/** The index follows what folders are seen to hold. */

const file = (name: string, size = 1, modified = 1) => ({ name, size, modified });
const nothing: ListedNames = { files: [], folders: [] };

const see = (index: OpenSearch, key: string, listed: ListedNames, since = index.search.moment()) => {
  index.see(key, listed, since);
  return index.search.settled();
};

describe("a listing", () => {
  test("brings what is new, takes what has gone and changes what is otherwise", async () => {
    await using index = await openSearch();
    for (const name of ["kept", "other", "gone"]) index.written(`f/${name}.txt`, 5, 5);
    for (const name of ["kept", "gone"]) index.written(`f/${name} in/deep.txt`, 5, 5);
    const files = [file("kept.txt", 5, 5), file("other.txt", 7, 6), file("new.txt", 3, 3)];
    await see(index, "f/", { files, folders: ["kept in", "new in"] });
    expect((await index.keys("txt")).sort()).toEqual(["f/kept in/deep.txt", "f/kept.txt", "f/new.txt", "f/other.txt"]);
    expect((await index.keys(" in")).sort()).toEqual(["f/kept in/", "f/new in/"]);
    expect(await index.amount("")).toEqual({ size: 20, files: 4 });
    expect(await index.find("other")).toMatchObject({ hits: [{ size: 7, modified: 6 }] });
  });

  test("of a folder that nobody knows makes it, unless there is nothing in it", async () => {
    await using index = await openSearch();
    await see(index, "no/where/", nothing);
    expect(await index.amount("no/")).toBeUndefined();
    await see(index, "some/where/", { files: [file("x.txt", 4)], folders: [] });
    expect(await index.amount("some/")).toEqual({ size: 4, files: 1 });
    await see(index, "some/where/", nothing);
    expect(await index.amount("some/where/")).toEqual({ size: 0, files: 0 });
    await see(index, "", { files: [file("root.txt")], folders: [] });
    expect(await index.keys("some")).toEqual([]);
  });

  test("turns files into folders and folders into files", async () => {
    await using index = await openSearch();
    index.written("was file", 5);
    index.written("was folder/x", 6);
    await see(index, "", { files: [file("was folder", 1)], folders: ["was file"] });
    expect((await index.keys("was")).sort()).toEqual(["was file/", "was folder"]);
    expect(await index.amount("")).toEqual({ size: 1, files: 1 });
  });

  test("undoes nothing that was noted since it was asked for", async () => {
    await using index = await openSearch();
    for (const name of ["a", "removed", "moved", "changed"]) index.written(`f/${name}.txt`, 1, 1);
    index.written("f/sub/deep.txt", 1, 1);
    await index.search.settled();
    const since = index.search.moment();
    const files = ["a", "removed", "moved", "changed"].map((name) => file(`${name}.txt`));
    index.removed("f/removed.txt");
    index.moved("f/moved.txt", "f/there.txt");
    index.written("f/changed.txt", 9, 9);
    index.written("f/written.txt", 4, 4);
    index.written("f/new folder/inner.txt", 2, 2);
    index.removed("f/sub/");
    await see(index, "f/", { files, folders: ["sub"] }, since);
    const names = ["a", "changed", "new folder/inner", "there", "written"];
    expect((await index.keys("txt")).sort()).toEqual(names.map((name) => `f/${name}.txt`));
    expect(await index.amount("")).toEqual({ size: 17, files: 5 });
    await see(index, "f/", { files: [file("a.txt")], folders: [] });
    expect(await index.keys("txt")).toEqual(["f/a.txt"]);
  });

  test("of a folder that was removed or moved meanwhile counts for nothing", async () => {
    await using index = await openSearch();
    index.written("a/f/x.txt", 1);
    const since = index.search.moment();
    index.moved("a/", "b/");
    await see(index, "a/f/", { files: [file("x.txt"), file("y.txt")], folders: [] }, since);
    await see(index, "b/f/", nothing, since);
    expect(await index.keys("txt")).toEqual(["b/f/x.txt"]);
    expect(await index.amount("a/")).toBeUndefined();
  });

  test("counts as it was when it came, whatever waits before and behind it", async () => {
    await using index = await openSearch();
    index.written("f/before.txt", 1);
    index.see("f/", { files: [file("listed.txt")], folders: [] });
    index.written("f/behind.txt", 1);
    await index.search.settled();
    expect((await index.keys("txt")).sort()).toEqual(["f/behind.txt", "f/listed.txt"]);
  });

  test("that was asked for longer ago than anybody remembers counts for nothing", async () => {
    await using index = await openSearch();
    const since = index.search.moment();
    for (let n = 0; n < 25_000; n++) index.removed(`elsewhere/${n}`);
    await see(index, "f/", { files: [file("x.txt")], folders: [] }, since);
    expect(await index.keys("x.txt")).toEqual([]);
  });

  test("that says what the last one said asks the index nothing, until something was changed or corrected", async () => {
    let reads = 0;
    await using index = await openSearch({
      engine: (db) => ({
        ...db,
        all(query) {
          reads += 1;
          return db.all(query);
        },
      }),
    });
    const again = async (listed: ListedNames): Promise<number> => {
      reads = 0;
      await see(index, "f/", listed);
      return reads;
    };
    const listed = { files: [file("a.txt"), file("b.txt")], folders: ["sub"] };
    expect(await again(listed)).toBeGreaterThan(0);
    expect(await again(listed)).toBe(0);
    expect(await again({ ...listed, files: [file("a.txt", 2), file("b.txt")] })).toBeGreaterThan(0);
    expect(await index.amount("f/")).toEqual({ size: 3, files: 2 });
    expect(await again(listed)).toBeGreaterThan(0);
    // A change that was recorded, which the next listing says is gone again.
    index.written("f/c.txt", 5);
    await index.search.settled();
    expect(await again(listed)).toBeGreaterThan(0);
    expect((await index.keys("txt")).sort()).toEqual(["f/a.txt", "f/b.txt"]);
    // A correction by another listing, after which the folder is there as before.
    await see(index, "", nothing);
    expect(await index.keys("txt")).toEqual([]);
    expect(await again(listed)).toBeGreaterThan(0);
    expect((await index.keys("txt")).sort()).toEqual(["f/a.txt", "f/b.txt"]);
  });

  test("of 10,000 names writes only what differs", async () => {
    let statements = 0;
    await using index = await openSearch({
      engine: (db) => ({
        ...db,
        batch(queries) {
          statements += queries.length;
          return db.batch(queries);
        },
      }),
    });
    const files = Array.from({ length: 10_000 }, (_, n) => file(`name ${n}`, n));
    await see(index, "f/", { files, folders: [] });
    expect(await index.amount("f/")).toEqual({ size: 49_995_000, files: 10_000 });
    expect(statements).toBeGreaterThan(20_000);
    statements = 0;
    await see(index, "f/", { files, folders: [] });
    expect(statements).toBe(0);
    await see(index, "f/", { files: [...files.slice(0, 5000), ...files.slice(5001), file("one more")], folders: [] });
    expect(statements).toBeLessThan(20);
    expect(await index.amount("f/")).toEqual({ size: 49_990_001, files: 10_000 });
  });
});
