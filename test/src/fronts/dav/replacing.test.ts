import { describe, expect, test } from "bun:test";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { fs as api } from "#contract/fs/fs";
import { storage } from "#contract/storage";
import { sql } from "../../../../src/database/sql.ts";
import { resources, setting } from "../../../support/clients/dav.ts";
import { openDav as open } from "../../../support/clients/open-dav.ts";
import { mountOther } from "../../../support/make-mount.ts";
import { ask } from "../../../support/share-file.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";
import { openTestHouse } from "../../../support/test-house.ts";
import { treeCalls } from "../../../support/tree/tree-house.ts";

/** MOVE in place of something, as programs save: whoever reads sees the old or the new. */

const ROUNDS = 60;
const READERS = 4;

/** Reads until something has ended; answers how often each answer came. */
async function readMeanwhile(read: () => Promise<string>, ended: Promise<unknown>): Promise<Map<string, number>> {
  const seen = new Map<string, number>();
  let isOver = false;
  const reader = async () => {
    while (!isOver) {
      const said = await read();
      seen.set(said, (seen.get(said) ?? 0) + 1);
    }
  };
  const readers = Array.from({ length: READERS }, reader);
  await ended.finally(() => {
    isOver = true;
  });
  await Promise.all(readers);
  return seen;
}

describe("a MOVE in place of a file", () => {
  test("is never seen without a file, nor with the ETag or the type of another one", async () => {
    await using here = await open();
    const put = async (path: string, text: string) =>
      (await here.send("PUT", path, { body: text, headers: { "content-type": "text/x-saved" } })).headers.get("etag");
    const known = new Set<string>([`${await put("/drive/a.db", "0")}`]);
    const save = async () => {
      for (let round = 1; round <= ROUNDS; round++) {
        known.add(`${await put("/drive/a.db.tmp", `${round}`)}`);
        expect((await here.copyOrMove("MOVE", "/drive/a.db.tmp", "/drive/a.db")).status).toBe(204);
      }
    };
    const seen = await readMeanwhile(async () => {
      const { status, headers } = await here.send("HEAD", "/drive/a.db");
      const isKnown = known.has(headers.get("etag") ?? "") || "unknown ETag";
      return [status, isKnown, headers.get("content-type")].join(" ");
    }, save());
    expect([...seen.keys()]).toEqual(["200 true text/x-saved; charset=utf-8"]);
    expect([await here.text("/drive/a.db"), await here.names("/drive")]).toEqual([`${ROUNDS}`, ["a.db"]]);
  });

  test("gives its share the new bytes, and its properties go with it", async () => {
    await using here = await open();
    const tree = await treeCalls(here.house);
    await here.send("PUT", "/drive/a.txt", { body: "old" });
    await here.send("PROPPATCH", "/drive/a.txt", { body: setting("<x:p>old</x:p>") });
    const { data } = await tree.call(api.createShare, { body: { path: "/drive/a.txt" } });
    await here.send("PUT", "/drive/tmp", { body: "the new one" });
    expect((await here.copyOrMove("MOVE", "/drive/tmp", "/drive/a.txt")).status).toBe(204);
    const shown = await here.house.request(`/api/file-view/${data.slug}`);
    expect([shown.status, await shown.text()]).toEqual([200, "the new one"]);
    expect(await here.property("/drive/a.txt")).toBeUndefined();
    const { data: found } = await tree.call(api.search, { query: { q: "a.txt", scope: "global" } });
    expect(found.results.map(({ path, size }) => [path, size])).toEqual([["/drive/a.txt", 11]]);
  });
});

