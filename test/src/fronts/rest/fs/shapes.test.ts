import { describe, expect, test } from "bun:test";
import { fs } from "#contract/fs/fs";
import { openTreeHouse, type TreeCalls } from "../../../../support/tree/tree-house.ts";

/** What clients made for CloudPaste find in the answers of the tree: names and kinds of all that they read. */

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const ETAG = expect.stringMatching(/^[0-9a-f]{32}-1$/);
/** An epoch and a number. */
const VERSION = expect.stringMatching(/^[0-9a-f-]{36}\.\d+$/);
const text = { type: 4, typeName: "text" } as const;
const folder = { type: 1, typeName: "folder", isDirectory: true } as const;

const mountOf = async ({ list }: TreeCalls): Promise<string> => (await list("/m")).data.mount_id ?? "";

describe("what clients read", () => {
  test("the root shows mounts as folders that are in no storage", async () => {
    await using tree = await openTreeHouse({ mount_path: "/team/docs" });
    const { status, ...answer } = await tree.list("/");
    expect(status).toBe(200);
    expect(answer).toMatchObject({
      code: 200,
      success: true,
      message: "OK",
      data: { path: "/", isDirectory: true, isRoot: true, isVirtual: true, next_cursor: null, troubles: [] },
    });
    expect(answer.data.items).toEqual([
      { name: "team", path: "/team/", isVirtual: true, size: 0, modified: null, ...folder },
    ]);
    const above = (await tree.list("/team")).data;
    expect(above).toMatchObject({ path: "/team/", isRoot: false, isVirtual: true });
    expect(above.items).toEqual([
      {
        ...{ name: "docs", path: "/team/docs/", isVirtual: true, size: 0, modified: null, ...folder },
        mount_id: expect.any(String) as unknown as string,
      },
    ]);
  });

  test("a folder: folders first, with a slash and all that lies below them as size; then files", async () => {
    await using tree = await openTreeHouse();
    await tree.write("/m/b/deep/er.txt", "12345");
    await tree.write("/m/b/x.txt", "678");
    await tree.write("/m/a.txt", "hello");
    const mount_id = await mountOf(tree);
    for (const path of ["/m", "/m/"]) {
      const { data } = await tree.list(path);
      expect(data).toEqual({
        ...{ path: "/m/", type: "directory", isDirectory: true, isRoot: false, isVirtual: false },
        ...{ mount_id, storage_type: "S3", readme: true, trash_days: 7, next_cursor: null, troubles: [] },
        version: VERSION,
        items: [
          { name: "b", path: "/m/b/", isVirtual: false, size: 8, modified: ISO, ...folder },
          { name: "a.txt", path: "/m/a.txt", isDirectory: false, size: 5, modified: ISO, etag: ETAG, ...text },
        ] as never,
      });
    }
  });

  test("one file, with addresses that need no credential, and one folder", async () => {
    await using tree = await openTreeHouse();
    const etag = await tree.write("/m/d/a.txt", "hello");
    const mount_id = await mountOf(tree);
    const file = await tree.call(fs.get, { query: { path: "/m/d/a.txt" } });
    expect(file.data).toEqual({
      ...{ name: "a.txt", path: "/m/d/a.txt", isDirectory: false, size: 5, modified: ISO, etag, ...text },
      ...{ contentType: "text/plain", mount_id, storage_type: "S3", grant: expect.any(String) },
      preview_url: expect.stringMatching(/^http:\/\/satchel\.test\/api\//),
      download_url: expect.stringMatching(/^http:\/\/satchel\.test\/api\//),
    } as never);
    for (const url of [file.data.preview_url, file.data.download_url])
      expect(await (await tree.house.request(url ?? "")).text()).toBe("hello");
    expect((await tree.call(fs.get, { query: { path: "/m/d" } })).data).toEqual({
      ...{ name: "d", path: "/m/d/", isVirtual: false, size: 5, modified: ISO, ...folder },
      ...{ contentType: "application/x-directory", mount_id, storage_type: "S3" },
    });
    expect(await tree.outcome(fs.get, { query: { path: "/m/none" } })).toBe("404 path.missing");
  });

  test("what a search finds, and what was asked", async () => {
    await using tree = await openTreeHouse();
    await tree.write("/m/d/Note.txt", "hello");
    await tree.put("/m/d/other.md", "/m/my notes/x");
    const mount_id = await mountOf(tree);
    const { data } = await tree.call(fs.search, { query: { q: "note", scope: "directory", path: "/m", limit: 1 } });
    expect(data).toEqual({
      results: [
        {
          ...{ name: "Note.txt", path: "/m/d/Note.txt", isDirectory: false, size: 5, modified: ISO, ...text },
          ...{ contentType: "text/plain", mount_id, mount_name: "Drive", storage_type: "S3" },
          s3_key: "d/Note.txt",
        },
      ],
      ...{ total: 2, total_exact: true, hasMore: true, mountsSearched: 1 },
      searchParams: { query: "note", scope: "directory", mountId: null, path: "/m", limit: 1, offset: 0 },
    } as never);
    const rest = await tree.call(fs.search, { query: { q: "note", offset: 1 } });
    expect(rest.data.results).toMatchObject([{ path: "/m/my notes/", isDirectory: true, s3_key: "my notes/" }]);
    expect(rest.data).toMatchObject({ total: 2, hasMore: false });
  });

  test("a change says that it was done", async () => {
    await using tree = await openTreeHouse();
    const message = { code: 200, success: true, message: "OK" };
    expect(await tree.call(fs.mkdir, { body: { path: "/m/a/b/" } })).toMatchObject(message);
    expect(await tree.call(fs.mkdir, { body: { path: "/m/a/b/" } })).toMatchObject(message);
    expect(await tree.call(fs.rename, { body: { oldPath: "/m/a/", newPath: "/m/c/" } })).toMatchObject(message);
    const written = { success: true, path: "/m/c/t.md", contentType: "text/markdown", message: "OK", etag: ETAG };
    for (const isNewFile of [true, false]) {
      const { data } = await tree.call(fs.update, { body: { path: "/m/c/t.md", content: "# hi" } });
      expect(data).toEqual({ ...written, isNewFile } as never);
    }
  });

  test("what is removed counts, what was not there too; what could not be is told", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a", "/m/d/b");
    const { status, data } = await tree.call(fs.batchRemove, {
      body: { paths: ["/m/a", "/m/d/", "/m/none", "/m", "/", "/x/y", "/m/../x"] },
    });
    expect(status).toBe(200);
    expect(data.success).toBe(3);
    expect(data.failed.map(({ path, error }) => `${path} ${error}`)).toEqual([
      ...["/m path.mount", "/ path.root", "/x/y mount.none", "/m/../x path.invalid"],
    ]);
    for (const { message } of data.failed) expect(message).not.toBe("");
    expect(await tree.names("/m")).toBe("");
  });

  test.each([
    [{}, "200"],
    [{ limit: "0" }, "400 query.invalid"],
    [{ limit: "10001" }, "400 query.invalid"],
    [{ limit: "ten" }, "400 query.invalid"],
    [{ limit: "10000" }, "200"],
    [{ cursor: "" }, "400 cursor.invalid"],
    [{ cursor: "!!!" }, "400 cursor.invalid"],
    [{ cursor: "YQ==" }, "400 cursor.invalid"],
    [{ cursor: "/w" }, "400 cursor.invalid"],
    [{ cursor: "YQ" }, "200"],
    [{ cursor: "AA" }, "200"],
    [{ cursor: "Li4vLi4vLi4" }, "200"],
    [{ cursor: "x".repeat(4001) }, "400 query.invalid"],
  ])("list with %j -> %s", async (query, said) => {
    await using tree = await openTreeHouse();
    expect(await tree.outcome(fs.list, { query: { path: "/m", ...query } as never })).toBe(said);
  });

  test.each([
    [{ q: "a" }, "400 query.invalid"],
    [{ q: " a " }, "400 query.invalid"],
    [{ q: "x".repeat(201) }, "400 query.invalid"],
    [{ q: "ab", scope: "planet" }, "400 query.invalid"],
    [{ q: "ab", limit: "201" }, "400 query.invalid"],
    [{ q: "ab", offset: "-1" }, "400 query.invalid"],
    [{ q: "ab", scope: "mount" }, "400 query.invalid"],
    [{ q: "ab", scope: "directory" }, "400 query.invalid"],
    [{ q: "ab", scope: "mount", mount_id: "none" }, "404 mount.missing"],
    [{ q: "ab", scope: "mount", path: "/m/x" }, "200"],
    [{ q: "ab", scope: "directory", path: "/x" }, "200"],
    [{ q: "%_\"*'^(" }, "200"],
  ])("search for %j -> %s", async (query, said) => {
    await using tree = await openTreeHouse();
    expect(await tree.outcome(fs.search, { query: query as never })).toBe(said);
  });
});
