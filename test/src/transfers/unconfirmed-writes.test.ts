import { expect, test } from "bun:test";
import { files } from "#contract/files";
import { fs } from "#contract/fs/fs";
import { storage as api } from "#contract/storage";
import { type Database, Unavailable } from "../../../src/database/database.ts";
import { type Sql, sql } from "../../../src/database/sql.ts";
import { type DavAnswer, type DavCalls, davCalls, davUrl } from "../../support/clients/dav.ts";
import { makeMount } from "../../support/make-mount.ts";
import { ask, shareFile } from "../../support/share-file.ts";
import { openSmallBucket } from "../../support/stores/pretend-s3.ts";
import { openTestHouse } from "../../support/test-house.ts";
import { treeCalls } from "../../support/tree/tree-house.ts";

/** What a storage has done although it said that it failed: nobody lists the folder, and the next sweep finds it. */

/** A house with this bucket at /cloud. */
async function openCloud({ port }: { readonly port: number }) {
  const house = await openTestHouse({ now: Date.now() });
  const body = {
    name: "Cloud",
    provider_type: "Other",
    endpoint_url: `http://127.0.0.1:${port}`,
    bucket_name: "files",
    access_key_id: "somebody",
    secret_access_key: "pass-word",
    path_style: true,
    is_public: true,
    default_folder: "",
  };
  const { data } = await ask(house, api.create, { body: body as never });
  await makeMount(house, { mount_path: "/cloud", storage_config_id: data?.id ?? "" });
  return { house, storage: data?.id ?? "" };
}

test("a file and a folder that were made without an answer are in the index after the next sweep", async () => {
  await using bucket = openSmallBucket("files");
  const { house } = await openCloud(bucket);
  await using _house = house;
  const { vfs, transfers } = house.house;
  const names = async () => {
    await vfs.search.settled();
    const rows = await house.db.all<{ name: string }>(
      sql`select name from nodes where name like 'doubted%' order by name`,
    );
    return rows.map(({ name }) => name);
  };
  const sweep = () => transfers.sweepChanges(new Set());
  const dav = davCalls(house);
  const put = async (name: string) => (await dav.send("PUT", `/cloud/${name}`, { body: "hello" })).status;

  bucket.lose("writes");
  expect(await put("doubted.txt")).toBe(502);
  bucket.lose("nothing");
  expect(bucket.keys()).toEqual(["doubted.txt"]);
  expect(await names()).toEqual([]);
  // While it cannot be asked it stays in doubt.
  bucket.lose("all");
  expect(await sweep()).toBe(0);
  bucket.lose("nothing");
  expect(await sweep()).toBe(1);
  expect(await names()).toEqual(["doubted.txt"]);
  expect(await house.db.all(sql`select * from change_intents`)).toEqual([]);

  bucket.lose("writes");
  expect((await dav.send("MKCOL", "/cloud/doubted-folder")).status).toBe(502);
  bucket.lose("nothing");
  expect(await sweep()).toBe(1);
  expect(await names()).toEqual(["doubted-folder/", "doubted.txt"]);

  // What was not made is not there.
  bucket.lose("all");
  expect(await put("doubted-too.txt")).toBe(502);
  bucket.lose("nothing");
  await sweep();
  expect(await names()).toEqual(["doubted-folder/", "doubted.txt"]);
});

test("one that the storage refuses to answer for does not keep the others from being found", async () => {
  await using bucket = openSmallBucket("files", ({ url }) => !url.includes("refused"));
  const { house, storage } = await openCloud(bucket);
  await using _house = house;
  for (const key of ["refused", "there"])
    await house.db.run(sql`insert into change_intents (id, storage, changes, certain)
      values (${key}, ${storage}, ${JSON.stringify([{ kind: "doubted", at: { storage, key } }])}, 0)`);
  expect(await house.house.transfers.sweepChanges(new Set())).toBe(1);
  expect(await house.db.all(sql`select id from change_intents`)).toEqual([{ id: "refused" }]);
  expect(house.log()).toContain("change not settled");
});

/** A tree whose database fails once, when it is told to, before it runs a statement with a text. */
async function openFailing() {
  let next: { readonly part: string; readonly error: Error } | undefined;
  const pass = (queries: readonly Sql[]): void => {
    const { part, error } = next ?? {};
    if (part === undefined || !queries.some(({ text }) => text.includes(part))) return;
    next = undefined;
    throw error;
  };
  const engine = (db: Database): Database => ({
    ...db,
    get now() {
      return db.now;
    },
    async run(query) {
      pass([query]);
      return await db.run(query);
    },
    async batch(queries) {
      pass(queries);
      return await db.batch(queries);
    },
  });
  const house = await openTestHouse({ engine });
  const failAt = (part: string, error: Error): void => {
    next = { part, error };
  };
  return { house, tree: await treeCalls(house), failAt };
}

const broken = [
  [500, new Error("EIO: input/output error")],
  [503, new Unavailable("the answer was lost")],
] as const;

test.each(broken)(
  "a file whose write broke off with %d after it came to its place is in the index after the next sweep",
  async (status, error) => {
    const { house, tree, failAt } = await openFailing();
    await using _house = house;
    const found = async () => {
      await house.house.vfs.search.settled();
      return (await tree.call(fs.search, { query: { q: "found" } })).data.results.map(({ path }) => path);
    };
    failAt("stamp <> ?", error);
    expect((await davCalls(house).send("PUT", "/drive/found.txt", { body: "hello" })).status).toBe(status);
    expect(await Bun.file(tree.onDisk("found.txt")).text()).toBe("hello");
    expect(await found()).toEqual([]);
    expect(await house.house.transfers.sweepChanges(new Set())).toBe(1);
    expect(await found()).toEqual(["/drive/found.txt"]);
  },
);

const writes: readonly [how: string, write: (dav: DavCalls, path: string) => Promise<DavAnswer>][] = [
  ["written", (dav, path) => dav.send("PUT", path, { body: "the tree's" })],
  ["copied", (dav, path) => dav.send("COPY", "/drive/other", { headers: { destination: davUrl(path) } })],
];

test.each(writes)(
  "a file that was %s over a shared one is not the share's, also when it was not told",
  async (_, write) => {
    const { house, tree, failAt } = await openFailing();
    await using _house = house;
    await tree.write("/drive/other", "the tree's");
    const { id } = await shareFile(house, { filename: "note.txt" });
    const key = (await house.db.first<{ key: string }>(sql`select key from files`))?.key ?? "";
    failAt("update files set size", new Error("ETELL"));
    expect((await write(davCalls(house), `/drive/${key}`)).status).toBe(500);
    await house.house.transfers.sweepChanges(new Set());
    expect(await house.db.all(sql`select id from change_intents`)).toEqual([]);
    expect((await ask(house, files.remove, { body: { ids: [id] } })).status).toBe(200);
    expect(await Bun.file(tree.onDisk(key)).text()).toBe("the tree's");
  },
);
