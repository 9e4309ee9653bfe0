import { describe, expect, test } from "bun:test";
import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { fs as api } from "#contract/fs/fs";
import { sql } from "../../../../src/database/sql.ts";
import { davCalls, davUrl } from "../../../support/clients/dav.ts";
import { openDav } from "../../../support/clients/open-dav.ts";
import { mountOther } from "../../../support/make-mount.ts";
import { openTestHouse } from "../../../support/test-house.ts";
import { treeCalls } from "../../../support/tree/tree-house.ts";

/** MOVE to another mount, which is made by copies: whoever looks afterwards finds the old or the new, and nothing twice. */

test("a MOVE to another mount moves what the index has, and leaves what was written anew", async () => {
  await using here = await openDav();
  await mountOther(here.house, "/other");
  const tree = await treeCalls(here.house);
  await tree.put("/drive/n/one-word", "/drive/n/deep/two-word");
  await here.send("MKCOL", "/drive/n/hollow");
  await here.house.house.vfs.search.settled();
  expect((await here.copyOrMove("MOVE", "/drive/n", "/other/m")).status).toBe(201);
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
  expect((await here.copyOrMove("MOVE", "/drive/n", "/other/d")).status).toBe(503);
  expect([isAwaited, await here.names("/other/d"), await here.names("/drive/n")]).toEqual([false, ["old"], ["1", "2"]]);
});

describe("the time of a file", () => {
  const GIVEN = "Fri, 14 Jul 2017 02:40:00 GMT";
  const OTHER = "Tue, 14 Nov 2023 22:13:20 GMT";

  async function openTwo() {
    const here = await openDav();
    await mountOther(here.house, "/other");
    return {
      ...here,
      put: (path: string) => here.send("PUT", path, { body: path, headers: { "x-oc-mtime": "1500000000" } }),
      time: async (path: string) => (await here.send("HEAD", path)).headers.get("last-modified"),
      [Symbol.asyncDispose]: () => here[Symbol.asyncDispose](),
    };
  }

  const ways = (["COPY", "MOVE"] as const).flatMap((method) =>
    ["/drive/to", "/other/to", "/other/file", "/other/folder"].map((to) => [method, to] as const),
  );

  test.each(ways)("stays with it in a %s to %s, as its client gave it or its disk has it", async (method, to) => {
    for (const isGiven of [true, false]) {
      await using here = await openTwo();
      await here.send("PUT", "/other/file", { body: "old" });
      await here.send("MKCOL", "/other/folder");
      if (isGiven) await here.put("/drive/a");
      else {
        await here.send("PUT", "/drive/a", { body: "/drive/a" });
        await utimes(join(here.house.objects, "drive", "a"), 1500000000, 1500000000);
      }
      expect((await here.copyOrMove(method, "/drive/a", to)).status).toBeLessThan(300);
      expect([await here.text(to), await here.time(to)]).toEqual(["/drive/a", GIVEN]);
      expect((await here.propfind(to, "0"))[0]?.properties.getlastmodified).toBe(GIVEN);
      if (method === "COPY") expect(await here.time("/drive/a")).toBe(GIVEN);
      // It is that of this version.
      await here.send("PUT", to, { body: "anew" });
      expect(await here.time(to)).not.toBe(GIVEN);
    }
  });

  test.each(ways)("is what a %s to %s says", async (method, to) => {
    await using here = await openTwo();
    await here.send("PUT", "/other/file", { body: "old" });
    await here.send("MKCOL", "/other/folder");
    await here.put("/drive/a");
    const refused = await here.copyOrMove(method, "/drive/a", to, { "x-oc-mtime": "soon" });
    expect([refused.status, await here.time("/drive/a")]).toEqual([400, GIVEN]);
    const { status, headers } = await here.copyOrMove(method, "/drive/a", to, { "x-oc-mtime": "1700000000" });
    expect(status).toBeLessThan(300);
    expect([headers.get("x-oc-mtime"), await here.time(to)]).toEqual(["accepted", OTHER]);
    expect(await here.time("/drive/a")).toBe(method === "COPY" ? GIVEN : null);
  });

  test.each(ways.filter(([, to]) => to !== "/other/file"))(
    "of a folder that goes by %s to %s stays with it",
    async (method, to) => {
      await using here = await openTwo();
      await here.send("MKCOL", "/other/folder");
      for (const path of ["/drive/d", "/drive/d/deep"]) await here.send("MKCOL", path);
      for (const path of ["/drive/d/1", "/drive/d/deep/2"]) await here.put(path);
      await here.send("PUT", "/drive/d/none", { body: "x" });
      const { status, headers } = await here.copyOrMove(method, "/drive/d", to, { "x-oc-mtime": "1700000000" });
      expect([status < 300, headers.get("x-oc-mtime")]).toEqual([true, null]);
      expect([await here.time(`${to}/1`), await here.time(`${to}/deep/2`)]).toEqual([GIVEN, GIVEN]);
      expect(await here.time(`${to}/none`)).not.toBe(GIVEN);
      expect(await here.time(`${to}/none`)).not.toBe(OTHER);
    },
  );
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
