import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { fs } from "#contract/fs/fs";
import { fsUploads as api } from "#contract/fs/uploads";
import { UPLOAD_LIFE } from "#contract/limits";
import type { Receipt, Received } from "#contract/links";
import { mounts } from "#contract/mounts";
import { bitsOf } from "#contract/permissions";
import { storage as storages } from "#contract/storage";
import { sql } from "../../../../src/database/sql.ts";
import { linkCalls } from "../../../support/callers/link-visit.ts";
import { davCalls } from "../../../support/clients/dav.ts";
import { stopAtEachWrite } from "../../../support/database/crash.ts";
import { makeKey, withKey } from "../../../support/make-key.ts";
import { makeMount, mountBucket } from "../../../support/make-mount.ts";
import { ask } from "../../../support/share-file.ts";
import {
  copiedObject,
  copySource,
  emptyBucket,
  openPretendS3,
  openSmallBucket,
} from "../../../support/stores/pretend-s3.ts";
import { minutes } from "../../../support/test-clock.ts";
import { openTreeHouse, type TreeCalls, treeCalls, type Who } from "../../../support/tree/tree-house.ts";

/** Links that take files: how much, of what, from whom, and what their senders have of it. */

interface Sent {
  readonly status: number;
  readonly error?: string;
  readonly data?: { readonly fileName: string; readonly receipt: string };
}

async function send(
  { house }: TreeCalls,
  who: Who,
  { name = "a.txt", content = "content", ...fields }: Readonly<Record<string, string>> = {},
): Promise<Sent> {
  const form = new FormData();
  for (const [field, value] of Object.entries({ path: "/1/", ...fields, filename: name })) form.set(field, value);
  form.set("file", new File([content], "f", { type: "text/plain" }));
  const response = await house.request(`/api${api.form.path}`, { method: "POST", headers: who, body: form });
  return { ...((await response.json()) as Sent), status: response.status };
}

async function openBox() {
  const tree = await openTreeHouse();
  await tree.put("/m/box/there.txt");
  return tree;
}

const begin = (tree: TreeCalls, who: Who, name: string, fileSize: number, fields = {}) =>
  tree.call(api.begin, { body: { path: "/1/", fileName: name, fileSize, ...fields } }, who);

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

async function receiptOf({ house }: TreeCalls, receipt: string, method = "GET") {
  const response = await house.request(`/api/public/receipts/${receipt}`, { method });
  const { data, error } = (await response.json()) as { data: Receipt; error?: string };
  return { ...data, error };
}

async function receiptsOf({ house, admin }: TreeCalls, id: string, session?: string): Promise<readonly Receipt[]> {
  const headers = session === undefined ? admin : { authorization: `Bearer ${session}` };
  const response = await house.request(`/api/links/${id}/receipts`, { headers });
  return ((await response.json()) as { data: { receipts: Receipt[] } }).data.receipts;
}

test("the owner is told where each file is that has come, and nobody else", async () => {
  await using tree = await openBox();
  const { visit } = linkCalls(tree);
  const { who, link } = await visit(["/m/box/"], { rights: ["upload"], sender_folders: true, ask_name: true });
  const { data } = await send(tree, who, { content: "x", sender: "Ann" });
  const receipt = data?.receipt ?? "";
  expect((await send(tree, who, { content: "y", sender: "Ann", receipt })).status).toBe(200);
  const pathsOf = async () => {
    const [first] = (await receiptsOf(tree, link.id)) as readonly Received[];
    return (first?.files ?? []).map(({ path }) => path);
  };
  const [one = null, other = null] = await pathsOf();
  expect([one, other]).toEqual([expect.stringMatching(/^\/m\/box\/Ann/), expect.stringMatching(/^\/m\/box\/Ann/)]);
  expect(["x", "y"]).toContain(await tree.text(one ?? ""));
  const shown = await (await tree.house.request(`/api/public/receipts/${receipt}`)).text();
  expect(shown).not.toContain("/m/box");
  await tree.call(fs.batchRemove, { body: { paths: [one ?? ""] } });
  expect(await pathsOf()).toEqual([null, other]);
});

test("the owner is led to the mount that the link names, of two that show its storage", async () => {
  await using tree = await openBox();
  const { visit } = linkCalls(tree);
  const mounts = ["/m2", "/m3"];
  for (const mount_path of mounts) await makeMount(tree.house, { name: mount_path.slice(1), mount_path });
  await tree.put("/m2/shared/there.txt");
  for (const mount of mounts) {
    const { who, link } = await visit([`${mount}/shared/`], { rights: ["upload"] });
    expect((await send(tree, who, { name: `by ${mount.slice(1)}.txt` })).status).toBe(200);
    const [first] = (await receiptsOf(tree, link.id)) as readonly Received[];
    expect(first?.files.map(({ path }) => path)).toEqual([`${mount}/shared/by ${mount.slice(1)}.txt`]);
  }
});

