import { afterAll, beforeAll, expect, test } from "bun:test";
import { fsBytes } from "#contract/fs/bytes";
import { fs } from "#contract/fs/fs";
import { fsUploads } from "#contract/fs/uploads";
import { mounts as api } from "#contract/mounts";
import { signedByLink } from "../support/callers/link-bucket.ts";
import { linkCalls } from "../support/callers/link-visit.ts";
import { textsOf } from "../support/clients/s3.ts";
import { readZip } from "../support/files/read-zip.ts";
import { ask } from "../support/share-file.ts";
import { openS3House } from "../support/stores/s3-house.ts";
import { type TreeCalls, treeCalls, urlOf } from "../support/tree/tree-house.ts";

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

/** Sends a whole part as a browser does; an address of this server goes to the house. */
async function sendPart(url: string | undefined, body: string): Promise<{ status: number; etag: string }> {
  const headers = { "content-length": String(body.length) };
  const isHere = url?.startsWith("http://satchel.test") === true;
  const request = { method: "PUT", body, headers };
  const put = isHere ? await here.house.request(local(url), request) : await fetch(url ?? "", request);
  await put.text();
  return { status: put.status, etag: put.headers.get("etag") ?? "" };
}

test("its uploads go straight to the storage, where they wait, and take the place of nothing", async () => {
  await tree.put("/m/secret/box/there.txt");
  const { visit, get } = linkCalls(tree);
  const { who } = await visit(["/m/secret/box/"], { rights: ["view", "upload"] });
  const begin = (fileName: string, by = who) =>
    tree.call(fsUploads.begin, { body: { path: by === who ? "/box/" : "/1/", fileName, fileSize: 3 } }, by);
  expect((await begin("there.txt")).error).toBe("path.taken");
  const blind = await visit(["/m/secret/box/"], { rights: ["upload"] });
  expect((await begin("there.txt", blind.who)).data?.path).toBe("/1/there (2).txt");
  const end = async (fileName: string, meanwhile: () => Promise<void> = async () => undefined, by = who) => {
    const { data } = await begin(fileName, by);
    const url = data.presignedUrls[0]?.url ?? "";
    expect(url).toStartWith(here.s3.server.endpoint);
    expect(JSON.stringify(data)).not.toContain("secret");
    if (by === blind.who) expect(JSON.stringify(data)).not.toContain("box");
    expect((await sendPart(url, "newer")).status).toBe(403);
    const { etag } = await sendPart(url, "new");
    await meanwhile();
    const parts = [{ partNumber: 1, etag }];
    return await tree.call(
      fsUploads.complete,
      { body: { path: data.path, uploadId: data.uploadId, parts } as never },
      by,
    );
  };
  expect((await end("new.txt")).status).toBe(200);
  expect(await tree.text("/m/secret/box/new.txt")).toBe("new");
  expect((await end("late.txt", () => tree.put("/m/secret/box/late.txt"))).data.fileName).toBe("late (2).txt");
  expect(await tree.text("/m/secret/box/late.txt")).toBe("/m/secret/box/late.txt");
  expect(await tree.text("/m/secret/box/late (2).txt")).toBe("new");
  const taken = await end("taken.txt", () => tree.put("/m/secret/box/taken.txt"), blind.who);
  expect(taken.data).toMatchObject({ fileName: "taken (2).txt" });
  expect((await get(blind.link.id)).data).toMatchObject({ files: 2 });
  expect(await tree.text("/m/secret/box/taken.txt")).toBe("/m/secret/box/taken.txt");
  expect(await tree.text("/m/secret/box/taken (2).txt")).toBe("new");
});

test("whoever cannot reach the storage sends the parts through this server", async () => {
  await tree.put("/m/secret/far/there.txt");
  const { who } = await linkCalls(tree).visit(["/m/secret/far/"], { rights: ["upload"] });
  const { data } = await tree.call(fsUploads.begin, { body: { path: "/1/", fileName: "a.txt", fileSize: 3 } }, who);
  const { path, uploadId } = data;
  const wanted = { path, uploadId, part_numbers: [1], relay: true };
  const relayed = await tree.call(fsUploads.parts, { body: wanted as never }, who);
  const url = relayed.data.presigned_urls[0]?.url ?? "";
  expect(url).toStartWith("http://satchel.test/api/fs/multipart/part?");
  for (const told of ["secret", "far", here.storage.bucket_name, "X-Amz"]) expect(url).not.toContain(told);
  const { etag } = await sendPart(url, "new");
  const parts = [{ partNumber: 1, etag }];
  expect(await tree.outcome(fsUploads.complete, { body: { path, uploadId, parts } } as never, who)).toBe("200");
  expect(await tree.text("/m/secret/far/a.txt")).toBe("new");
});

