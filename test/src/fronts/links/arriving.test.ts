import { describe, expect, test } from "bun:test";
import { fsUploads as api } from "#contract/fs/uploads";
import type { Receipt } from "#contract/links";
import { linkCalls } from "../../../support/callers/link-visit.ts";
import { openTreeHouse, type TreeCalls, type Who } from "../../../support/tree/tree-house.ts";

/** What happens to a file while it is on its way by a link: its name is taken, or another sender reaches for it. */

const FOLDER = "Kündigungen 2031";

async function openBox() {
  const tree = await openTreeHouse();
  await tree.put(`/m/${FOLDER}/there.txt`);
  return tree;
}

const local = (url: string): string => url.replace("http://satchel.test", "");

/** An upload in parts whose bytes have all come, but which is not finished. */
async function almost(tree: TreeCalls, who: Who, name: string, content: string) {
  const body = { path: "/1/", fileName: name, fileSize: content.length };
  const { data: begun, error } = await tree.call(api.begin, { body }, who);
  if (!begun) throw new Error(error);
  const headers = { "content-length": String(content.length) };
  const url = local(begun.presignedUrls[0]?.url ?? "");
  const put = await tree.house.request(url, { method: "PUT", body: content, headers });
  const { path, uploadId, receipt } = begun;
  const parts = [{ partNumber: 1, etag: put.headers.get("etag") ?? "" }];
  const complete = (by = who, said = receipt) =>
    tree.call(api.complete, { body: { path, uploadId, receipt: said, parts } as never }, by);
  return { begun, path, uploadId, receipt: receipt ?? "", complete };
}

/** A body of two pieces, the last of which waits until `end` is called. */
function slowBody() {
  const { promise: going, resolve: end } = Promise.withResolvers<void>();
  const encoder = new TextEncoder();
  const { promise: begun, resolve: begins } = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      controller.enqueue(encoder.encode("first "));
      begins();
      await going;
      controller.enqueue(encoder.encode("last"));
      controller.close();
    },
  });
  return { body, begun, end };
}

const receiptOf = async ({ house }: TreeCalls, receipt: string) =>
  ((await (await house.request(`/api/public/receipts/${receipt}`)).json()) as { data: Receipt }).data;

