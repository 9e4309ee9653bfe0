import { describe, expect, test } from "bun:test";
import { fs as api } from "#contract/fs/fs";
import type { Database } from "../../../../../src/database/database.ts";
import { sql } from "../../../../../src/database/sql.ts";
import { makeMount } from "../../../../support/make-mount.ts";
import { shareFile } from "../../../../support/share-file.ts";
import { hours } from "../../../../support/test-clock.ts";
import { openTreeHouse, type TreeCalls, type Who } from "../../../../support/tree/tree-house.ts";

/** How many shares end with files that somebody is about to delete. */

const share = async ({ call }: TreeCalls, path: string, fields: Record<string, unknown> = {}, who?: Who) =>
  (await call(api.createShare, { body: { path, ...fields } }, who)).data;

/** The number, with a plus when there may be more; the code of the failure otherwise. */
async function counted({ call }: TreeCalls, paths: string[], who?: Who): Promise<string> {
  const { data, error } = await call(api.countShares, { body: { paths } }, who);
  return error ?? `${data.shares}${data.exact ? "" : "+"}`;
}

/** Shares of so many files below a folder, as rows. */
const manyShares = (db: Database, folder: string, count: number) =>
  db.run(sql`
    insert into files (id, slug, filename, storage, key, pending, content_type, size, max_views, views, use_proxy, version,
      created_by, created_at, updated_at, locked)
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})
    select ${folder} || n, ${`${folder.replaceAll("/", "-")}`} || n, 'f', (select id from storage_configs limit 1), ${folder} || n, 0,
      'text/plain', 1, 0, 0, 0, 1, 'admin', 1, 1, 0 from numbers`);

describe("shares that end with what is deleted", () => {
  test("are those of the files themselves, and of all below folders, each once", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a", "/m/b", "/m/d/a", "/m/d/sub/100%_b", "/m/d2/a");
    for (const path of ["/m/a", "/m/a", "/m/d/a", "/m/d/sub/100%_b", "/m/d2/a"]) await share(tree, path);
    expect(await counted(tree, ["/m/a"])).toBe("2");
    expect(await counted(tree, ["/m/b", "/m/none", "/m/none/"])).toBe("0");
    expect(await counted(tree, ["/m/d/"])).toBe("2");
    expect(await counted(tree, ["/m/d/sub/", "/m/d/", "/m/d/a", "/m/a"])).toBe("4");
  });

  test("count once, however many other paths stand between two that lead to them", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/d/a", "/m/b");
    await share(tree, "/m/d/a");
    await share(tree, "/m/b");
    await makeMount(tree.house, { mount_path: "/again" });
    const others = Array.from({ length: 100 }, (_, index) => `/m/${index}`);
    expect(await counted(tree, ["/m/d/a", ...others, "/m/d/"])).toBe("1");
    expect(await counted(tree, ["/m/d/", ...others, "/m/d/none/", "/again/d/a", "/again/d/"])).toBe("1");
    expect(await counted(tree, ["/m/b", ...others, "/m/b", "/again/b", "/m/d/a"])).toBe("2");
  });

  test("count once where two storages stand on one bucket", async () => {
    await using tree = await openTreeHouse();
    const bucket = {
      ...{ provider_type: "Other", endpoint_url: "http://127.0.0.1:1", bucket_name: "shared-bucket" },
      ...{ access_key_id: "key", secret_access_key: "of-another-storage" },
    };
    const { storage } = await tree.second({ mount_path: "/one" }, bucket);
    await tree.second({ mount_path: "/two" }, { ...bucket, name: "Third" });
    await manyShares(tree.house.db, "d/", 1);
    await tree.house.db.run(sql`update files set storage = ${storage.id}`);
    const others = Array.from({ length: 100 }, (_, index) => `/m/${index}`);
    expect(await counted(tree, ["/one/d/1", ...others, "/two/d/1", "/two/d/"])).toBe("1");
  });

  test("are told as they end: after the delete nothing is left to count", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/d/a", "/m/d/b");
    const shares = [await share(tree, "/m/d/a"), await share(tree, "/m/d/b")];
    const opens = async () =>
      await Promise.all(shares.map(async ({ slug }) => (await tree.house.request(`/api/file-view/${slug}`)).status));
    expect([await counted(tree, ["/m/d/"]), await opens()]).toEqual(["2", [200, 200]]);
    await tree.call(api.batchRemove, { body: { paths: ["/m/d/"] } });
    expect([await counted(tree, ["/m/d/"]), await opens()]).toEqual(["0", [410, 410]]);
  });

  test("are not those that no longer open: expired and used up", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a");
    await share(tree, "/m/a", { slug: "short", expires_in: 2 });
    await share(tree, "/m/a", { slug: "once", max_views: 1 });
    await share(tree, "/m/a", { slug: "lasting" });
    expect(await counted(tree, ["/m/a"])).toBe("3");
    await tree.house.request("/api/file-view/once");
    tree.house.clock.advance(hours(3));
    expect(await counted(tree, ["/m/a"])).toBe("1");
  });

  test("follow a file that was uploaded to be shared, in whichever mount it is seen", async () => {
    await using tree = await openTreeHouse();
    await shareFile(tree.house, { filename: "note.txt", content: "hello" });
    expect(await counted(tree, ["/m/shares/"])).toBe("1");
    expect(await counted(tree, ["/m/shares/note.txt"])).toBe("1");
  });

  test("are counted to ten thousand, then told as at least so many", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/few/a");
    await manyShares(tree.house.db, "few/", 9999);
    await manyShares(tree.house.db, "many/", 10_000);
    expect(await counted(tree, ["/m/few/"])).toBe("9999");
    expect(await counted(tree, ["/m/many/"])).toBe("10000+");
    const files = Array.from({ length: 250 }, (_, index) => `/m/few/${index + 1}`);
    expect(await counted(tree, [...files, "/m/many/"])).toBe("10000+");
    expect(await counted(tree, files)).toBe("250");
  });
});

describe("who is told how many", () => {
  test("the administrator of all, a key of its own", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a");
    const [one, other] = [await tree.holder(), await tree.holder()];
    await share(tree, "/m/a");
    await share(tree, "/m/a", {}, one);
    await share(tree, "/m/a", {}, one);
    expect([
      await counted(tree, ["/m/a"]),
      await counted(tree, ["/m/a"], one),
      await counted(tree, ["/m/a"], other),
    ]).toEqual(["3", "2", "0"]);
  });

  test("only who may delete there", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/in/a", "/m/out/a");
    const inside = await tree.holder("/m/in");
    expect(await counted(tree, ["/m/in/a"], inside)).toBe("0");
    expect(await counted(tree, ["/m/in/a", "/m/out/a"], inside)).toBe("path.forbidden");
    expect(await counted(tree, ["/m/"], inside)).toBe("path.forbidden");
    expect(await counted(tree, ["/m/a"], await tree.holder("/", "mount_view"))).toBe("auth.forbidden");
    expect(await counted(tree, ["/m/a"], {})).toBe("auth.required");
  });

  test.each([
    [["/"], "mount.none"],
    [["/none/a"], "mount.none"],
    [["no slash"], "path.invalid"],
    [["/m/../a"], "path.invalid"],
    [[], "body.invalid"],
    [Array(1001).fill("/m/a"), "body.invalid"],
  ])("%#: refused", async (paths, said) => {
    await using tree = await openTreeHouse();
    expect(await counted(tree, paths)).toBe(said);
  });
});
