import { describe, expect, test } from "bun:test";
import { fs as api } from "#contract/fs";
import { sql } from "../../../../src/database/database.ts";
import { stopAtEachWrite } from "../../../support/crash.ts";
import { davCalls, davUrl, setting } from "../../../support/dav.ts";
import { mountOther } from "../../../support/make-mount.ts";
import { openDav } from "../../../support/open-dav.ts";
import type { TestHouse } from "../../../support/test-house.ts";
import { openTestHouse } from "../../../support/test-house.ts";
import { type TreeCalls, treeCalls } from "../../../support/tree-house.ts";

/** MOVE to another mount, which is made by copies: whoever looks afterwards finds the old or the new, and nothing twice. */

/** Paths of all files below /drive and /other with what is in them. */
async function filesOf(tree: TreeCalls, folder?: string): Promise<Record<string, string>> {
  if (folder === undefined) return { ...(await filesOf(tree, "/drive")), ...(await filesOf(tree, "/other")) };
  const all: Record<string, string> = {};
  for (const { path, isDirectory } of (await tree.list(folder)).data.items) {
    if (isDirectory) Object.assign(all, await filesOf(tree, path.replace(/\/$/, "")));
    else all[path] = await tree.text(path);
  }
  return all;
}

const withPaths = (paths: readonly string[]) => Object.fromEntries(paths.map((path) => [path, `of ${path}`]));

interface Case {
  readonly old: readonly string[];
  readonly coming: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly stride: number;
}

const folder = ["/drive/n/1", "/drive/n/new/2", "/drive/n/new/3"];
const cases: Readonly<Record<string, Case>> = {
  "a file to a free path": { old: [], coming: ["/drive/f"], from: "/drive/f", to: "/other/t", stride: 1 },
  "a file over a file": { old: ["/other/t"], coming: ["/drive/f"], from: "/drive/f", to: "/other/t", stride: 1 },
  "a folder to a free path": { old: [], coming: folder, from: "/drive/n", to: "/other/d", stride: 3 },
  "a folder over a folder": {
    old: ["/other/d/1", "/other/d/gone/9"],
    coming: folder,
    from: "/drive/n",
    to: "/other/d",
    stride: 5,
  },
  "a file over a folder": { old: ["/other/d/1"], coming: ["/drive/f"], from: "/drive/f", to: "/other/d", stride: 3 },
};

const afterOf = ({ coming, from, to }: Case) =>
  Object.fromEntries(coming.map((path) => [to + path.slice(from.length), `of ${path}`]));

/** What else must be as its files are. */
async function expectTold(house: TestHouse, tree: TreeCalls, writes: number): Promise<void> {
  expect({ writes, intents: await house.db.all(sql`select changes from change_intents`) }).toEqual({
    ...{ writes, intents: [] },
  });
  const { data } = await tree.call(api.search, { query: { q: "satchel-staging", scope: "global" } });
  expect({ writes, staged: data.results }).toEqual({ writes, staged: [] });
}

describe("a MOVE to another mount that is killed anywhere", () => {
  test.each(Object.entries(cases))("leaves the old or the new: %s", async (_, one) => {
    const { old, coming, from, to, stride } = one;
    const [first = ""] = coming;
    const before = withPaths([...old, ...coming]);
    const after = afterOf(one);
    let [unmade, made] = [0, 0];
    await stopAtEachWrite({
      stride,
      async arrange(house) {
        await mountOther(house, "/other");
        const tree = await treeCalls(house);
        for (const [path, text] of Object.entries(before)) await tree.write(path, text);
        await davCalls(house).send("PROPPATCH", first, { body: setting("<x:p>kept</x:p>") });
        await house.house.vfs.search.settled();
        return (await tree.call(api.createShare, { body: { path: first } })).data.slug;
      },
      act: (house) => davCalls(house).relocate("MOVE", from, to),
      async check(house, slug, writes) {
        const tree = await treeCalls(house);
        const now = await filesOf(tree);
        const isOld = Bun.deepEquals(now, before);
        expect({ writes, now }).toEqual({ writes, now: isOld ? before : after });
        const shown = await house.request(`/api/file-view/${slug}`);
        expect({ writes, shown: await shown.text() }).toEqual({ writes, shown: `of ${first}` });
        const path = isOld ? first : to + first.slice(from.length);
        const answer = await davCalls(house).send("PROPFIND", path, { headers: { depth: "0" } });
        expect({ writes, kept: answer.text.includes("kept") }).toEqual({ writes, kept: true });
        await expectTold(house, tree, writes);
        if (isOld) unmade += 1;
        else made += 1;
      },
    });
    expect([unmade > 1, made > 1]).toEqual([true, true]);
  });
});

