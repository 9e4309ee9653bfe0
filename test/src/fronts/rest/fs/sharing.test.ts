import { describe, expect, test } from "bun:test";
import { renameSync, rmSync } from "node:fs";
import { files } from "#contract/files";
import { fs as api } from "#contract/fs/fs";
import { MAX_LINK_ITEMS } from "#contract/limits";
import { links } from "#contract/links";
import { en } from "#contract/messages/en";
import type { Database } from "../../../../../src/database/database.ts";
import { sql } from "../../../../../src/database/sql.ts";
import { linkCalls } from "../../../../support/callers/link-visit.ts";
import { makeKey } from "../../../../support/make-key.ts";
import { ask, shareFile } from "../../../../support/share-file.ts";
import { hours } from "../../../../support/test-clock.ts";
import { openTreeHouse, type TreeCalls } from "../../../../support/tree/tree-house.ts";

/** Shares of files in the tree, and what becomes of shares when their files move or go. */

type Fields = Record<string, unknown>;

const create = async ({ call }: TreeCalls, path: string, fields: Fields = {}) =>
  (await call(api.createShare, { body: { path, ...fields } })).data;

/** What a visitor is given: the text of the file, or the code of the failure. */
async function opened({ house }: TreeCalls, slug: string, query = ""): Promise<string> {
  const response = await house.request(`/api/file-view/${slug}${query}`, { headers: { "accept-language": "en" } });
  const text = await response.text();
  if (response.ok) return text;
  return `${response.status} ${Object.entries(en).find(([, sentence]) => sentence === text.trim())?.[0]}`;
}

const rename = ({ outcome }: TreeCalls, oldPath: string, newPath: string) =>
  outcome(api.rename, { body: { oldPath, newPath } });
const remove = ({ outcome }: TreeCalls, ...paths: string[]) => outcome(api.batchRemove, { body: { paths } });

describe("a share of a file that is there", () => {
  test("as clients know it", async () => {
    await using tree = await openTreeHouse();
    await tree.write("/m/d/a b.txt", "hello");
    const { data, ...envelope } = await tree.call(api.createShare, { body: { path: "/m/d/a b.txt" } });
    const { fileId, slug } = data;
    expect(envelope).toMatchObject({ status: 201, code: 201, success: true });
    expect(data).toEqual({
      success: true,
      kind: "file",
      fileId,
      slug,
      filename: "a b.txt",
      size: 5,
      url: `/file/${slug}`,
      message: "OK",
    });
    expect(await opened(tree, slug)).toBe("hello");
    const record = await ask(tree.house, files.read, { params: { id: fileId } });
    expect(record.data).toMatchObject({ slug, filename: "a b.txt", size: 5, created_by: "admin" });
  });

  test("with a password, an expiry, a limit and a suffix of its own", async () => {
    await using tree = await openTreeHouse();
    await tree.write("/m/a", "hello");
    const guarded = await create(tree, "/m/a", { slug: "mine", password: "sesame", max_views: 2, expires_in: 2 });
    expect(guarded).toMatchObject({ slug: "mine", url: "/file/mine" });
    expect(guarded.grant).toBeString();
    expect(await opened(tree, "mine")).toStartWith("401");
    expect([await opened(tree, "mine", "?password=sesame"), await opened(tree, "mine", "?password=sesame")]).toEqual([
      "hello",
      "hello",
    ]);
    expect(await opened(tree, "mine", "?password=sesame")).toBe("410 share.gone");
    await create(tree, "/m/a", { slug: "short", expires_in: 2 });
    tree.house.clock.advance(hours(2));
    expect(await opened(tree, "short")).toBe("410 share.gone");
  });

  test.each([
    [{ path: "/m/a", slug: "taken" }, "409 slug.taken"],
    [{ path: "/m/a", slug: "no spaces" }, "400 slug.invalid"],
    [{ path: "/m/a", slug: "admin" }, "400 slug.reserved"],
    [{ path: "/m/a", max_views: -1 }, "400 body.invalid"],
    [{ path: "/m/a", password: "x".repeat(129) }, "400 body.invalid"],
    [{ path: "/m/a", expires_at: "2001-01-01T00:00:00Z" }, "400 expiry.past"],
    [{ path: "/m/a/" }, "404 path.missing"],
    [{ path: "/" }, "400 link.item"],
    [{ path: "/m/none" }, "404 path.missing"],
    [{ path: "/none/a" }, "404 mount.none"],
    [{}, "400 body.invalid"],
  ])("%j -> %s, and there is none", async (body, said) => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a", "/m/d/b");
    await create(tree, "/m/a", { slug: "taken" });
    expect(await tree.outcome(api.createShare, { body: body as never })).toBe(said);
    expect(await tree.house.db.all(sql`select 1 from files`)).toHaveLength(1);
  });

  test("leaves its file when it is deleted", async () => {
    await using tree = await openTreeHouse();
    await tree.write("/m/a", "hello");
    const { fileId, slug } = await create(tree, "/m/a");
    const deleted = await ask(tree.house, files.remove, { body: { ids: [fileId], delete_mode: "both" } });
    expect(deleted.status).toBe(200);
    expect([await opened(tree, slug), await tree.text("/m/a")]).toEqual(["404 share.missing", "hello"]);
  });
});