describe("the limits of a link", () => {
  test("let in exactly as many files as they say, of 200 senders at once", async () => {
    await using tree = await openBox();
    const { make, open, withGrant, get } = linkCalls(tree);
    const { id, slug } = await make(["/m/box/"], { rights: ["upload"], max_files: 50 });
    const senders = await Promise.all(Array.from({ length: 200 }, async () => withGrant((await open(slug)).data)));
    const all = await Promise.all(senders.map((who, index) => send(tree, who, { content: `of ${index}` })));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(50);
    expect(new Set(all.map(({ error }) => error))).toEqual(new Set([undefined, "link.full"]));
    const { data } = await tree.list("/m/box", undefined, { limit: 200 });
    expect(data?.items).toHaveLength(51);
    expect((await get(id)).data).toMatchObject({ files: 50 });
  });

  test("count bytes before they come, also those that nobody has announced, and give back what does not come", async () => {
    await using tree = await openBox();
    const { visit, get } = linkCalls(tree);
    const { who, link } = await visit(["/m/box/"], { rights: ["upload"], max_bytes: 100, max_file_bytes: 60 });
    expect((await send(tree, who, { content: "x".repeat(61) })).error).toBe("link.fileBytes");
    expect((await begin(tree, who, "a.bin", 61)).error).toBe("link.fileBytes");
    const { data: begun } = await begin(tree, who, "a.bin", 60);
    expect((await get(link.id)).data).toMatchObject({ files: 1, bytes: 60 });
    expect((await begin(tree, who, "b.bin", 41)).error).toBe("link.bytes");
    expect((await send(tree, who, { content: "x".repeat(41) })).error).toBe("link.bytes");
    expect((await send(tree, who, { content: "x".repeat(40) })).status).toBe(200);
    expect((await send(tree, who, { content: "x" })).status).toBe(413);
    const abort = { body: { path: begun?.path ?? "", uploadId: begun?.uploadId ?? "" } };
    expect(await tree.outcome(api.abort, abort, who)).toBe("200");
    expect((await get(link.id)).data).toMatchObject({ files: 1, bytes: 40 });
    expect(await tree.names("/m/box")).toBe("a.txt there.txt");
  });

  test("hold for many senders of unannounced bytes at once", async () => {
    await using tree = await openBox();
    const { visit, get } = linkCalls(tree);
    const { who, link } = await visit(["/m/box/"], { rights: ["upload"], max_bytes: 95 });
    const all = await Promise.all(Array.from({ length: 40 }, () => send(tree, who, { content: "x".repeat(10) })));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(9);
    expect((await get(link.id)).data).toMatchObject({ files: 9, bytes: 90 });
  });

  test("are free again of what was begun and never sent, without a trace of its sender", async () => {
    await using tree = await openBox();
    const { visit, open, withGrant } = linkCalls(tree);
    const { who, link } = await visit(["/m/box/"], { rights: ["upload"], max_files: 1 });
    expect((await begin(tree, who, "a.bin", 5)).status).toBe(200);
    expect((await send(tree, who)).error).toBe("link.full");
    tree.house.clock.advance(UPLOAD_LIFE);
    await tree.house.house.system.sweeper.sweep();
    const later = withGrant((await open(link.slug)).data);
    expect((await send(tree, later)).status).toBe(200);
    expect(await receiptsOf(tree, link.id, await tree.house.signIn())).toHaveLength(1);
  });

  test("are free again of what a killed server has left, also of a storage that is gone, and whoever's file is there now keeps it", async () => {
    await using tree = await openBox();
    const { visit, get } = linkCalls(tree);
    const { mount, storage } = await tree.second();
    await tree.put("/n/box/there.txt");
    const gone = await visit(["/n/box/"], { rights: ["upload"] });
    await send(tree, gone.who);
    const { who, link } = await visit(["/m/box/"], { rights: ["upload"], max_files: 2 });
    const { data } = await send(tree, who, { name: "long.txt", content: "by sender" });
    const { receipt = "" } = data ?? {};
    await send(tree, who, { name: "same.txt", content: "by sender", receipt });
    await tree.house.db.run(
      sql`update link_arrivals set state = 'coming', etag = null, sha256 = null, arrived_at = null`,
    );
    await tree.write("/m/box/long.txt", "written by the owner");
    await tree.write("/m/box/same.txt", "the owner");
    expect((await ask(tree.house, mounts.remove, { params: { id: mount.id } })).status).toBe(200);
    expect((await ask(tree.house, storages.remove, { params: { id: storage.id } })).status).toBe(200);
    tree.house.clock.advance(minutes(2));
    await tree.house.house.system.sweeper.sweep();
    expect((await get(link.id)).data).toMatchObject({ files: 1 });
    expect((await receiptOf(tree, receipt)).files).toMatchObject([{ name: "same.txt", take_back_until: null }]);
    expect((await receiptOf(tree, receipt, "DELETE")).error).toBe("link.tooLate");
    expect(await tree.text("/m/box/long.txt")).toBe("written by the owner");
    expect(await tree.text("/m/box/same.txt")).toBe("the owner");
  });

  test("ask for kinds by ending and media type", async () => {
    await using tree = await openBox();
    const { visit, make } = linkCalls(tree);
    const { who } = await visit(["/m/box/"], { rights: ["upload"], kinds: [".PDF", "image/*"] });
    expect((await send(tree, who, { name: "a.exe" })).error).toBe("link.kind");
    expect((await send(tree, who, { name: "a.Pdf" })).status).toBe(200);
    const picture = (contentType: string) => begin(tree, who, "a", 5, { contentType });
    expect((await picture("text/html")).error).toBe("link.kind");
    expect((await picture("image/png")).status).toBe(200);
    expect(make(["/m/box/"], { rights: ["upload"], kinds: ["everything"] })).rejects.toThrow("ending");
  });
});

