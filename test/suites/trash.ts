import { describe, expect, test } from "bun:test";
import { fs as api } from "#contract/fs/fs";
import { fsTrash, type TrashItem } from "#contract/fs/trash";
import { mounts } from "#contract/mounts";
import { TRASH } from "#contract/paths";
import { settings } from "#contract/settings";
import { sql } from "../../src/database/sql.ts";
import { ask } from "../support/share-file.ts";
import type { TreeCalls, Who } from "../support/tree/tree-house.ts";

/**
 * The trash over REST. Run on a disk and on a folder of the machine by test/src/fronts/trash/trash.test.ts, and on a real S3 server by
 * test/storage/trash.test.ts.
 */

const DAY = 24 * 60 * 60_000;

/** A tree with a storage at /m, and the names of what is at the root of that. */
export interface TrashTree extends TreeCalls, AsyncDisposable {
  readonly inStorage: () => Promise<readonly string[]>;
}

export const itemsOf = async ({ call }: TreeCalls, who?: Who): Promise<TrashItem[]> =>
  (await call(fsTrash.list, { query: {} }, who)).data.items;

/** Paths of what is in the trash, newest first. */
export const pathsIn = async (tree: TreeCalls, who?: Who): Promise<string> =>
  (await itemsOf(tree, who)).map(({ path }) => path).join(" ");

/** Deletes, and answers the ids in the trash. */
export async function discard({ call }: TreeCalls, paths: string[], who?: Who): Promise<string[]> {
  const { data, message } = await call(api.batchRemove, { body: { paths } }, who);
  if (!data || data.failed.length > 0) throw new Error(data?.failed[0]?.message ?? message);
  return data.trashed.map(({ id }) => id);
}

/** Puts back what was deleted; answers the paths, or the code of the failure. */
export async function restore({ call }: TreeCalls, ids: string[], who?: Who): Promise<string> {
  const { data, error } = await call(fsTrash.restore, { body: { ids } }, who);
  return error ?? data.restored.map(({ path }) => path).join(" ");
}

const share = async ({ call }: TreeCalls, path: string): Promise<string> =>
  (await call(api.createShare, { body: { path } })).data.slug;

const shown = async ({ house }: TreeCalls, slug: string): Promise<string> => {
  const response = await house.request(`/api/file-view/${slug}`);
  // A storage elsewhere hands out its files itself.
  if (response.status === 302) return await (await fetch(response.headers.get("location") ?? "")).text();
  const text = await response.text();
  return response.ok ? text : String(response.status);
};

/** Whether anything of the trash is in the storage. */
const keeps = async (tree: TrashTree): Promise<boolean> =>
  (await tree.inStorage()).some((name) => name.startsWith(TRASH.slice(0, -1)));

const sweep = ({ house }: TreeCalls) => house.house.system.sweeper.sweep();