describe("a name that is taken while a file is on its way", () => {
  test("becomes the next one for an upload in parts, of which everybody is told", async () => {
    await using tree = await openBox();
    const { visit, get } = linkCalls(tree);
    const { who, link } = await visit([`/m/${FOLDER}/`], { rights: ["upload"], max_files: 2 });
    const upload = await almost(tree, who, "late.txt", "by sender");
    await tree.write(`/m/${FOLDER}/late.txt`, "by owner");
    await tree.write(`/m/${FOLDER}/late (2).txt`, "by owner too");
    const done = await upload.complete();
    expect(done).toMatchObject({ status: 200, data: { fileName: "late (3).txt", size: 9 } });
    expect((await upload.complete()).data).toEqual(done.data);
    expect(await tree.text(`/m/${FOLDER}/late.txt`)).toBe("by owner");
    expect(await tree.text(`/m/${FOLDER}/late (2).txt`)).toBe("by owner too");
    expect(await tree.text(`/m/${FOLDER}/late (3).txt`)).toBe("by sender");
    expect((await receiptOf(tree, upload.receipt)).files).toMatchObject([{ name: "late (3).txt", size: 9 }]);
    expect((await get(link.id)).data).toMatchObject({ files: 1, bytes: 9 });
    const back = await tree.house.request(`/api/public/receipts/${upload.receipt}`, { method: "DELETE" });
    expect(back.status).toBe(200);
    expect(await tree.names(`/m/${FOLDER}`)).toBe("late (2).txt late.txt there.txt");
  });

  test("becomes the next one for what comes in one piece", async () => {
    await using tree = await openBox();
    const { make } = linkCalls(tree);
    await make([`/m/${FOLDER}/`], { rights: ["upload"], slug: "bring" });
    const { body, begun, end } = slowBody();
    const sending = tree.house.request("/in/bring/late.txt", { method: "PUT", body });
    await begun;
    await tree.write(`/m/${FOLDER}/late.txt`, "by owner");
    end();
    const answer = await sending;
    expect([answer.status, await answer.text()]).toEqual([201, expect.stringContaining("Received: late (2).txt")]);
    expect(await tree.text(`/m/${FOLDER}/late.txt`)).toBe("by owner");
    expect(await tree.text(`/m/${FOLDER}/late (2).txt`)).toBe("first last");
  });

  test("as a whole: a part of one is not taken for it", async () => {
    await using tree = await openBox();
    await linkCalls(tree).make([`/m/${FOLDER}/`], { rights: ["upload"], slug: "bring" });
    const part = { method: "PUT", body: "x", headers: { "content-range": "bytes 5-5/6" } };
    expect((await tree.house.request("/in/bring/a.txt", part)).status).toBe(400);
  });

  test("also where visitors look, whose names are not their own", async () => {
    await using tree = await openBox();
    const { visit } = linkCalls(tree);
    const { who } = await visit([`/m/${FOLDER}/`], { rights: ["view", "upload"] });
    const begin = async (content: string) => {
      const body = { path: `/${FOLDER}/`, fileName: "same.txt", fileSize: content.length };
      const { data } = await tree.call(api.begin, { body }, who);
      const put = await tree.house.request(local(data?.presignedUrls[0]?.url ?? ""), {
        ...{ method: "PUT", body: content, headers: { "content-length": String(content.length) } },
      });
      const parts = [{ partNumber: 1, etag: put.headers.get("etag") ?? "" }];
      return { path: data?.path ?? "", uploadId: data?.uploadId ?? "", parts };
    };
    const all = [await begin("one"), await begin("two"), await begin("six")];
    const ends = await Promise.all(all.map((body) => tree.call(api.complete, { body: body as never }, who)));
    const names = ends.map(({ data }) => data?.fileName ?? "");
    expect(names.toSorted()).toEqual(["same (2).txt", "same (3).txt", "same.txt"]);
    const texts = await Promise.all(names.map((name) => tree.text(`/m/${FOLDER}/${name}`)));
    expect(texts).toEqual(["one", "two", "six"]);
  });

  test("is never written over by senders and an owner at once", async () => {
    await using tree = await openBox();
    const { visit } = linkCalls(tree);
    const { who } = await visit([`/m/${FOLDER}/`], { rights: ["upload"] });
    const uploads = await Promise.all(
      Array.from({ length: 8 }, (_, index) => almost(tree, who, "race.txt", `of ${index}`)),
    );
    const writes = ["race.txt", "race (3).txt", "race (9).txt"].map((name) =>
      tree.write(`/m/${FOLDER}/${name}`, `owner ${name}`),
    );
    const [ends] = await Promise.all([Promise.all(uploads.map(({ complete }) => complete())), Promise.all(writes)]);
    expect(ends.filter(({ status }) => status !== 200)).toEqual([]);
    const names = ends.map(({ data }) => data?.fileName ?? "");
    expect(new Set(names).size).toBe(8);
    // The owner may replace what has come, and nothing else does.
    const kept = await Promise.all(names.map((name) => tree.text(`/m/${FOLDER}/${name}`)));
    for (const [index, text] of kept.entries()) expect([`of ${index}`, `owner ${names[index]}`]).toContain(text);
    for (const name of ["race.txt", "race (3).txt", "race (9).txt"])
      if (!names.includes(name)) expect(await tree.text(`/m/${FOLDER}/${name}`)).toBe(`owner ${name}`);
  });
});