describe("a sender", () => {
  test("has names made fit that lie or lead elsewhere", async () => {
    await using tree = await openBox();
    const { visit } = linkCalls(tree);
    const { who } = await visit(["/m/box/"], { rights: ["upload"] });
    const names = async (name: string) => (await send(tree, who, { name })).data?.fileName;
    expect(await names("../../evil.txt")).toBe(".._.._evil.txt");
    expect(await names("..")).toBe("file");
    expect(await names("gpj.\u202efdp.exe")).toBe("gpj.fdp.exe");
    expect(await names("a\u0000b\r\n.txt")).toBe("a_b__.txt");
    expect(await names("Cafe\u0301.txt")).toBe("Café.txt");
    expect(await names(`${"ä".repeat(200)}.txt`)).toBe(`${"ä".repeat(125)}.txt`);
    expect(await names(".satchel-staging-x")).toBe("satchel-staging-x");
    expect(await names("   ")).toBe("file (2)");
  });

  test("takes nothing back out of a folder whose names somebody has locked", async () => {
    await using tree = await openBox();
    const { visit } = linkCalls(tree);
    const { who } = await visit(["/m/box/"], { rights: ["upload"] });
    const { receipt = "" } = (await send(tree, who)).data ?? {};
    const { lock, send: byDav } = davCalls(tree.house);
    const { token } = await lock("/m/box", { headers: { depth: "0" } });
    expect((await receiptOf(tree, receipt, "DELETE")).error).toBe("path.locked");
    expect(await tree.text("/m/box/a.txt")).toBe("content");
    expect((await byDav("UNLOCK", "/m/box", { headers: { "lock-token": `<${token}>` } })).status).toBe(204);
    expect((await receiptOf(tree, receipt, "DELETE")).error).toBeUndefined();
    expect(await tree.names("/m/box")).not.toContain("a.txt");
  });

  test("makes no folders but for its files, whose names are made fit as well", async () => {
    await using tree = await openBox();
    const { visit } = linkCalls(tree);
    const { who } = await visit(["/m/box/"], { rights: ["upload"], max_files: 1 });
    for (const path of ["/1/new/", "/1/there.txt"])
      expect(await tree.outcome(fs.mkdir, { body: { path } }, who)).toBe("403 auth.forbidden");
    expect((await send(tree, who, { path: "/1/../x/" })).error).toBe("path.invalid");
    expect((await send(tree, who, { path: "/1/\u202etxt.exe/a:b./" })).status).toBe(200);
    expect(await tree.names("/m/box")).toBe("txt.exe/ there.txt");
    expect(await tree.names("/m/box/txt.exe")).toBe("a_b/");
    expect(await tree.text("/m/box/txt.exe/a_b/a.txt")).toBe("content");
    const other = await visit(["/m/box/"], { rights: ["view", "upload"] });
    expect(await tree.outcome(fs.mkdir, { body: { path: "/box/new" } }, other.who)).toBe("200");
  });

  test("says a name where it is asked for, and has a folder of their own", async () => {
    await using tree = await openBox();
    const { visit, get } = linkCalls(tree);
    const fields = { ask_name: true, ask_message: true, sender_folders: true };
    const { who, link, opened } = await visit(["/m/box/"], { ...fields, rights: ["upload"] });
    expect(opened.taking).toMatchObject({ ask_name: true, ask_message: true, files_left: null });
    expect((await send(tree, who)).error).toBe("link.sender");
    expect((await send(tree, who, { sender: " \u202e " })).error).toBe("link.sender");
    const first = await send(tree, who, { sender: "Ann\u202e/..", message: "Hello\u0007\r\nthere" });
    expect(first.status).toBe(200);
    const receipt = first.data?.receipt ?? "";
    await send(tree, who, { receipt, name: "b.txt" });
    await send(tree, who, { sender: "Ann/.." });
    expect(await tree.names("/m/box")).toBe("Ann_ (2)/ Ann_/ there.txt");
    expect(await tree.names("/m/box/Ann_")).toBe("a.txt b.txt");
    expect(await receiptOf(tree, receipt)).toMatchObject({ sender: "Ann/..", message: "Hello\nthere" });
    const all = await receiptsOf(tree, link.id);
    expect(all.map(({ files }) => files.length).sort()).toEqual([1, 2]);
    expect((await get(link.id)).data).toMatchObject({ files: 3 });
  });

  test("says no name where they may look, as no page asks for one there", async () => {
    await using tree = await openBox();
    const { visit } = linkCalls(tree);
    const { who, opened } = await visit(["/m/box/"], { rights: ["view", "upload"], ask_name: true });
    expect(opened.taking?.ask_name).toBe(false);
    expect((await send(tree, who, { path: "/box/" })).status).toBe(200);
    expect((await begin(tree, who, "b.txt", 5, { path: "/box/" })).status).toBe(200);
  });

  test("keeps what they put into folders in their own folder, and gets into nobody else's", async () => {
    await using tree = await openBox();
    const { visit } = linkCalls(tree);
    const { who } = await visit(["/m/box/"], { rights: ["upload"], sender_folders: true });
    const first = await send(tree, who, { sender: "Ann", path: "/1/photos/2024/" });
    const receipt = first.data?.receipt ?? "";
    await send(tree, who, { receipt, path: "/1/photos/2025/" });
    await send(tree, who, { sender: "Bob", path: "/1/Ann/" });
    expect(await tree.names("/m/box")).toBe("Ann/ Bob/ there.txt");
    expect(await tree.names("/m/box/Ann/photos")).toBe("2024/ 2025/");
    expect(await tree.names("/m/box/Ann/photos/2025")).toBe("a.txt");
    expect(await tree.names("/m/box/Bob/Ann")).toBe("a.txt");
  });

  test("leaves no folder where they take everything back, and what has come since stays", async () => {
    await using tree = await openBox();
    const { visit } = linkCalls(tree);
    const { who } = await visit(["/m/box/"], { rights: ["upload"], sender_folders: true });
    const ann = (await send(tree, who, { sender: "Ann", path: "/1/photos/2024/" })).data?.receipt ?? "";
    await send(tree, who, { receipt: ann });
    const bob = (await send(tree, who, { sender: "Bob" })).data?.receipt ?? "";
    await tree.put("/m/box/Bob/by owner.txt");
    const eve = (await send(tree, who, { sender: "Eve" })).data?.receipt ?? "";
    expect(await tree.names("/m/box")).toBe("Ann/ Bob/ Eve/ there.txt");
    for (const receipt of [ann, bob]) expect((await receiptOf(tree, receipt, "DELETE")).files).toEqual([]);
    expect(await tree.names("/m/box")).toBe("Bob/ Eve/ there.txt");
    expect(await tree.names("/m/box/Bob")).toBe("by owner.txt");
    // Who sends at the same moment loses nothing.
    const late = (await send(tree, who, { sender: "Zoe" })).data?.receipt ?? "";
    const [, ...sent] = await Promise.all([
      receiptOf(tree, late, "DELETE"),
      ...Array.from({ length: 10 }, (_, index) =>
        send(tree, who, { receipt: late, sender: "Zoe", name: `${index}.txt` }),
      ),
    ]);
    const there = sent.flatMap(({ status, data }) => (status === 200 && data ? [data.fileName] : []));
    const kept = new Set((await receiptOf(tree, late)).files.map(({ name }) => name));
    const names = (await tree.names("/m/box/Zoe")).split(" ");
    expect(names.filter((name) => name.endsWith(".txt")).sort()).toEqual([...kept].sort());
    expect(there).toHaveLength(10);
    expect((await receiptOf(tree, eve)).files).toHaveLength(1);
  });

  test("leaves the folder of all where no sender has one", async () => {
    await using tree = await openTreeHouse();
    await tree.call(fs.mkdir, { body: { path: "/m/box/" } });
    const { visit } = linkCalls(tree);
    const { who } = await visit(["/m/box/"], { rights: ["upload"] });
    const receipt = (await send(tree, who, { path: "/1/deep/" })).data?.receipt ?? "";
    await receiptOf(tree, receipt, "DELETE");
    expect(await tree.names("/m")).toContain("box/");
    expect(await tree.names("/m/box")).toBe("deep/");
  });

  test("whose files are all refused is not in the owner's list", async () => {
    await using tree = await openBox();
    const { visit } = linkCalls(tree);
    const fields = { sender_folders: true, kinds: [".txt"], max_file_bytes: 10, max_files: 1 };
    const { who, link } = await visit(["/m/box/"], { ...fields, rights: ["upload"] });
    expect((await send(tree, who, { sender: "Ann", name: "a.exe" })).error).toBe("link.kind");
    expect((await send(tree, who, { sender: "Ben", content: "longer than that" })).error).toBe("link.fileBytes");
    expect((await send(tree, who, { sender: "Eve" })).status).toBe(200);
    expect((await send(tree, who, { sender: "Late" })).error).toBe("link.full");
    expect((await receiptsOf(tree, link.id)).map(({ sender }) => sender)).toEqual(["Eve"]);
  });

  test("shares one folder over files that come at once", async () => {
    await using tree = await openBox();
    const { visit } = linkCalls(tree);
    const { who } = await visit(["/m/box/"], { rights: ["upload"], sender_folders: true });
    const receipt = "r".repeat(43);
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, index) => send(tree, who, { receipt, sender: "Ann", name: `${index}.txt` })),
    );
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await tree.names("/m/box")).toBe("Ann/ there.txt");
    const { files } = await receiptOf(tree, receipt);
    expect(files).toHaveLength(20);
  });
});