export const describeTrash = (name: string, open: () => Promise<TrashTree>): void =>
  describe(`the trash on ${name}`, () => {
    test("a file goes to the trash and comes back with its share", async () => {
      await using tree = await open();
      await tree.write("/m/d/a.txt", "words");
      const slug = await share(tree, "/m/d/a.txt");
      expect(await shown(tree, slug)).toBe("words");
      const ids = await discard(tree, ["/m/d/a.txt"]);
      expect([await tree.text("/m/d/a.txt"), await shown(tree, slug)]).toEqual(["path.missing", "410"]);
      expect(await itemsOf(tree)).toMatchObject([
        { id: ids[0], name: "a.txt", path: "/m/d/a.txt", isDirectory: false, size: 5, files: 1, deleted_by: "admin" },
      ]);
      expect(await restore(tree, ids)).toBe("/m/d/a.txt");
      expect([await tree.text("/m/d/a.txt"), await shown(tree, slug), await pathsIn(tree)]).toEqual([
        "words",
        "words",
        "",
      ]);
      expect(await restore(tree, ids)).toBe("trash.missing");
      expect(await keeps(tree)).toBe(false);
    });

    test("a folder goes whole and comes back beside what is there now", async () => {
      await using tree = await open();
      await tree.put("/m/d/1", "/m/d/e/2", "/m/z");
      const slug = await share(tree, "/m/d/e/2");
      const ids = await discard(tree, ["/m/d/"]);
      expect([await tree.names("/m"), await shown(tree, slug)]).toEqual(["z", "410"]);
      await tree.write("/m/d/new", "new");
      expect(await restore(tree, ids)).toBe("/m/d(1)");
      expect(await tree.names("/m")).toBe("d(1)/ d/ z");
      expect([await tree.names("/m/d"), await tree.names("/m/d(1)"), await tree.text("/m/d(1)/e/2")]).toEqual([
        "new",
        "e/ 1",
        "/m/d/e/2",
      ]);
      expect(await shown(tree, slug)).toBe("/m/d/e/2");
    });

    test("a folder above that has gone comes back too", async () => {
      await using tree = await open();
      await tree.put("/m/d/e/1");
      const ids = [...(await discard(tree, ["/m/d/e/1"])), ...(await discard(tree, ["/m/d/"]))];
      expect(await restore(tree, ids.slice(0, 1))).toBe("/m/d/e/1");
      expect(await tree.text("/m/d/e/1")).toBe("/m/d/e/1");
    });

    test("nothing is seen of it at any name", async () => {
      await using tree = await open();
      await tree.put("/m/seen", "/m/d/secret", "/m/secret");
      const ids = await discard(tree, ["/m/secret", "/m/d/"]);
      await tree.house.house.vfs.search.settled();
      const search = async (q: string) =>
        (await tree.call(api.search, { query: { q } })).data.results.map(({ path }) => path);
      expect([await tree.names("/m"), await search("secret"), await search("satchel")]).toEqual(["seen", [], []]);
      const key = `/m/${TRASH}${ids[0]}`;
      for (const path of [key, `/m/${TRASH}`, `/m/${TRASH.toUpperCase()}${ids[0]}`]) {
        expect({ path, text: await tree.text(path) }).toEqual({ path, text: "path.invalid" });
        expect(await tree.outcome(api.update, { body: { path, content: "x" } })).toBe("400 path.invalid");
        expect(await tree.outcome(api.rename, { body: { oldPath: "/m/seen", newPath: path.replace(/\/$/, "") } })).toBe(
          "400 path.invalid",
        );
      }
      expect(await pathsIn(tree)).toBe("/m/d/ /m/secret");
      await tree.house.house.vfs.search.build((await itemsOf(tree))[0]?.storage_config_id ?? "");
      expect([await search("secret"), await search("seen")]).toEqual([[], ["/m/seen"]]);
      await restore(tree, ids);
      await tree.house.house.vfs.search.settled();
      expect((await search("secret")).sort()).toEqual(["/m/d/secret", "/m/secret"]);
    });

    test("deleted for ever it is gone, and so are its shares", async () => {
      await using tree = await open();
      await tree.put("/m/a", "/m/d/b");
      const slugs = [await share(tree, "/m/a"), await share(tree, "/m/d/b")];
      const ids = await discard(tree, ["/m/a", "/m/d/"]);
      const { data } = await tree.call(fsTrash.remove, { body: { ids } });
      expect(data).toEqual({ success: 2, failed: [] });
      expect([await pathsIn(tree), await restore(tree, ids), await keeps(tree)]).toEqual(["", "trash.missing", false]);
      expect(await Promise.all(slugs.map((slug) => shown(tree, slug)))).toEqual(["410", "410"]);
    });

    test("it goes by itself when its time has come, and not before", async () => {
      await using tree = await open();
      const { db, clock } = tree.house;
      await tree.put("/m/a", "/m/d/b");
      const [first] = await discard(tree, ["/m/a"]);
      const [second] = await discard(tree, ["/m/d/"]);
      const rest = async (id: string | undefined) =>
        (
          await db.first<{ rest: number }>(
            sql`select purge_at - ${clock.now()} as rest from trash where id = ${id ?? ""}`,
          )
        )?.rest;
      const until = (id: string | undefined, at: number) =>
        db.run(sql`update trash set purge_at = ${at} where id = ${id ?? ""}`);
      expect(Math.ceil(((await rest(first)) ?? 0) / DAY)).toBe(7);
      await until(first, clock.now());
      await until(second, clock.now() + DAY);
      expect(await pathsIn(tree)).toBe("/m/d/");
      expect(await restore(tree, [first ?? ""])).toBe("trash.missing");
      await sweep(tree);
      expect([await rest(first), await pathsIn(tree), await keeps(tree)]).toEqual([undefined, "/m/d/", true]);
      await until(second, clock.now());
      await sweep(tree);
      expect([await pathsIn(tree), await keeps(tree)]).toEqual(["", false]);
    });

    test("it counts until it is gone", async () => {
      await using tree = await open();
      await tree.write("/m/a", "x".repeat(100));
      await tree.write("/m/d/b", "x".repeat(50));
      const { data: all } = await ask(tree.house, mounts.list, {});
      const storage = all.find(({ mount_path }) => mount_path === "/m")?.storage_config_id;
      const used = async () =>
        (await tree.house.house.transfers.storages()).find(({ config }) => config.id === storage)?.used;
      const mounted = async () => (await tree.list("/")).data.items.find(({ name }) => name === "m")?.size;
      const first = await used();
      const ids = await discard(tree, ["/m/a", "/m/d/"]);
      expect([await used(), await mounted()]).toEqual([first, 0]);
      await tree.call(fsTrash.remove, { body: { ids } });
      expect(await used()).toBe((first ?? 0) - 150);
    });

    test("what is deleted for ever at once, or where a mount or the settings say no, does not go there", async () => {
      await using tree = await open();
      await tree.put("/m/a", "/m/b", "/m/c", "/m/d/e", "/m/f/g");
      const { data } = await tree.call(api.batchRemove, { body: { paths: ["/m/a", "/m/d/"], forever: true } });
      expect(data).toMatchObject({ success: 2, trashed: [] });
      const { data: all } = await ask(tree.house, mounts.list, {});
      const id = all.find(({ mount_path }) => mount_path === "/m")?.id ?? "";
      await ask(tree.house, mounts.update, { params: { id }, body: { trash: false } });
      expect(await discard(tree, ["/m/b"])).toEqual([]);
      await ask(tree.house, mounts.update, { params: { id }, body: { trash: true } });
      await ask(tree.house, settings.update, { params: { group: "1" }, body: { trash_days: "0" } });
      expect(await discard(tree, ["/m/c", "/m/f/"])).toEqual([]);
      expect([await pathsIn(tree), await keeps(tree), await tree.names("/m")]).toEqual(["", false, ""]);
    });
  });