describe("a share of a folder, or of several paths, is a link", () => {
  const furnished = async (engine?: (db: Database) => Database) => {
    const tree = await openTreeHouse({}, engine && { engine });
    await tree.put("/m/a", "/m/d/b");
    return tree;
  };
  const made = async ({ house }: TreeCalls) => ({
    files: (await house.db.all(sql`select 1 from files`)).length,
    links: (await house.db.all(sql`select 1 from links`)).length,
  });

  test.each([
    [{ path: "/m/d" }, "d", "d/"],
    [{ path: "/m/d/" }, "d", "d/"],
    [{ path: "/m" }, "m", "m/"],
    [{ paths: ["/m/d"] }, "d", "d/"],
    [{ paths: ["/m/a", "/m/d/"] }, "a", "d/ a"],
  ])("%j", async (body, filename, seen) => {
    await using tree = await furnished();
    const { data, ...envelope } = await tree.call(api.createShare, { body });
    const { fileId, slug } = data;
    expect(envelope).toMatchObject({ status: 201, code: 201, success: true });
    expect(data).toEqual({
      ...{ success: true, kind: "link", fileId, slug, filename, size: 0, url: `/s/${slug}`, message: "OK" },
    });
    const { open, withGrant, get } = linkCalls(tree);
    const { data: opening } = await open(slug);
    expect(opening.rights).toEqual(["view", "download"]);
    expect(await tree.names("/", withGrant(opening))).toBe(seen);
    expect((await get(fileId)).data).toMatchObject({ slug, created_by: "admin", item_count: seen.split(" ").length });
  });

  test.each([[{ paths: ["/m/a"] }], [{ paths: ["/m/a", "/m/a"] }]])("but not %j, which is one file", async (body) => {
    await using tree = await furnished();
    const { data } = await tree.call(api.createShare, { body });
    expect(data).toMatchObject({ kind: "file", filename: "a", size: 4, url: `/file/${data.slug}` });
    expect(await made(tree)).toEqual({ files: 1, links: 0 });
  });

  test("with the options of a share of a file", async () => {
    await using tree = await furnished();
    const options = {
      slug: "mine",
      password: "sesame",
      max_views: "2",
      expires_in: 2,
      remark: " Ann ",
      use_proxy: "1",
    };
    const { data } = await tree.call(api.createShare, { body: { path: "/m/d/", ...options } as never });
    expect(data).toMatchObject({ kind: "link", slug: "mine" });
    expect(data.grant).toBeUndefined();
    const { get, open } = linkCalls(tree);
    expect((await get(data.fileId)).data).toMatchObject({
      ...{ label: "Ann", has_password: true, max_opens: 2, max_downloads: 0 },
      expires_at: new Date(tree.house.clock.now() + hours(2)).toISOString(),
    });
    expect([(await open("mine")).status, (await open("mine", { password: "sesame" })).status]).toEqual([401, 200]);
  });

  test.each([
    [{ path: "/m/d", remark: "x".repeat(201) }, "400 body.invalid"],
    [{ path: "/m/d", slug: "admin" }, "400 slug.reserved"],
    [{ path: "/m/d", expires_at: "2001-01-01T00:00:00Z" }, "400 expiry.past"],
    [{ path: "/m/d", paths: ["/m/a"] }, "400 body.invalid"],
    [{ paths: [] }, "400 body.invalid"],
    [{ paths: Array.from({ length: MAX_LINK_ITEMS + 1 }, (_, index) => `/m/${index}`) }, "400 body.invalid"],
    [{ paths: ["/m/d", "/m/none"] }, "404 path.missing"],
    [{ paths: ["/m/a/", "/m/d"] }, "404 path.missing"],
    [{ paths: ["/", "/m/d"] }, "400 link.item"],
    [{ paths: ["/m/d", "/none/a"] }, "404 mount.none"],
  ])("%j -> %s, and there is none", async (body, said) => {
    await using tree = await furnished();
    expect(await tree.outcome(api.createShare, { body: body as never })).toBe(said);
    expect(await made(tree)).toEqual({ files: 0, links: 0 });
  });

  test("names the remark and its bound where it is too long for a link", async () => {
    await using tree = await furnished();
    const { error, message } = await tree.call(api.createShare, { body: { path: "/m/d", remark: "x".repeat(201) } });
    expect([error, message.includes("remark"), message.includes("200")]).toEqual(["body.invalid", true, true]);
    const file = await tree.call(api.createShare, { body: { path: "/m/a", remark: "x".repeat(201) } });
    expect(file.data.kind).toBe("file");
  });

  test("leads nowhere that the caller may not act", async () => {
    await using tree = await furnished();
    const who = await tree.holder("/m/d");
    for (const body of [{ path: "/m" }, { path: "/m/a" }, { paths: ["/m/d", "/m/a"] }])
      expect(await tree.outcome(api.createShare, { body }, who)).toBe("403 path.forbidden");
    expect(await made(tree)).toEqual({ files: 0, links: 0 });
  });

  test("visitors make none, at either door, though they share files", async () => {
    await using tree = await furnished();
    await makeKey(tree.house, { is_guest: true });
    expect(await tree.outcome(api.createShare, { body: { path: "/m/a" } }, {})).toBe("201");
    for (const body of [{ path: "/m/d" }, { paths: ["/m/a", "/m/d"] }])
      expect(await tree.outcome(api.createShare, { body }, {})).toBe("401 auth.required");
    expect(await tree.outcome(links.create, { body: { items: ["/m/d"] } }, {})).toBe("401 auth.required");
    expect(await made(tree)).toEqual({ files: 1, links: 0 });
  });

  test("is none where something was moved while it was made", async () => {
    let meanwhile: (() => Promise<unknown>) | undefined;
    await using tree = await furnished((db) => ({
      ...db,
      async batch(queries) {
        const act = queries.some(({ text }) => text.includes("insert into links ")) ? meanwhile : undefined;
        if (act) meanwhile = undefined;
        await act?.();
        return await db.batch(queries);
      },
    }));
    meanwhile = () => rename(tree, "/m/d/", "/m/e/");
    expect(await tree.outcome(api.createShare, { body: { path: "/m/d" } })).toBe("404 path.missing");
    expect(meanwhile).toBeUndefined();
    expect(await made(tree)).toEqual({ files: 0, links: 0 });
  });
});

