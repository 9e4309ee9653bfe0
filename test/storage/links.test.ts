import { afterAll, beforeAll, expect, test } from "bun:test";
import { fs } from "#contract/fs";
import { fsBytes } from "#contract/fs-bytes";
import { fsUploads } from "#contract/fs-uploads";
import { mounts as api } from "#contract/mounts";
import { linkCalls } from "../support/link-visit.ts";
import { readZip } from "../support/read-zip.ts";
import { openS3House } from "../support/s3-share.ts";
import { ask } from "../support/share-file.ts";
import { type TreeCalls, treeCalls, urlOf } from "../support/tree-house.ts";

/** A link to what lies in a storage elsewhere: neither its addresses nor its keys are told, and nothing there is overwritten. */

let here: Awaited<ReturnType<typeof openS3House>>;
let tree: TreeCalls;
beforeAll(async () => {
  here = await openS3House({ default_folder: "" });
  const { data: [drive] = [] } = await ask(here.house, api.list, {});
  const body = { mount_path: "/m", storage_config_id: here.storage.id };
  await ask(here.house, api.update, { params: { id: drive?.id ?? "" }, body });
  tree = await treeCalls(here.house);
});
afterAll(() => here[Symbol.asyncDispose]());

const local = (url: string | undefined) => (url ?? "").replace("http://satchel.test", "");

test("its files come through this server", async () => {
  await tree.put("/m/secret/f/a.txt", "/m/secret/f2/b.txt", "/m/secret/b.txt", "/m/secret/b.txt.bak");
  const { visit } = linkCalls(tree);
  const { who } = await visit(["/m/secret/f/", "/m/secret/b.txt"]);
  expect(await tree.names("/", who)).toBe("f/ b.txt");
  expect(await tree.names("/f", who)).toBe("a.txt");
  expect(await tree.text("/f/a.txt", who)).toBe("/m/secret/f/a.txt");
  for (const path of ["/f2/b.txt", "/b.txt.bak", "/b.txt/x"]) expect(await tree.text(path, who)).toBe("mount.none");
  const answers = [
    await tree.call(fs.get, { query: { path: "/f/a.txt" } }, who),
    await tree.call(fs.search, { query: { q: "a.txt" } }, who),
    await tree.call(fsBytes.fileLink, { query: { path: "/b.txt" } }, who),
  ];
  const text = JSON.stringify(answers);
  for (const told of ["secret", here.storage.bucket_name, "X-Amz"]) expect(text).not.toContain(told);
  const { data } = await tree.call(fs.get, { query: { path: "/f/a.txt" } }, who);
  for (const url of [data.preview_url, data.download_url])
    expect(await (await tree.house.request(local(url))).text()).toBe("/m/secret/f/a.txt");
  const response = await tree.house.request(urlOf(fsBytes.zip, { path: "/" }), { headers: who });
  expect((await readZip(await response.bytes())).map(({ name }) => name).sort()).toEqual(["b.txt", "f/a.txt"]);
});

test("its items follow what is renamed there", async () => {
  await tree.put("/m/old/f/a.txt", "/m/old/b.txt");
  const { visit, get } = linkCalls(tree);
  const { who, link } = await visit(["/m/old/f/", "/m/old/b.txt"]);
  await tree.call(fs.rename, { body: { oldPath: "/m/old/", newPath: "/m/new/" } });
  expect((await get(link.id)).data.items.map(({ path }) => path)).toEqual(["/m/new/f/", "/m/new/b.txt"]);
  expect(await tree.text("/f/a.txt", who)).toBe("/m/old/f/a.txt");
  expect(await tree.text("/b.txt", who)).toBe("/m/old/b.txt");
});

test("its uploads in parts go through this server, and take the place of nothing", async () => {
  await tree.put("/m/secret/box/there.txt");
  const { visit } = linkCalls(tree);
  const { who } = await visit(["/m/secret/box/"], { rights: ["view", "upload"] });
  const begin = (fileName: string, by = who) =>
    tree.call(fsUploads.begin, { body: { path: "/box/", fileName, fileSize: 3 } }, by);
  expect((await begin("there.txt")).error).toBe("path.taken");
  const blind = await visit(["/m/secret/box/"], { rights: ["upload"] });
  expect((await begin("there.txt", blind.who)).data?.path).toBe("/box/there (2).txt");
  const end = async (fileName: string, meanwhile: () => Promise<void> = async () => undefined) => {
    const { data } = await begin(fileName);
    const text = JSON.stringify(data);
    for (const told of ["secret", here.storage.bucket_name, "X-Amz"]) expect(text).not.toContain(told);
    const url = local(data.presignedUrls[0]?.url);
    const put = await tree.house.request(url, { method: "PUT", body: "new", headers: { "content-length": "3" } });
    await meanwhile();
    const parts = [{ partNumber: 1, etag: put.headers.get("etag") ?? "" }];
    return await tree.call(
      fsUploads.complete,
      { body: { path: data.path, uploadId: data.uploadId, parts } as never },
      who,
    );
  };
  expect((await end("new.txt")).status).toBe(200);
  expect(await tree.text("/m/secret/box/new.txt")).toBe("new");
  expect((await end("late.txt", () => tree.put("/m/secret/box/late.txt"))).error).toBe("path.taken");
  expect(await tree.text("/m/secret/box/late.txt")).toBe("/m/secret/box/late.txt");
});
