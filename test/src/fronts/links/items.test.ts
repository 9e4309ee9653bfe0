import { describe, expect, spyOn, test } from "bun:test";
import { files } from "#contract/files";
import { fs } from "#contract/fs/fs";
import { keys } from "#contract/keys";
import { links as api, type LinkItem } from "#contract/links";
import { uploads } from "#contract/uploads";
import { sql } from "../../../../src/database/sql.ts";
import { placeOf } from "../../../../src/links/kept-links.ts";
import { linksTable } from "../../../../src/links/links-table.ts";
import { linkCalls } from "../../../support/callers/link-visit.ts";
import { makeKey, withKey } from "../../../support/make-key.ts";
import { ask, put, shareFile } from "../../../support/share-file.ts";
import { openTreeHouse, type TreeCalls, type Who } from "../../../support/tree/tree-house.ts";

/** Links whose items are named as paths, or as shares of files. */

const shared = async ({ call, admin }: TreeCalls, path: string, who: Who = admin): Promise<string> =>
  (await call(fs.createShare, { body: { path } }, who)).data.fileId;

/** What a visitor sees at the root of a link. */
async function seen(tree: TreeCalls, slug: string): Promise<string> {
  const { open, withGrant } = linkCalls(tree);
  return await tree.names("/", withGrant((await open(slug)).data));
}

const rename = ({ outcome }: TreeCalls, oldPath: string, newPath: string) =>
  outcome(fs.rename, { body: { oldPath, newPath } });

describe("items of a link", () => {
  test("are paths and shares of files, each once, in the order that they were sent", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a.txt", "/m/b.txt", "/m/d/c.txt");
    const [a, b] = [await shared(tree, "/m/a.txt"), await shared(tree, "/m/b.txt")];
    const items = [{ file: b }, "/m/d/", { path: "/m/a.txt" }, { file: a }];
    const { data } = await tree.call(api.create, { body: { items } });
    expect(data.items.map(({ path }) => path)).toEqual(["/m/b.txt", "/m/d/", "/m/a.txt"]);
    expect(await seen(tree, data.slug)).toBe("d/ a.txt b.txt");
  });

  test("may be shares of files that were uploaded", async () => {
    await using tree = await openTreeHouse();
    const { id } = await shareFile(tree.house, { filename: "note.txt", content: "hello" });
    const { data } = await tree.call(api.create, { body: { items: [{ file: id }] } });
    expect(data.items).toMatchObject([{ name: "note.txt", path: "/m/shares/note.txt", isDirectory: false }]);
    const { open, withGrant } = linkCalls(tree);
    expect(await tree.text("/note.txt", withGrant((await open(data.slug)).data))).toBe("hello");
  });

  test("follow the file, and stay when its share is deleted", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a.txt");
    const id = await shared(tree, "/m/a.txt");
    const { data } = await tree.call(api.create, { body: { items: [{ file: id }] } });
    expect(await rename(tree, "/m/a.txt", "/m/b.txt")).toBe("200");
    expect(await seen(tree, data.slug)).toBe("b.txt");
    expect((await ask(tree.house, files.remove, { body: { ids: [id], delete_mode: "record_only" } })).status).toBe(200);
    expect(await seen(tree, data.slug)).toBe("b.txt");
  });

  test("replace those of a link that is changed, for its owner", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a.txt", "/m/b.txt");
    const who = await tree.holder("/", "mount_view", "file_share");
    const [own, another] = [await shared(tree, "/m/b.txt", who), await shared(tree, "/m/b.txt")];
    const { make, update } = linkCalls(tree);
    const { id, slug } = await make(["/m/a.txt"], {}, who);
    // What the administrator may name is not the key's to give away.
    expect((await update(id, { items: [{ file: another }] })).error).toBe("share.missing");
    expect((await update(id, { items: [{ file: own }] })).status).toBe(200);
    expect(await seen(tree, slug)).toBe("b.txt");
  });

  test("are refused where they are not the caller's, and no link is made", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a.txt", "/m/d/b.txt");
    const id = await shared(tree, "/m/a.txt");
    const key = await tree.holder("/m/d");
    const refused = async (items: readonly unknown[], who: Who = tree.admin) =>
      await tree.outcome(api.create, { body: { items } as never }, who);
    expect(await refused([{ file: id }], key)).toBe("404 share.missing");
    expect(await refused([{ file: "none" }])).toBe("404 share.missing");
    for (const item of [{}, { file: id, path: "/m/a.txt" }, { file: 1 }, { file: "x".repeat(65) }, null])
      expect(await refused([item])).toBe("400 body.invalid");
    await tree.outcome(fs.batchRemove, { body: { paths: ["/m/a.txt"], forever: true } });
    expect(await refused([{ file: id }])).toBe("410 file.gone");
    expect((await tree.call(api.list, {})).data.total).toBe(0);
  });

  test("are refused where no mount shows the file to the caller", async () => {
    await using tree = await openTreeHouse();
    const key = await tree.holder("/m/d");
    const begun = (await ask(tree.house, uploads.presign, { body: { filename: "note.txt", size: 5 } }, key)).data;
    expect((await put(tree.house, begun.upload_url, "hello", begun.contentType)).status).toBe(200);
    const sent = await ask(tree.house, uploads.commit, { body: { file_id: begun.file_id } }, key);
    expect(sent.status).toBe(200);
    const items = [{ file: begun.file_id }];
    expect(await tree.outcome(api.create, { body: { items } }, key)).toBe("400 link.item");
    expect(await tree.outcome(api.create, { body: { items } })).toBe("201");
  });
});