describe("a share follows its file", () => {
  test("through renames of the file, of its folder and of folders above", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/d/sub/a.txt", "/m/d2/a.txt");
    const { slug } = await create(tree, "/m/d/sub/a.txt");
    const other = await create(tree, "/m/d2/a.txt");
    for (const [from, to] of [
      ["/m/d/sub/a.txt", "/m/d/sub/b.txt"],
      ["/m/d/sub/", "/m/d/100%_sub/"],
      ["/m/d/", "/m/e/"],
      ["/m/e/100%_sub/b.txt", "/m/b.txt"],
    ] as const) {
      expect(await rename(tree, from, to)).toBe("200");
      expect([await opened(tree, slug), await opened(tree, other.slug)]).toEqual(["/m/d/sub/a.txt", "/m/d2/a.txt"]);
    }
  });

  test("shows what is written into it", async () => {
    await using tree = await openTreeHouse();
    await tree.write("/m/a", "one");
    const { slug } = await create(tree, "/m/a");
    expect(await opened(tree, slug)).toBe("one");
    await tree.write("/m/a", "another");
    tree.house.clock.advance(1000);
    expect(await opened(tree, slug)).toBe("another");
  });

  test("is gone with it for good, whatever comes to its place", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a", "/m/d/b", "/m/d/sub/c", "/m/kept");
    const shares: { slug: string }[] = [];
    for (const path of ["/m/a", "/m/d/b", "/m/d/sub/c", "/m/kept"]) shares.push(await create(tree, path));
    expect(await remove(tree, "/m/a", "/m/d/")).toBe("200");
    const gone = async () => {
      const said = [];
      for (const { slug } of shares) said.push(await opened(tree, slug));
      return said;
    };
    const wanted = ["410 file.gone", "410 file.gone", "410 file.gone", "/m/kept"];
    expect(await gone()).toEqual(wanted);
    await tree.put("/m/a", "/m/d/b", "/m/x/c");
    expect(await rename(tree, "/m/x/", "/m/d/sub/")).toBe("200");
    tree.house.clock.advance(hours(1));
    expect(await gone()).toEqual(wanted);
    expect((await create(tree, "/m/a")).slug).not.toBe(shares[0]?.slug);
  });

  test("is gone also when the file was removed behind our back, and never shows a file that moves there", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a", "/m/b");
    const { slug } = await create(tree, "/m/a");
    rmSync(tree.onDisk("a"));
    tree.house.clock.advance(1000);
    expect(await opened(tree, slug)).toBe("410 file.gone");
    expect(await rename(tree, "/m/b", "/m/a")).toBe("200");
    tree.house.clock.advance(1000);
    expect(await opened(tree, slug)).toBe("410 file.gone");
  });

  test("and is a stranger to a file that was moved away behind our back", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a");
    const { slug } = await create(tree, "/m/a");
    renameSync(tree.onDisk("a"), tree.onDisk("b"));
    tree.house.clock.advance(1000);
    expect([await opened(tree, slug), await tree.text("/m/b")]).toEqual(["410 file.gone", "/m/a"]);
  });

  test("a file that was uploaded to be shared is one of the tree, and takes its share along", async () => {
    await using tree = await openTreeHouse();
    const { slug } = await shareFile(tree.house, { filename: "note.txt", content: "hello" });
    expect(await tree.names("/m/shares")).toBe("note.txt");
    expect(await rename(tree, "/m/shares/note.txt", "/m/moved.txt")).toBe("200");
    expect(await opened(tree, slug)).toBe("hello");
    expect(await remove(tree, "/m/moved.txt")).toBe("200");
    expect(await opened(tree, slug)).toBe("410 file.gone");
    const again = await shareFile(tree.house, { filename: "note.txt", content: "other" });
    expect([await opened(tree, slug), await opened(tree, again.slug)]).toEqual(["410 file.gone", "other"]);
  });

  test("deleting such a share with its file removes the file by the name that it has now, and no other", async () => {
    await using tree = await openTreeHouse();
    const { id } = await shareFile(tree.house, { filename: "note.txt", content: "hello" });
    await rename(tree, "/m/shares/note.txt", "/m/shares/renamed.txt");
    await tree.put("/m/shares/note.txt");
    await ask(tree.house, files.remove, { body: { ids: [id], delete_mode: "both" } });
    expect(await tree.names("/m/shares")).toBe("note.txt");
  });

  test("its page tells the size of what is there now", async () => {
    await using tree = await openTreeHouse();
    await tree.write("/m/a", "one");
    const { slug } = await create(tree, "/m/a");
    await tree.write("/m/a", "another");
    const page = await tree.house.request(`/api/public/files/${slug}`);
    expect(((await page.json()) as { data: { size: number } }).data.size).toBe(7);
  });

  test("its page says that the file is gone, and spends no view", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a");
    const { slug, fileId } = await create(tree, "/m/a", { max_views: 5 });
    await remove(tree, "/m/a");
    const page = await tree.house.request(`/api/public/files/${slug}`);
    expect(page.status).toBe(410);
    expect((await ask(tree.house, files.read, { params: { id: fileId } })).data.views).toBe(0);
  });
});