test("a MOVE to another mount moves what the index has, and leaves what was written anew", async () => {
  await using here = await openDav();
  await mountOther(here.house, "/other");
  const tree = await treeCalls(here.house);
  await tree.put("/drive/n/one-word", "/drive/n/deep/two-word");
  await here.send("MKCOL", "/drive/n/hollow");
  await here.house.house.vfs.search.settled();
  expect((await here.relocate("MOVE", "/drive/n", "/other/m")).status).toBe(201);
  await here.house.house.vfs.search.settled();
  const { data } = await tree.call(api.search, { query: { q: "-word", scope: "global" } });
  expect(data.results.map(({ path }) => path).sort()).toEqual(["/other/m/deep/two-word", "/other/m/one-word"]);
  expect([await here.names("/drive"), await here.names("/other/m")]).toEqual([[], ["deep/", "hollow/", "one-word"]]);
});

test("a MOVE of a server that another one took for dead takes nothing along that is not there any more", async () => {
  let isAwaited = false;
  await using here = await openDav({
    engine: (db) => ({
      ...db,
      async run(query) {
        const changed = await db.run(query);
        if (!isAwaited) return changed;
        // Another server takes what is staged for left behind, as soon as it is recorded.
        const staged = '%"staged"%';
        isAwaited = (await db.run(sql`update change_intents set holder = 'other' where changes like ${staged}`)) === 0;
        return changed;
      },
    }),
  });
  await mountOther(here.house, "/other");
  const tree = await treeCalls(here.house);
  await tree.put("/drive/n/1", "/drive/n/2", "/other/d/old");
  isAwaited = true;
  expect((await here.relocate("MOVE", "/drive/n", "/other/d")).status).toBe(503);
  expect([isAwaited, await here.names("/other/d"), await here.names("/drive/n")]).toEqual([false, ["old"], ["1", "2"]]);
});

describe("a COPY or MOVE whose client has gone", () => {
  /** A house that ends the request at its statement of some number. */
  async function openLeaving() {
    let left = Number.POSITIVE_INFINITY;
    let controller = new AbortController();
    const count = () => {
      left -= 1;
      if (left === 0) controller.abort();
    };
    const house = await openTestHouse({
      engine: (db) => ({
        ...db,
        run: (query) => {
          count();
          return db.run(query);
        },
        batch: (queries) => {
          count();
          return db.batch(queries);
        },
      }),
    });
    return {
      house,
      async leaveAt<Result>(statement: number, act: (signal: AbortSignal) => Promise<Result>): Promise<boolean> {
        controller = new AbortController();
        left = statement;
        await act(controller.signal);
        left = Number.POSITIVE_INFINITY;
        return controller.signal.aborted;
      },
      [Symbol.asyncDispose]: () => house[Symbol.asyncDispose](),
    };
  }

  test.each(["COPY", "MOVE"] as const)("%s: replaces nothing by a part of what was to come", async (method) => {
    await using here = await openLeaving();
    await mountOther(here.house, "/other");
    const tree = await treeCalls(here.house);
    const dav = davCalls(here.house);
    const coming = Array.from({ length: 20 }, (_, number) => `/drive/n/${number}`);
    for (let statement = 1; ; statement += 4) {
      await dav.send("DELETE", "/other/d");
      for (const path of [...coming, "/other/d/old"]) await tree.write(path, `of ${path}`);
      const isGone = await here.leaveAt(statement, (signal) =>
        dav.send(method, "/drive/n", { headers: { destination: davUrl("/other/d") }, signal }),
      );
      const names = (await dav.names("/other/d")).length;
      expect({ statement, names: names === 1 || names === coming.length }).toEqual({ statement, names: true });
      if (method === "MOVE" && names === 1) expect((await dav.names("/drive/n")).length).toBe(coming.length);
      if (!isGone) break;
    }
  });
});