describe("a MOVE in place of a folder", () => {
  test("that is killed between its two renames is not made", async () => {
    using folder = temporaryFolder();
    const place = { file: join(folder.path, "satchel.db"), objects: join(folder.path, "objects") };
    const [from, to, aside] = ["n/", "d/", ".satchel-staging-x"];
    {
      await using first = await openTestHouse(place);
      const tree = await treeCalls(first);
      await tree.put("/drive/d/1", "/drive/n/2");
      const { id: storage } = (await first.db.first<{ id: string }>(sql`select id from storage_configs`)) ?? { id: "" };
      const move = { kind: "moved", from: { storage, key: from }, to: { storage, key: to }, replaced: to, aside };
      await first.db.run(sql`insert into change_intents (id, storage, changes, certain)
        values ('x', ${storage}, ${JSON.stringify([move])}, 0)`);
      renameSync(tree.onDisk("d"), tree.onDisk(aside));
    }
    await using next = await openTestHouse(place);
    await next.house.start();
    const tree = await treeCalls(next);
    expect(await filesOf(tree)).toEqual({ "/drive/d/1": "/drive/d/1", "/drive/n/2": "/drive/n/2" });
    expect(await next.db.all(sql`select id from change_intents`)).toEqual([]);
  });

  test("is never seen without a folder", async () => {
    await using here = await open();
    const make = async (path: string, text: string) => {
      await here.send("MKCOL", path);
      await here.send("PUT", `${path}/file`, { body: text });
    };
    await make("/drive/d", "0");
    const replace = async () => {
      for (let round = 1; round <= ROUNDS; round++) {
        await make("/drive/n", `${round}`);
        expect((await here.copyOrMove("MOVE", "/drive/n", "/drive/d")).status).toBe(204);
      }
    };
    const read = async () => [await here.status("HEAD", "/drive/d/file"), ...(await here.names("/drive/d"))].join(" ");
    expect([...(await readMeanwhile(read, replace())).keys()]).toEqual(["200 file"]);
    expect(await here.names("/drive")).toEqual(["d/"]);
  });

  test("needs no name that somebody could use", async () => {
    await using here = await open();
    for (const path of ["/drive/.satchel-staging-1", "/drive/d/.Satchel-Staging-/x"])
      expect(await here.status("PUT", path, { body: "x" })).toBe(400);
  });
});

type Tree = Awaited<ReturnType<typeof treeCalls>>;

describe("a COPY in place of a folder", () => {
  test("on a storage that has no room for it leaves the old one whole", async () => {
    await using here = await open();
    const { storage_config_id } = await mountOther(here.house, "/other");
    const tree = await treeCalls(here.house);
    await tree.put("/other/d/1", "/other/d/2", "/drive/n/1");
    await tree.write("/drive/n/large", "x".repeat(5000));
    await ask(here.house, storage.update, { params: { id: storage_config_id }, body: { total_storage_bytes: 1000 } });
    for (const method of ["COPY", "MOVE"] as const) {
      const answer = await here.copyOrMove(method, "/drive/n", "/other/d");
      expect(resources(answer).map(({ href, status }) => [href, status])).toEqual([["/dav/other/d/large", 507]]);
      expect(await filesOf(tree, "/other")).toEqual({ "/other/d/1": "/other/d/1", "/other/d/2": "/other/d/2" });
      expect(await here.names("/drive/n")).toEqual(["1", "large"]);
    }
    await ask(here.house, storage.update, {
      params: { id: storage_config_id },
      body: { total_storage_bytes: 100_000 },
    });
    expect((await here.copyOrMove("MOVE", "/drive/n", "/other/d")).status).toBe(204);
    expect(Object.keys(await filesOf(tree, "/other"))).toEqual(["/other/d/1", "/other/d/large"]);
    expect(await here.names("/drive")).toEqual([]);
  });
});

/** Paths of all files with what is in them. */
async function filesOf(tree: Tree, folder = "/drive"): Promise<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const { path, isDirectory } of (await tree.list(folder)).data.items) {
    if (isDirectory) Object.assign(all, await filesOf(tree, path.replace(/\/$/, "")));
    else all[path] = await tree.text(path);
  }
  return all;
}