describe("a receipt", () => {
  test("tells what has come with its SHA-256, and of a link that is not the sender's nothing", async () => {
    await using tree = await openBox();
    const { visit } = linkCalls(tree);
    const { who } = await visit(["/m/box/"], { rights: ["upload"] });
    const { data } = await send(tree, who, { content: "one" });
    const { receipt = "" } = data ?? {};
    const { data: begun } = await begin(tree, who, "parts.bin", 5, { receipt });
    const url = begun?.presignedUrls[0]?.url.replace("http://satchel.test", "") ?? "";
    const put = await tree.house.request(url, { method: "PUT", body: "parts", headers: { "content-length": "5" } });
    expect((await receiptOf(tree, receipt)).files.map(({ arrived_at }) => arrived_at === null)).toEqual([false, true]);
    const parts = [{ partNumber: 1, etag: put.headers.get("etag") ?? "" }];
    const end = { body: { path: begun?.path ?? "", uploadId: begun?.uploadId ?? "", parts } };
    expect(await tree.outcome(api.complete, end as never, who)).toBe("200");
    expect(await tree.outcome(api.complete, end as never, who)).toBe("200");
    const { files } = await receiptOf(tree, receipt);
    expect(files).toMatchObject([
      { name: "a.txt", size: 3, sha256: sha256("one") },
      { name: "parts.bin", size: 5, sha256: sha256("parts") },
    ]);
    expect((await receiptOf(tree, "x".repeat(43))).error).toBe("link.receipt");
    const other = await visit(["/m/box/"], { rights: ["upload"] });
    expect((await send(tree, other.who, { receipt })).error).toBe("link.receipt");
  });

  test("takes back within ten minutes what it brought, and nothing that somebody has changed", async () => {
    await using tree = await openBox();
    const { visit, get } = linkCalls(tree);
    const { who, link } = await visit(["/m/box/"], { rights: ["upload"], max_files: 3 });
    const { data } = await send(tree, who, { name: "mine.txt" });
    const { receipt = "" } = data ?? {};
    await send(tree, who, { name: "changed.txt", receipt });
    await send(tree, who, { name: "others.txt" });
    await tree.write("/m/box/changed.txt", "by the owner");
    expect((await receiptOf(tree, receipt, "DELETE")).files).toMatchObject([{ name: "changed.txt" }]);
    expect(await tree.names("/m/box")).toBe("changed.txt others.txt there.txt");
    expect((await get(link.id)).data).toMatchObject({ files: 2 });
    expect((await receiptOf(tree, receipt, "DELETE")).error).toBe("link.tooLate");
    const late = await send(tree, who, { name: "late.txt" });
    tree.house.clock.advance(minutes(10));
    expect((await receiptOf(tree, late.data?.receipt ?? "", "DELETE")).error).toBe("link.tooLate");
    expect(await tree.text("/m/box/late.txt")).toBe("content");
  });

  test.each(["the sweeper", "its sender"])(
    "takes back what is neither counted nor in the receipt, wherever that was killed: %s looks",
    async (who) => {
      const stops = await stopAtEachWrite({
        async arrange(house) {
          const tree = await treeCalls(house);
          await tree.put("/drive/box/there.txt");
          const { visit } = linkCalls(tree);
          const { who: visitor, link } = await visit(["/drive/box/"], { rights: ["upload"], max_files: 1 });
          const { data } = await send(tree, visitor, { name: "mine.txt" });
          return { id: link.id, receipt: data?.receipt ?? "" };
        },
        act: async (house, { receipt }) => receiptOf(await treeCalls(house), receipt, "DELETE"),
        async check(house, { id, receipt }, writes) {
          const tree = await treeCalls(house);
          if (who === "its sender") await receiptOf(tree, receipt, "DELETE");
          else {
            house.clock.advance(minutes(2));
            await house.house.system.sweeper.sweep();
          }
          const names = await tree.names("/drive/box");
          const isThere = names.includes("mine.txt");
          const { data } = await linkCalls(tree).get(id);
          const { files = [] } = await receiptOf(tree, receipt);
          expect({ writes, names, files: data.files, sent: files.length }).toEqual({
            writes,
            names: isThere ? "mine.txt there.txt" : "there.txt",
            files: Number(isThere),
            sent: Number(isThere),
          });
        },
      });
      expect(stops).toBeGreaterThan(3);
    },
  );

  test("takes nothing back from outside of the networks of the link", async () => {
    await using tree = await openBox();
    const { make } = linkCalls(tree);
    await make(["/m/box/"], { rights: ["upload"], slug: "bring", networks: ["192.0.2.0/24"] });
    const headers = { accept: "application/json" };
    const put = (peer: string) =>
      tree.house.request("/in/bring/a.txt", { method: "PUT", body: "content", headers }, peer);
    expect((await put("198.51.100.1")).status).toBe(403);
    const { receipt } = (await (await put("192.0.2.1")).json()) as { receipt: string };
    const back = async (peer: string) =>
      (await tree.house.request(`/api/public/receipts/${receipt}`, { method: "DELETE" }, peer)).status;
    expect(await back("198.51.100.1")).toBe(403);
    expect(await tree.text("/m/box/a.txt")).toBe("content");
    expect(await back("192.0.2.7")).toBe(200);
    expect(await tree.names("/m/box")).toBe("there.txt");
  });

  test("is not told that something is gone which its owner has moved, and makes no room by that", async () => {
    await using tree = await openBox();
    const { visit, get } = linkCalls(tree);
    const { who, link } = await visit(["/m/box/"], { rights: ["upload"], max_files: 1 });
    const { data } = await send(tree, who, { name: "mine.txt" });
    const body = { oldPath: "/m/box/mine.txt", newPath: "/m/kept.txt" };
    expect(await tree.outcome(fs.rename, { body })).toBe("200");
    expect((await receiptOf(tree, data?.receipt ?? "", "DELETE")).error).toBe("link.tooLate");
    expect(await tree.text("/m/kept.txt")).toBe("content");
    expect((await receiptOf(tree, data?.receipt ?? "")).files).toMatchObject([{ name: "mine.txt" }]);
    expect((await send(tree, who)).error).toBe("link.full");
    expect((await get(link.id)).data).toMatchObject({ files: 1 });
  });
});

