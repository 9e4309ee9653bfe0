import { describe, expect, test } from "bun:test";
import { fsBytes } from "#contract/fs/bytes";
import { fs } from "#contract/fs/fs";
import { fsUploads as api } from "#contract/fs/uploads";
import { MAX_OPEN_UPLOADS_OF_ADDRESS } from "#contract/limits";
import { linkCalls } from "../../../support/callers/link-visit.ts";
import { openTreeHouse, type TreeCalls, urlOf, type Who } from "../../../support/tree/tree-house.ts";

/** What comes into a folder by a link: something new, never in the place of anything, and not to be read again. */

const sendForm = async (tree: TreeCalls, who: Who, folder: string, name: string, content: string) => {
  const form = new FormData();
  form.set("path", folder);
  form.set("filename", name);
  form.set("file", new File([content], name));
  const response = await tree.house.request(`/api${api.form.path}`, { method: "POST", headers: who, body: form });
  return (await response.json()) as { error?: string; data?: Record<string, unknown> };
};

const beginning = (folder: string, name: string, content: string) => ({
  body: { path: folder, fileName: name, fileSize: content.length },
});

/** Uploads in parts as a page does: by the addresses that the beginning answers. */
async function sendParts(tree: TreeCalls, who: Who, folder: string, name: string, content: string) {
  const { data: begun, error } = await tree.call(api.begin, beginning(folder, name, content), who);
  if (!begun) throw new Error(error);
  const put = async (url: string, headers: Record<string, string> = {}) =>
    tree.house.request(url.replace("http://satchel.test", ""), { method: "PUT", body: content, headers });
  const [first] = begun.presignedUrls;
  const complete = async (etag: string, by = who, receipt = begun.receipt) => {
    const parts = [{ partNumber: 1, etag }];
    const body = { path: begun.path, uploadId: begun.uploadId, receipt, parts };
    return await tree.call(api.complete, { body: body as never }, by);
  };
  return { begun, url: first?.url ?? "", put, complete };
}

const length = (content: string) => ({ "content-length": String(content.length) });

