import { expect, test } from "bun:test";
import { compareBytes } from "#contract/paths";
import { sql } from "../../../src/database/sql.ts";
import { type OpenSearch, openSearch } from "../../support/tree/open-search.ts";
import { until } from "../../support/until.ts";

/** Numbers that come again with each run. */
function createDice(seed: number) {
  let state = seed;
  return (sides: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % sides;
  };
}

/** What a storage holds, as simply as it can be said. */
function createModel() {
  const files = new Map<string, number>();
  const folders = new Set<string>();
  const addFolders = (key: string) => {
    for (let slash = key.indexOf("/"); slash >= 0; slash = key.indexOf("/", slash + 1))
      folders.add(key.slice(0, slash + 1));
  };
  const below = (key: string, folder: string) => key === folder || (folder.endsWith("/") && key.startsWith(folder));
  const remove = (key: string) => {
    for (const one of [...files.keys()]) if (below(one, key)) files.delete(one);
    for (const one of [...folders]) if (below(one, key)) folders.delete(one);
  };
  return {
    files,
    folders,
    remove,
    write(key: string, size: number) {
      addFolders(key);
      files.set(key, size);
    },
    make: addFolders,
    move(from: string, to: string) {
      const [movedFiles, movedFolders] = [
        [...files].filter(([key]) => below(key, from)),
        [...folders].filter((key) => below(key, from)),
      ];
      remove(from);
      remove(to);
      addFolders(to);
      for (const [key, size] of movedFiles) files.set(to + key.slice(from.length), size);
      for (const key of movedFolders) folders.add(to + key.slice(from.length));
    },
    amount(folder: string) {
      const inside = [...files].filter(([key]) => key.startsWith(folder));
      return { size: inside.reduce((sum, [, size]) => sum + size, 0), files: inside.length };
    },
  };
}

type Model = ReturnType<typeof createModel>;

const names = ["a", "b", "报告", "x y", "a%", "é", "a-b", "a."];

/** One random change of both. */
function changeBoth(index: OpenSearch, model: Model, dice: (sides: number) => number, round: number): void {
  const path = () => Array.from({ length: dice(3) }, () => `${names[dice(names.length)]}/`).join("");
  const file = () => `${path()}${names[dice(names.length)]}`;
  const folder = () => `${path()}${names[dice(names.length)]}/`;
  const any = <Value>(values: Iterable<Value>) => {
    const all = [...values];
    return all[dice(Math.max(1, all.length))];
  };
  const roll = dice(10);
  if (roll < 4) {
    const [key, size] = [file(), dice(1000)];
    index.written(key, size, round);
    model.write(key, size);
  } else if (roll === 4) {
    const key = folder();
    index.made(key);
    model.make(key);
  } else if (roll < 7) {
    const key = roll === 5 ? (any(model.files.keys()) ?? file()) : dice(4) === 0 ? folder() : file();
    index.removed(key);
    model.remove(key);
  } else {
    const from = roll < 9 ? any(model.files.keys()) : any(model.folders);
    const to = roll < 9 ? file() : folder();
    if (from === undefined || from === to || to.startsWith(from) || from.startsWith(to)) return;
    index.moved(from, to);
    model.move(from, to);
  }
}

async function compare(index: OpenSearch, model: Model): Promise<void> {
  await index.search.settled();
  expect(await index.amount("")).toEqual(model.amount(""));
  for (const folder of model.folders)
    expect([folder, await index.amount(folder)]).toEqual([folder, model.amount(folder)]);
  for (const parent of ["", ...model.folders]) {
    const inside = [...model.folders].filter(
      (key) => key.startsWith(parent) && /^[^/]+\/$/.test(key.slice(parent.length)),
    );
    const sizes = inside.sort(compareBytes).map((key): [string, number] => [key, model.amount(key).size]);
    expect([...(await index.sizes(parent, inside))]).toEqual(sizes);
    const some = sizes.slice(1, 3);
    const keys = some.map(([key]) => key);
    expect([...(await index.sizes(parent, keys))]).toEqual(some);
  }
  for (const [key] of [...model.files].slice(0, 20)) {
    const name = key.split("/").at(-1) ?? "";
    const same = [...model.files.keys(), ...model.folders].filter(
      (one) => one.split("/").filter(Boolean).at(-1) === name,
    );
    if (name.length < 2) continue;
    const found = await index.find(name, {}, { limit: 200 });
    expect(
      found.hits
        .filter((hit) => hit.name === name)
        .map((hit) => hit.key)
        .sort(),
    ).toEqual(same.sort());
  }
}

test.each([1, 2, 3, 4])("sizes, folders and names are right after any changes in any order (%d)", async (seed) => {
  await using index = await openSearch();
  const model = createModel();
  const dice = createDice(seed);
  for (let round = 1; round <= 1200; round++) {
    changeBoth(index, model, dice, round);
    // Sometimes one by one, sometimes many in a batch.
    if (dice(40) === 0) await index.search.settled();
    if (round % 150 === 0) await compare(index, model);
  }
  await compare(index, model);
  index.written("last", 1);
  for (const name of [...model.folders].filter((key) => key.indexOf("/") === key.length - 1)) index.removed(name);
  for (const name of [...model.files.keys(), "last"].filter((key) => !key.includes("/"))) index.removed(name);
  expect(await index.amount("")).toEqual({ size: 0, files: 0 });
  const left = () => index.db.all(sql`select name from nodes where parent > 0`);
  expect(await until(left, ({ length }) => length === 0)).toEqual([]);
});

test("a folder has its size however deep it is", async () => {
  await using index = await openSearch();
  const path = "d/".repeat(500);
  index.written(`${path}x`, 7);
  await index.search.settled();
  for (const depth of [1, 15, 16, 17, 24, 25, 31, 32, 33, 500])
    expect(await index.search.folder(index.place("d/".repeat(depth)))).toMatchObject({ size: 7, files: 1 });
  for (const depth of [0, 15, 16, 40])
    expect(await index.search.folder(index.place(`${"d/".repeat(depth)}no/${"d/".repeat(20)}`))).toBeUndefined();
});