test("an owner who loses the right to upload closes the link, also for what is on its way", async () => {
  await using tree = await openBox();
  const { make, open, withGrant } = linkCalls(tree);
  const key = await makeKey(tree.house, { permissions: ["mount_view", "mount_upload"] });
  const { slug } = await make(["/m/box/"], { rights: ["upload"] }, withKey(key));
  const who = withGrant((await open(slug)).data);
  const { data: begun } = await begin(tree, who, "a.bin", 5);
  const url = begun?.presignedUrls[0]?.url.replace("http://satchel.test", "") ?? "";
  const put = await tree.house.request(url, { method: "PUT", body: "parts", headers: { "content-length": "5" } });
  await tree.house.house.access.keys.update(key.id, { permissions: bitsOf(["mount_view"]) });
  const parts = [{ partNumber: 1, etag: put.headers.get("etag") ?? "" }];
  const end = { body: { path: begun?.path ?? "", uploadId: begun?.uploadId ?? "", parts } };
  expect((await tree.call(api.complete, end as never, who)).status).toBe(403);
  expect((await open(slug)).error).toBe("share.gone");
  expect(await tree.names("/m/box")).toBe("there.txt");
});

describe("a program at a terminal", () => {
  const basic = (password: string): Who => ({ authorization: `Basic ${btoa(`:${password}`)}` });

  async function openInbound(fields: Parameters<ReturnType<typeof linkCalls>["make"]>[1] = {}) {
    const tree = await openBox();
    const { make, get } = linkCalls(tree);
    const link = await make(["/m/box/"], { rights: ["upload"], slug: "bring", ...fields });
    const ask = async (method: string, path: string, body: string | FormData, headers: Who = {}) => {
      const response = await tree.house.request(path, { method, body, headers });
      return [response.status, await response.text()] as const;
    };
    return { ...tree, tree, link, get, ask, [Symbol.asyncDispose]: () => tree[Symbol.asyncDispose]() };
  }

  test("puts a file and is told its name, its digest and how to take it back", async () => {
    await using house = await openInbound();
    expect(house.link.url).toBe("/in/bring");
    const [status, text] = await house.ask("PUT", "/in/bring/there.txt", "by curl");
    expect(status).toBe(201);
    expect(text).toContain("Received: there (2).txt (7 B)");
    expect(text).toContain(`SHA-256: ${sha256("by curl")}`);
    const [, back = ""] = /DELETE http:\/\/[^/]+(\S+)/.exec(text) ?? [];
    expect((await house.ask("DELETE", back, "")).at(0)).toBe(200);
    expect(await house.names("/m/box")).toBe("there.txt");
    const [, json] = await house.ask("PUT", "/in/bring/%E5%9B%BE.txt", "x", { accept: "application/json" });
    expect(JSON.parse(json)).toMatchObject({ name: "图.txt", size: 1, sha256: sha256("x") });
    expect((await house.ask("PUT", "/in/bring/", "nameless")).at(1)).toContain("Received: file (8 B)");
  });

  test("sends a form, and says who it is in fields or headers", async () => {
    await using house = await openInbound({ ask_name: true, ask_message: true });
    const form = new FormData();
    form.set("sender", "Ann");
    form.set("message", "Hello");
    form.set("file", new File(["by form"], "../form.txt"));
    expect((await house.ask("POST", "/in/bring/", form)).at(0)).toBe(201);
    const [status, sentence] = await house.ask("PUT", "/in/bring/a.txt", "x");
    expect([status, sentence]).toEqual([
      400,
      "Enter your name: whoever asks for these files wants to know who sends them (400).\n",
    ]);
    const ben = Buffer.from("Bén").toString("latin1");
    expect((await house.ask("PUT", "/in/bring/a.txt", "x", { "x-share-sender": ben })).at(0)).toBe(201);
    const senders = (await receiptsOf(house.tree, house.link.id)).map(({ sender }) => sender);
    expect(new Set(senders)).toEqual(new Set(["Ann", "Bén"]));
    expect(await house.names("/m/box")).toBe("a.txt form.txt there.txt");
    expect((await house.ask("POST", "/in/bring", "text")).at(0)).toBe(400);
  });

  test("proves the password by HTTP Basic and never in the address, and opens the link once", async () => {
    await using house = await openInbound({ password: "open sesame", max_opens: 1 });
    expect((await house.ask("PUT", "/in/bring/a.txt", "x")).at(0)).toBe(401);
    expect((await house.ask("PUT", "/in/bring/a.txt", "x", basic("wrong"))).at(0)).toBe(401);
    expect((await house.ask("PUT", "/in/bring/a.txt?password=open+sesame", "x")).at(0)).toBe(400);
    for (const name of ["a.txt", "b.txt"])
      expect((await house.ask("PUT", `/in/bring/${name}`, "x", basic("open sesame"))).at(0)).toBe(201);
    expect((await house.get(house.link.id)).data).toMatchObject({ opens: 1, files: 2 });
    expect((await house.ask("PUT", "/in/no-such-slug/a.txt", "x")).at(0)).toBe(404);
  });

  test("asks programs for the password by HTTP Basic, and never a browser, which would show a box of its own", async () => {
    await using house = await openInbound({ password: "open sesame" });
    const challenge = async (method: string, headers: Who, body: BodyInit = "x") => {
      const response = await house.tree.house.request("/in/bring/a.txt", { method, headers, body });
      expect(response.status).toBe(401);
      return response.headers.get("www-authenticate");
    };
    const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0";
    const powershell = "Mozilla/5.0 (Windows NT 10.0; Microsoft Windows 10.0.26100; en-US) PowerShell/7.5.2";
    const programs: Who[] = [{}, { "user-agent": "curl/8.5.0" }, { "user-agent": powershell }, basic("wrong")];
    for (const program of programs)
      expect(await challenge("PUT", program)).toBe('Basic realm="Satchel", charset="UTF-8"');
    const form = new FormData();
    form.set("file", new File(["x"], "a.txt"));
    const ofPages: Who[] = [{ "user-agent": firefox }, { "user-agent": "Own/1.0", "sec-fetch-mode": "cors" }];
    for (const page of ofPages) {
      expect(await challenge("PUT", page)).toBe(null);
      expect(await challenge("POST", { ...page, "sec-fetch-mode": "navigate" }, form)).toBe(null);
    }
  });

  test("brings nothing by a link that only shows", async () => {
    await using house = await openInbound({ rights: ["view"] });
    expect(house.link.url).toBe("/s/bring");
    expect((await house.ask("PUT", "/in/bring/a.txt", "x")).at(0)).toBe(403);
  });
});