describe("a link that takes uploads", () => {
  test("takes a form and parts, and shows of neither where they went", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/secret/box/there.txt");
    const { visit } = linkCalls(tree);
    const { who } = await visit(["/m/secret/box/"], { rights: ["upload"] });
    const form = await sendForm(tree, who, "/1/", "form.txt", "by form");
    expect(form.data).toMatchObject({ fileName: "form.txt", s3Path: "1/form.txt" });
    const upload = await sendParts(tree, who, "/1/", "parts.txt", "in parts");
    const put = await upload.put(upload.url, length("in parts"));
    expect(put.status).toBe(200);
    const done = await upload.complete(put.headers.get("etag") ?? "");
    expect(done).toMatchObject({ status: 200, data: { location: "/1/parts.txt" } });
    const told = JSON.stringify([form, upload.begun, done]);
    const [mount] = await tree.house.house.vfs.mounts.list();
    for (const secret of ["secret", mount?.id ?? "?", mount?.storage ?? "?"]) expect(told).not.toContain(secret);
    expect(await tree.text("/m/secret/box/form.txt")).toBe("by form");
    expect(await tree.text("/m/secret/box/parts.txt")).toBe("in parts");
    expect(await tree.names("/m/secret/box")).toBe("form.txt parts.txt there.txt");
  });

  test("never replaces what is there, also when that comes while the upload is under way", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/box/there.txt");
    const { visit } = linkCalls(tree);
    const { who } = await visit(["/m/box/", "/m/box/there.txt"], { rights: ["upload"] });
    expect((await sendForm(tree, who, "/1/", "there.txt", "evil")).data).toMatchObject({ fileName: "there (2).txt" });
    expect((await sendForm(tree, who, "/", "2", "evil")).error).toBe("path.mount");
    expect((await sendForm(tree, who, "/", "new.txt", "evil")).error).toBe("mount.none");
    expect((await sendForm(tree, who, "/other/", "new.txt", "evil")).error).toBe("mount.none");
    expect((await sendForm(tree, who, "/1/there.txt/", "new.txt", "evil")).error).toBe("path.conflict");
    expect((await tree.call(api.begin, beginning("/1/", "there.txt", "evil"), who)).data?.path).toBe(
      "/1/there (3).txt",
    );
    expect(await tree.text("/m/box/there.txt")).toBe("/m/box/there.txt");
    const upload = await sendParts(tree, who, "/1/", "late.txt", "evil");
    const put = await upload.put(upload.url, length("evil"));
    await tree.put("/m/box/late.txt");
    const done = await upload.complete(put.headers.get("etag") ?? "");
    expect(done.data).toMatchObject({ fileName: "late (2).txt", location: "/1/late (2).txt" });
    expect((await upload.complete(put.headers.get("etag") ?? "")).data).toEqual(done.data);
    expect(await tree.text("/m/box/late.txt")).toBe("/m/box/late.txt");
    expect(await tree.text("/m/box/late (2).txt")).toBe("evil");
    const rivals = await Promise.all(
      Array.from({ length: 20 }, (_, index) => sendForm(tree, who, "/1/", "race.txt", `of ${index}`)),
    );
    expect(new Set(rivals.map(({ error }) => error))).toEqual(new Set([undefined]));
    const names = ["race.txt", ...Array.from({ length: 19 }, (_, index) => `race (${index + 2}).txt`)];
    expect(new Set(rivals.map(({ data }) => data?.fileName))).toEqual(new Set(names));
    const texts = await Promise.all(names.map((name) => tree.text(`/m/box/${name}`)));
    expect(new Set(texts)).toEqual(new Set(rivals.map((_, index) => `of ${index}`)));
  });

  test("lets nobody read, list, rename or delete, and has no address that would", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/box/there.txt");
    const { visit } = linkCalls(tree);
    const { who } = await visit(["/m/box/"], { rights: ["upload"] });
    await sendForm(tree, who, "/1/", "mine.txt", "mine");
    for (const path of ["/1/there.txt", "/1/mine.txt"]) {
      expect(await tree.text(path, who)).toBe("auth.forbidden");
      expect(await tree.outcome(fs.get, { query: { path } }, who)).toBe("403 auth.forbidden");
      expect(await tree.outcome(fs.batchRemove, { body: { paths: [path] } }, who)).toBe("403 auth.forbidden");
    }
    expect(await tree.names("/1", who)).toBe("auth.forbidden");
    const upload = await sendParts(tree, who, "/1/", "parts.txt", "in parts");
    const grant = new URL(upload.url).searchParams.get("grant") ?? "";
    const read = urlOf(fsBytes.download, { path: "/1/parts.txt", grant });
    await upload.complete((await upload.put(upload.url, length("in parts"))).headers.get("etag") ?? "");
    expect((await tree.house.request(read)).status).toBe(403);
    const single = { path: "/1/", fileName: "x.txt", contentType: "text/plain", fileSize: 1 };
    expect(await tree.outcome(api.presign, { body: single as never }, who)).toBe("403 auth.forbidden");
    expect(await tree.outcome(fs.update, { body: { path: "/1/there.txt", content: "evil" } }, who)).toBe(
      "403 auth.forbidden",
    );
  });

  test("takes nothing more once it has ended, and an upload goes on after another opening", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/box/there.txt");
    const { visit, open, withGrant, update } = linkCalls(tree);
    const { who, link } = await visit(["/m/box/"], { rights: ["upload"] });
    const upload = await sendParts(tree, who, "/1/", "a.txt", "content");
    const again = withGrant((await open(link.slug)).data);
    const etag = (await upload.put(upload.url, length("content"))).headers.get("etag") ?? "";
    await update(link.id, { is_active: false });
    expect((await upload.put(upload.url, length("content"))).status).toBe(403);
    expect((await upload.complete(etag)).error).toBe("grant.void");
    expect((await upload.complete(etag, again)).error).toBe("grant.void");
    await update(link.id, { is_active: true });
    const later = withGrant((await open(link.slug)).data);
    expect((await upload.complete(etag, later)).status).toBe(200);
    expect(await tree.text("/m/box/a.txt")).toBe("content");
    expect((await sendForm(tree, who, "/1/", "b.txt", "x")).error).toBe("grant.void");
  });

  test("has as few uploads under way from one address as other visitors, however often it is opened", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/box/there.txt");
    const { make, open, withGrant } = linkCalls(tree);
    const { slug } = await make(["/m/box/"], { rights: ["upload"] });
    const begin = async (name: string, peer?: string) => {
      const who = withGrant((await open(slug, {}, peer)).data);
      const init = { method: "POST", headers: who, body: JSON.stringify(beginning("/1/", name, "x").body) };
      return (await tree.house.request(`/api${api.begin.path}`, init, peer)).status;
    };
    const met: number[] = [];
    for (let index = 0; index < MAX_OPEN_UPLOADS_OF_ADDRESS; index++) met.push(await begin(`${index}.txt`));
    expect(new Set(met)).toEqual(new Set([200]));
    expect(await begin("more.txt")).toBe(429);
    expect(await begin("more.txt", "198.51.100.1")).toBe(200);
  });

  test("meets the locks of what it shows, wherever they were made", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/d/box/there.txt");
    const { visit } = linkCalls(tree);
    const { who } = await visit(["/m/d/box/"], { rights: ["upload"] });
    const { who: seeing } = await visit(["/m/d/box/"], { rights: ["view", "upload"] });
    const headers = { ...tree.admin, depth: "infinity", "content-type": "application/xml" };
    const body = `<lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/></locktype></lockinfo>`;
    expect((await tree.house.request("/dav/m/d", { method: "LOCK", headers, body })).status).toBe(200);
    expect((await sendForm(tree, who, "/1/", "a.txt", "x")).error).toBe("path.locked");
    expect(await tree.outcome(fs.mkdir, { body: { path: "/box/new" } }, seeing)).toBe("423 path.locked");
  });
});
