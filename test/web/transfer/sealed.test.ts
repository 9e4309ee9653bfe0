import { describe, expect, test } from "bun:test";
import { openNames } from "../../../web/sealed/names.ts";
import { bundleOf } from "../../../web/transfer/sealing/bundle.ts";
import { readZip } from "../../support/files/read-zip.ts";
import { opened, sourceOf } from "../../support/files/sealed.ts";
import { type UploadServer, uploadServer } from "../../support/page-servers/upload-server.ts";
import {
  createTestLocks,
  createTestMemory,
  fileOf,
  isSameAs,
  largeFile,
  reaches,
  row,
  uploadsAt,
} from "../../support/page-servers/uploads-at.ts";
import { first, firstVisit } from "./first-visit.ts";

const MiB = 1024 * 1024;
const PASSWORD = "correct horse battery staple";

/** What the server was told of each new share. */
const begun = (server: UploadServer) =>
  server.calls.flatMap(({ line, body }) =>
    line === "POST /s3/presign" || line === "POST /s3/multipart/init"
      ? [body as typeof body & { sealed?: string }]
      : [],
  );

/** The same file with another first byte: name, size and date are as they were. */
function changedFile(): File {
  const { name, lastModified } = largeFile();
  return new File([new Uint8Array([1]), largeFile().slice(1)], name, { lastModified });
}

const bytesAt = (server: UploadServer, slug: string): Uint8Array => server.bytes(slug) ?? new Uint8Array();

describe("a sealed file", () => {
  test("arrives sealed: the server is told neither its name nor its type, and its link has the key", async () => {
    await using server = uploadServer();
    const here = uploadsAt(server.base);
    here.uploads.add([new File(["a quiet otter"], "otter.txt", { type: "image/x-otter" })]);
    here.uploads.start({ slug: "mine", seal: { password: "" } });
    await reaches(here, "otter.txt", { state: "completed" });
    const key = row(here.uploads, "otter.txt").sealed?.key ?? "";
    expect(key).toMatch(/^AGE-SECRET-KEY-1/);
    const [told] = begun(server);
    expect(told).toMatchObject({ filename: "sealed.age", mimetype: "application/octet-stream" });
    expect(JSON.stringify(server.calls)).not.toMatch(/otter|AGE-SECRET/);
    expect(Buffer.from(bytesAt(server, "mine")).toString("latin1")).not.toContain("otter");
    expect(Buffer.from(await opened(sourceOf(bytesAt(server, "mine")), { identity: key })).toString()).toBe(
      "a quiet otter",
    );
    expect(await openNames(told?.sealed ?? "", { identity: key })).toEqual({
      name: "otter.txt",
      type: "image/x-otter",
      kind: "file",
      size: 13,
    });
    // What the person sees are the bytes of the file.
    expect(row(here.uploads, "otter.txt").sent).toBe(13);
  });

  test("with a password is opened by it, in one go, and the server is told of none", async () => {
    await using server = uploadServer();
    const here = uploadsAt(server.base);
    here.uploads.add([fileOf("a", 10)]);
    here.uploads.start({ slug: "mine", seal: { password: PASSWORD } });
    await reaches(here, "a", { state: "completed" });
    expect(row(here.uploads, "a").sealed).toEqual({ key: "" });
    const [told] = begun(server);
    expect(JSON.stringify(told)).not.toContain("password");
    const names = await openNames(told?.sealed ?? "", { password: PASSWORD });
    const fileKey = Uint8Array.fromBase64(names.fileKey ?? "");
    expect((await opened(sourceOf(bytesAt(server, "mine")), { fileKey })).length).toBe(10);
    expect((await opened(sourceOf(bytesAt(server, "mine")), { password: PASSWORD })).length).toBe(10);
  });

  test("each has a key of its own", async () => {
    await using server = uploadServer();
    const here = uploadsAt(server.base);
    here.uploads.add([fileOf("a", 10), fileOf("b", 10)]);
    here.uploads.start({ seal: { password: "" } });
    await reaches(here, "a", { state: "completed" });
    await reaches(here, "b", { state: "completed" });
    const keys = ["a", "b"].map((name) => row(here.uploads, name).sealed?.key);
    expect(new Set(keys).size).toBe(2);
  });

  test("whose suffix was refused goes up with another one, and unsealed when that is wanted then", async () => {
    await using server = uploadServer();
    const here = uploadsAt(server.base);
    here.uploads.add([fileOf("a", 10)]);
    here.uploads.start({ slug: "mine" });
    await reaches(here, "a", { state: "completed" });
    here.uploads.add([fileOf("b", 20)]);
    here.uploads.start({ slug: "mine", seal: { password: "" } });
    await reaches(here, "b", { state: "failed" });
    here.uploads.retry(row(here.uploads, "b").id, { slug: "other", seal: undefined });
    await reaches(here, "b", { state: "completed" });
    expect(row(here.uploads, "b").sealed).toBeUndefined();
    expect(server.bytes("other")?.length).toBe(20);
  });
});