describe("items that a change keeps", () => {
  const ids = (items: readonly LinkItem[]): string[] => items.map(({ id }) => id);
  const kept = (items: readonly LinkItem[]) => ids(items).map((id) => ({ kept: id }));

  test("stay where nobody can reach them at this moment, and where they are gone", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/d/a.txt", "/m/e/b.txt", "/m/e/c.txt");
    const key = await makeKey(tree.house, { permissions: ["mount_view"] });
    const who = withKey(key);
    const { make, update, get } = linkCalls(tree);
    const { id, slug } = await make(["/m/d/a.txt", "/m/e/b.txt", "/m/e/c.txt"], {}, who);
    await tree.outcome(fs.batchRemove, { body: { paths: ["/m/e/c.txt"], forever: true } });
    const edit = (basic_path: string) => ask(tree.house, keys.update, { params: { id: key.id }, body: { basic_path } });
    await edit("/m/d");
    const before = (await get(id)).data.items;
    expect(before.map(({ path }) => path)).toEqual(["/m/d/a.txt", null, null]);
    const [a, b, c] = before;
    const { status, data } = await update(
      id,
      { title: "New", items: kept([b, c, a].flatMap((one) => one ?? [])) },
      who,
    );
    expect([status, data.title, ids(data.items)]).toEqual([200, "New", [b?.id, c?.id, a?.id]] as never);
    await edit("/");
    expect((await get(id)).data.items.map(({ path }) => path)).toEqual(["/m/e/b.txt", null, "/m/d/a.txt"]);
    expect(await seen(tree, slug)).toBe("a.txt b.txt");
  });

  test("stand among new ones in the order that was sent, each once", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a.txt", "/m/b.txt", "/m/c.txt");
    const { make, update } = linkCalls(tree);
    const { id, items } = await make(["/m/a.txt", "/m/b.txt"]);
    const [a] = kept(items);
    const { data } = await update(id, { items: ["/m/c.txt", a, "/m/a.txt", "/m/c.txt"] });
    expect(data.items.map(({ path }) => path)).toEqual(["/m/c.txt", "/m/a.txt"]);
    expect(data.items[1]?.id).toBe(items[0]?.id ?? "");
  });

  test("must be the link's own, and a new link has none", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a.txt", "/m/b.txt");
    const { make, update, get } = linkCalls(tree);
    const [one, other] = [await make(["/m/a.txt", "/m/b.txt"]), await make(["/m/a.txt"])];
    expect((await update(one.id, { items: kept(other.items) })).error).toBe("link.itemChanged");
    const [first, second] = kept(one.items);
    expect((await update(one.id, { items: [first] })).status).toBe(200);
    expect((await update(one.id, { title: "Old page", items: [first, second] })).error).toBe("link.itemChanged");
    expect((await get(one.id)).data).toMatchObject({ title: null, item_count: 1 });
    expect(await tree.outcome(api.create, { body: { items: [first] } as never })).toBe("400 body.invalid");
    expect((await update(one.id, { items: [{ kept: "x".repeat(65) }] })).error).toBe("body.invalid");
  });

  test("follow what moves them while the link is changed", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a.txt", "/m/b.txt");
    const { make } = linkCalls(tree);
    const { id } = await make(["/m/a.txt", "/m/b.txt"]);
    const table = linksTable(tree.house.db);
    const [row, rows] = [await table.find(id), await table.items([id], 10, tree.house.clock.now())];
    if (!row) throw new Error("The link is not there.");
    expect(await rename(tree, "/m/a.txt", "/m/moved.txt")).toBe("200");
    const [a, b] = rows.map(placeOf);
    expect(
      await table.update(
        row,
        { ...row, updated_at: row.updated_at + 1 },
        [b, a].flatMap((one) => one ?? []),
      ),
    ).toBe(true);
    const { data } = await linkCalls(tree).get(id);
    expect(data.items.map(({ path }) => path)).toEqual(["/m/b.txt", "/m/moved.txt"]);
  });

  test("that are new in a link lead nowhere when they are moved before it can follow them", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/old/a.txt", "/m/new/b.txt");
    const { make, update, get } = linkCalls(tree);
    const { id, slug } = await make(["/m/old/"]);
    const { links } = tree.house.house;
    const write = links.update;
    spyOn(links, "update").mockImplementationOnce(async (...call) => {
      await rename(tree, "/m/new/", "/m/moved/");
      return await write(...call);
    });
    expect((await update(id, { items: ["/m/old/", "/m/new/"] })).error).toBe("path.missing");
    await tree.put("/m/new/secret.txt");
    expect(await seen(tree, slug)).toBe("old/");
    expect((await get(id)).data.items).toMatchObject([{ path: "/m/old/" }, { name: "new", path: null }]);
  });

  test("of a link that was made before they had names are named by their places", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a.txt", "/m/b.txt");
    const { make, update } = linkCalls(tree);
    const { id } = await make(["/m/a.txt", "/m/b.txt"]);
    await tree.house.db.run(sql`update link_items set id = ''`);
    const { data } = await update(id, { items: [{ kept: "1" }] });
    expect(data.items).toMatchObject([{ id: "1", path: "/m/b.txt" }]);
  });
});