describe("a share of a file that was deleted", () => {
  const deleted = async (fields: Fields = {}) => {
    const tree = await openTreeHouse();
    await tree.write("/m/a", "hello");
    const share = await create(tree, "/m/a", { slug: "mine", max_views: 2, ...fields });
    await remove(tree, "/m/a");
    return { tree, share };
  };

  test.each([
    ["GET", "/api/public/files/mine"],
    ["HEAD", "/api/public/files/mine"],
    ["GET", "/api/public/files/mine?peek=1"],
    ["GET", "/api/file-view/mine"],
    ["GET", "/api/file-download/mine"],
    ["HEAD", "/api/file-download/mine"],
  ])("%s %s says so and costs nothing", async (method, url) => {
    const { tree, share } = await deleted();
    await using _ = tree;
    expect((await tree.house.request(url, { method })).status).toBe(410);
    const record = await ask(tree.house, files.read, { params: { id: share.fileId } });
    expect(record.data).toMatchObject({ views: 0, file_gone: true, file_stays: true });
    const { data } = await ask(tree.house, files.list, { query: {} } as never);
    expect(data.files).toMatchObject([{ slug: "mine", file_gone: true }]);
  });

  test("asks for no password", async () => {
    const { tree } = await deleted({ password: "sesame" });
    await using _ = tree;
    const said = await ask(tree.house, files.unlock, { params: { slug: "mine" }, body: { password: "sesame" } });
    expect([said.status, said.error]).toEqual([410, "file.gone"]);
  });

  test("while it is made: there is none, whatever comes to the same path", async () => {
    let meanwhile: (() => Promise<unknown>) | undefined;
    const engine = (db: Database): Database => ({
      ...db,
      async run(query) {
        const act = query.text.includes("insert into files") ? meanwhile : undefined;
        if (act) meanwhile = undefined;
        await act?.();
        return await db.run(query);
      },
    });
    await using tree = await openTreeHouse({}, { engine });
    await tree.write("/m/a", "one");
    meanwhile = async () => {
      await remove(tree, "/m/a");
      await tree.write("/m/a", "another's secret");
    };
    const fields = { path: "/m/a", slug: "mine", password: "sesame" };
    expect(await tree.outcome(api.createShare, { body: fields })).toBe("404 path.missing");
    expect(await opened(tree, "mine", "?password=sesame")).toBe("404 share.missing");
    expect(await tree.house.db.all(sql`select 1 from files`)).toEqual([]);
  });
});