test("a name that was sent thousands of times before costs a storage elsewhere few questions", async () => {
  const there = (name: string) => {
    const [, number = "1"] = /^a(?: \((\d+)\))?\.txt$/.exec(name) ?? [];
    return Number(number) <= 3000 && name.startsWith("a");
  };
  const written = new Set<string>();
  const list = `<ListBucketResult><IsTruncated>false</IsTruncated><KeyCount>1</KeyCount><Contents><Key>box/a.txt</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>&quot;0&quot;</ETag><Size>1</Size></Contents></ListBucketResult>`;
  await using bucket = openPretendS3(async (request) => {
    const name = decodeURIComponent(new URL(request.url).pathname).replace("/far/box/", "");
    const headers = { etag: '"0"', "last-modified": "Mon, 23 Nov 2026 12:00:00 GMT", "content-length": "1" };
    if (request.method === "PUT") written.add(name);
    if (copySource(request) !== undefined) return copiedObject();
    if (request.method === "PUT") return new Response(null, { headers: { etag: '"0"' } });
    if (request.method !== "HEAD") {
      const isBox = ["", "box/"].includes(new URL(request.url).searchParams.get("prefix") ?? "");
      return isBox ? new Response(list, { headers: { "content-type": "application/xml" } }) : emptyBucket();
    }
    return there(name) || written.has(name) ? new Response(null, { headers }) : new Response(null, { status: 404 });
  });
  await using tree = await openTreeHouse();
  await mountBucket(tree.house, bucket.port);
  const { visit } = linkCalls(tree);
  const { who } = await visit(["/far/box/"], { rights: ["upload"] });
  const before = bucket.hosts.length;
  expect((await send(tree, who, { content: "x" })).data?.fileName).toBe("a (3001).txt");
  expect(bucket.hosts.length - before).toBeLessThan(200);
});

test("a sender takes back what they brought, and not the same from another sender that came to its name later", async () => {
  await using bucket = openSmallBucket("far");
  await using tree = await openTreeHouse();
  await mountBucket(tree.house, bucket.port);
  const { visit } = linkCalls(tree);
  const { who } = await visit(["/far/"], { rights: ["upload"] });
  const first = await send(tree, who, { content: "the same" });
  expect(await tree.outcome(fs.batchRemove, { body: { paths: ["/far/a.txt"], forever: true } })).toBe("200");
  const second = await send(tree, who, { content: "the same" });
  expect([first.data?.fileName, second.data?.fileName]).toEqual(["a.txt", "a.txt"]);
  expect((await receiptOf(tree, first.data?.receipt ?? "", "DELETE")).error).toBe("link.tooLate");
  expect(await tree.text("/far/a.txt")).toBe("the same");
  expect((await receiptOf(tree, second.data?.receipt ?? "", "DELETE")).files).toEqual([]);
  expect(await tree.text("/far/a.txt")).toBe("path.missing");
});