describe("an upload of one sender", () => {
  test("is nobody else's to look at, finish or abort, by the same link or another one", async () => {
    await using tree = await openBox();
    const { visit, open, withGrant } = linkCalls(tree);
    const { who, link } = await visit([`/m/${FOLDER}/`], { rights: ["upload"] });
    const second = withGrant((await open(link.slug)).data);
    const { who: elsewhere } = await visit([`/m/${FOLDER}/`], { rights: ["upload"] });
    const upload = await almost(tree, who, "mine.txt", "mine");
    const { path, uploadId, receipt } = upload;
    const other = "x".repeat(43);
    for (const stranger of [second, elsewhere]) {
      const named = { path, uploadId, receipt: other };
      expect(await tree.outcome(api.parts, { body: named } as never, stranger)).toBe("404 upload.missing");
      expect((await upload.complete(stranger, other)).error).toBe("upload.missing");
      expect(await tree.outcome(api.abort, { body: named } as never, stranger)).toBe("200");
      const address = new URL(upload.begun.presignedUrls[0]?.url ?? "");
      address.searchParams.set("grant", stranger.authorization?.replace("Link ", "") ?? "");
      const put = await tree.house.request(local(`${address}`), { method: "PUT", body: "evil" });
      expect([401, 403, 404]).toContain(put.status);
    }
    // A receipt opens nothing of another link either.
    expect((await upload.complete(elsewhere, receipt)).error).toBe("upload.missing");
    expect((await upload.complete(second, receipt)).status).toBe(200);
    expect((await upload.complete(who, other)).error).toBe("upload.missing");
    expect(await tree.text(`/m/${FOLDER}/mine.txt`)).toBe("mine");
  });

  test("is apart from those of the explorer, whoever names them", async () => {
    await using tree = await openBox();
    const { visit } = linkCalls(tree);
    const { who } = await visit([`/m/${FOLDER}/`], { rights: ["upload"] });
    const body = { path: `/m/${FOLDER}/`, fileName: "own.txt", fileSize: 3 };
    const { data: own } = await tree.call(api.begin, { body }, tree.admin);
    const url = local(own?.presignedUrls[0]?.url ?? "");
    const put = await tree.house.request(url, { method: "PUT", body: "own", headers: { "content-length": "3" } });
    const parts = [{ partNumber: 1, etag: put.headers.get("etag") ?? "" }];
    const uploadId = own?.uploadId ?? "";
    for (const path of ["/1/own.txt", `/m/${FOLDER}/own.txt`, own?.path ?? ""]) {
      const named = { path, uploadId };
      expect(await tree.outcome(api.parts, { body: named } as never, who)).toBe("404 upload.missing");
      expect(await tree.outcome(api.complete, { body: { ...named, parts } } as never, who)).toBe("404 upload.missing");
      expect(await tree.outcome(api.abort, { body: named } as never, who)).toBe("200");
    }
    const end = { body: { path: own?.path ?? "", uploadId, parts } };
    expect(await tree.outcome(api.complete, end as never, tree.admin)).toBe("200");
    expect(await tree.text(`/m/${FOLDER}/own.txt`)).toBe("own");
  });
});

test("no answer tells senders what the folder is called, whatever they send", async () => {
  await using tree = await openBox();
  const { visit, open } = linkCalls(tree);
  const { who, link, opened } = await visit([`/m/${FOLDER}/`], { rights: ["upload"], max_files: 4, slug: "bring" });
  expect(opened.upload_paths).toEqual(["/1/"]);
  const told: unknown[] = [opened, await open(link.slug)];
  const upload = await almost(tree, who, "there.txt", "sent");
  const { path, uploadId } = upload;
  told.push(upload.begun, await tree.call(api.parts, { body: { path, uploadId, list: true } } as never, who));
  told.push(await upload.complete(), await upload.complete(), await receiptOf(tree, upload.receipt));
  const ask = async (method: string, url: string, body?: string, headers: Who = {}) => {
    const answer = await tree.house.request(url, { method, ...(body !== undefined && { body }), headers });
    told.push([...answer.headers], await answer.text());
  };
  await ask("PUT", "/in/bring/there.txt", "x");
  await ask("PUT", "/in/bring/there.txt", "x", { accept: "application/json" });
  await ask("PUT", "/in/bring/a%2Fb.txt", "x");
  await ask("PUT", "/in/bring/full.txt", "x");
  await ask("GET", "/in/bring");
  await ask("GET", "/in/bring", undefined, { accept: "text/plain" });
  await ask("GET", "/in/bring/there.txt");
  for (const asked of ["/", "/1/", "/1/there.txt", `/${FOLDER}/`])
    for (const call of ["list", "get", "download", "search", "events", "upload"])
      await ask("GET", `/api/fs/${call}?path=${encodeURIComponent(asked)}`, undefined, who);
  const guess = { path: "/1/there.txt/", fileName: "x", fileSize: 1 };
  told.push(await tree.call(api.begin, { body: guess }, who));
  const text = JSON.stringify(told);
  expect(text).not.toContain(FOLDER);
  expect(text).not.toContain(encodeURIComponent(FOLDER));
});