test("by S3 it takes an object in parts, which wait where nobody looks", async () => {
  await tree.put("/m/secret/reel/there.txt");
  const link = await linkCalls(tree).make(["/m/secret/reel/"], { rights: ["view", "download", "upload"] });
  const s3 = await signedByLink(tree, link.id);
  const MiB = 1024 * 1024;
  const key = `/${link.slug}/reel/film.bin`;
  const begun = await s3.send("POST", key, { query: { uploads: "" }, body: "" });
  const uploadId = textsOf(begun, "UploadId")[0] ?? "";
  const etags: string[] = [];
  for (const [index, size] of [5 * MiB, 1000].entries()) {
    const query = { uploadId, partNumber: String(index + 1) };
    etags.push(
      (await s3.send("PUT", key, { query, body: new Uint8Array(size).fill(index) })).headers.get("etag") ?? "",
    );
  }
  expect((await here.s3.unfinished()).filter((one) => one.startsWith(".satchel-staging-"))).not.toEqual([]);
  expect(await s3.list(link.slug)).toEqual(["reel/there.txt"]);
  const parts = etags.map((etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`);
  const body = `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
  expect(textsOf(await s3.send("POST", key, { query: { uploadId }, body }), "Key")).toEqual(["reel/film.bin"]);
  expect((await here.s3.store.head("secret/reel/film.bin"))?.size).toBe(5 * MiB + 1000);
  expect((await here.s3.keys()).filter((one) => one.startsWith(".satchel-staging-"))).toEqual([]);
});

test("what comes by it in one piece gets the next name when its own is taken meanwhile", async () => {
  const { make } = linkCalls(tree);
  await tree.put("/m/secret/mail/there.txt");
  await make(["/m/secret/mail/"], { rights: ["upload"], slug: "mail" });
  const { promise: going, resolve: end } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begins } = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      controller.enqueue(Buffer.from("first "));
      begins();
      await going;
      controller.enqueue(Buffer.from("last"));
      controller.close();
    },
  });
  const sending = tree.house.request("/in/mail/late.txt", { method: "PUT", body });
  await begun;
  await tree.put("/m/secret/mail/late.txt");
  end();
  const answer = await sending;
  expect([answer.status, await answer.text()]).toEqual([201, expect.stringContaining("Received: late (2).txt")]);
  expect(await tree.text("/m/secret/mail/late.txt")).toBe("/m/secret/mail/late.txt");
  expect(await tree.text("/m/secret/mail/late (2).txt")).toBe("first last");
  expect(await tree.names("/m/secret/mail")).toBe("late (2).txt late.txt there.txt");
});

test("an upload whose file was made, but not in its place, goes on from there or goes with all of it", async () => {
  await tree.put("/m/secret/hall/there.txt");
  const { who } = await linkCalls(tree).visit(["/m/secret/hall/"], { rights: ["upload"] });
  const { store, unfinished, keys } = here.s3;
  const waiting = async () => (await keys()).filter((key) => key.includes(".satchel-staging-"));
  const made = async () => {
    const { data } = await tree.call(fsUploads.begin, { body: { path: "/1/", fileName: "a.txt", fileSize: 3 } }, who);
    const { path, uploadId, receipt } = data;
    const etag = (await sendPart(data.presignedUrls[0]?.url, "new")).etag.replaceAll('"', "");
    const key = (await unfinished()).find((one) => data.presignedUrls[0]?.url.includes(one)) ?? "";
    await store.completeMultipart({ key, upload: uploadId }, [{ number: 1, etag }]);
    return { path, uploadId, receipt, parts: [{ partNumber: 1, etag }] };
  };
  const first = await made();
  expect(await waiting()).toHaveLength(1);
  expect(await tree.outcome(fsUploads.abort, { body: first } as never, who)).toBe("200");
  expect(await waiting()).toEqual([]);
  const second = await made();
  expect((await tree.call(fsUploads.complete, { body: second as never }, who)).data).toMatchObject({
    fileName: "a.txt",
    size: 3,
  });
  expect(await waiting()).toEqual([]);
  expect(await tree.names("/m/secret/hall")).toBe("a.txt there.txt");
});