describe("a large sealed file, after a reload", () => {
  test("goes on under the same key, which is forgotten when it has arrived", async () => {
    await using server = uploadServer();
    const memory = createTestMemory();
    const options = { ...first, seal: { password: "" } };
    await firstVisit(server, memory, options);
    const here = uploadsAt(server.base, { memory });
    await here.uploads.recall();
    expect(here.uploads.unfinished.get()).toMatchObject([{ name: "large.bin", slug: "mine" }]);
    here.uploads.add([largeFile()]);
    here.uploads.start(options);
    await reaches(here, "large.bin", { state: "completed" });
    expect(begun(server)).toEqual([]);
    expect(server.parts()).not.toContain(1);
    expect(row(here.uploads, "large.bin").resumed).toBeGreaterThan(9 * MiB);
    const identity = row(here.uploads, "large.bin").sealed?.key ?? "";
    const content = await opened(sourceOf(bytesAt(server, "mine")), { identity });
    expect(await isSameAs(content, largeFile())).toBe(true);
    expect(memory.values.size).toBe(0);
  });

  test("goes on with the same password, of which nothing is kept", async () => {
    await using server = uploadServer();
    const memory = createTestMemory();
    const options = { ...first, seal: { password: PASSWORD } };
    await firstVisit(server, memory, options);
    const kept = JSON.stringify([...memory.values.values()]);
    const [, id = ""] = /"id":"([0-9a-f]+)"/.exec(kept) ?? [];
    expect(id).not.toBe("");
    expect(kept).not.toContain(PASSWORD);
    for (const digested of [PASSWORD, `${id} ${PASSWORD}`])
      expect(kept).not.toContain(new Bun.CryptoHasher("sha256").update(digested).digest("hex"));
    const here = uploadsAt(server.base, { memory });
    here.uploads.add([largeFile()]);
    here.uploads.start(options);
    await reaches(here, "large.bin", { state: "completed" });
    expect(begun(server)).toEqual([]);
    expect(server.parts()).not.toContain(1);
  });

  test("begins anew with another password", async () => {
    await using server = uploadServer();
    const memory = createTestMemory();
    await firstVisit(server, memory, { ...first, seal: { password: PASSWORD } });
    const here = uploadsAt(server.base, { memory });
    here.uploads.add([largeFile()]);
    here.uploads.start({ ...first, seal: { password: `${PASSWORD}!` } });
    await reaches(here, "large.bin", { state: "completed" });
    expect(begun(server).length).toBe(1);
    expect((await opened(sourceOf(bytesAt(server, "mine")), { password: `${PASSWORD}!` })).length).toBe(
      largeFile().size,
    );
  });

  test("begins anew, under another key, where the server has lost it", async () => {
    await using server = uploadServer();
    const memory = createTestMemory();
    const options = { ...first, seal: { password: "" } };
    await firstVisit(server, memory, options);
    const before = JSON.stringify([...memory.values.values()]);
    server.forget();
    const here = uploadsAt(server.base, { memory });
    here.uploads.add([largeFile()]);
    here.uploads.start(options);
    await reaches(here, "large.bin", { state: "completed" });
    const key = row(here.uploads, "large.bin").sealed?.key ?? "";
    expect(key).not.toBe("");
    expect(before.includes(key)).toBe(false);
    expect(await isSameAs(await opened(sourceOf(bytesAt(server, "mine")), { identity: key }), largeFile())).toBe(true);
  });

  test("has a key of its own in each of two tabs", async () => {
    await using server = uploadServer();
    const [memory, locks] = [createTestMemory(), createTestLocks()];
    const seal = { password: "" };
    const gate = Promise.withResolvers<void>();
    server.onPut(() => gate.promise.then(() => undefined));
    const [one, other] = [uploadsAt(server.base, { memory, locks }), uploadsAt(server.base, { memory, locks })];
    for (const here of [one, other]) {
      const begunBefore = begun(server).length;
      here.uploads.add([largeFile()]);
      here.uploads.start({ seal });
      await here.clock.until(() => begun(server).length > begunBefore && memory.values.size > 0);
    }
    gate.resolve();
    const keys: (string | undefined)[] = [];
    for (const here of [one, other]) {
      await reaches(here, "large.bin", { state: "completed" });
      keys.push(row(here.uploads, "large.bin").sealed?.key);
    }
    expect(keys[0]).toMatch(/^AGE-SECRET-KEY-1/);
    expect(keys[1]).not.toBe(keys[0]);
  });

  test.each([
    ["another content of the same size and date", changedFile, { ...first, seal: { password: "" } }],
    ["a password in place of the key", largeFile, { ...first, seal: { password: PASSWORD } }],
    ["no sealing", largeFile, first],
  ] as const)("begins anew with %s, and what had arrived is deleted", async (_, file, options) => {
    await using server = uploadServer();
    const memory = createTestMemory();
    await firstVisit(server, memory, { ...first, seal: { password: "" } });
    const before = JSON.stringify([...memory.values.values()]);
    const here = uploadsAt(server.base, { memory });
    here.uploads.add([file()]);
    here.uploads.start(options);
    await reaches(here, "large.bin", { state: "completed" });
    expect(server.lines()).toContain("POST /s3/multipart/abort");
    expect(begun(server).length).toBe(1);
    expect(server.parts()).toContain(1);
    const key = row(here.uploads, "large.bin").sealed?.key;
    if (key) expect(before).not.toContain(key);
    expect(memory.values.size).toBe(0);
  });
});

test("several files become one archive that holds no copy of them, with their folders and a name for each", async () => {
  const again = Object.defineProperty(new File(["three"], "a.txt"), "webkitRelativePath", { value: "in/a.txt" });
  const archive = await bundleOf(
    [new File(["one"], "a.txt"), new File(["two"], "A.txt"), new File([], "empty"), again],
    "4 files.zip",
  );
  expect([archive.name, archive.type]).toEqual(["4 files.zip", "application/zip"]);
  const entries = readZip(await archive.bytes());
  expect(entries.map(({ name, content }) => [name, Buffer.from(content).toString()])).toEqual([
    ["a.txt", "one"],
    ["A (2).txt", "two"],
    ["empty", ""],
    ["in/a.txt", "three"],
  ]);
});
