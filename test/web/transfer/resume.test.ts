import { describe, expect, test } from "bun:test";
import { UPLOAD_LIFE } from "#contract/limits";
import { refusal } from "../../support/page-servers/fake-server.ts";
import { uploadServer } from "../../support/page-servers/upload-server.ts";
import {
  createTestMemory,
  isSameAs,
  largeFile,
  PARTS,
  reaches,
  row,
  uploadsAt,
} from "../../support/page-servers/uploads-at.ts";
import { createClock } from "./clock.ts";
import { first, firstVisit } from "./first-visit.ts";

const MiB = 1024 * 1024;

describe("after a reload", () => {
  test("the same file goes on where it was, when it is started with the same options", async () => {
    await using server = uploadServer();
    const memory = createTestMemory();
    await firstVisit(server, memory, { ...first, password: "secret" });
    expect(JSON.stringify([...memory.values.values()])).not.toContain("secret");

    const here = uploadsAt(server.base, { memory });
    await here.uploads.recall();
    expect(here.uploads.unfinished.get()).toMatchObject([{ name: "large.bin", sent: 10 * MiB, slug: "mine" }]);
    here.uploads.add([largeFile()]);
    expect(here.uploads.unfinished.get()).toEqual([]);
    expect(row(here.uploads, "large.bin")).toMatchObject({
      state: "idle",
      slug: undefined,
      continues: false,
      earlier: { slug: "mine", sent: 10 * MiB },
    });
    here.uploads.start({ ...first, password: "secret" });
    await reaches(here, "large.bin", { state: "completed" });
    expect(server.lines()).toEqual([
      "POST /s3/multipart/parts",
      "POST /s3/multipart/parts",
      "POST /s3/multipart/complete",
    ]);
    expect(server.parts().toSorted()).toEqual([3, 4, 5, 6, 7]);
    expect(row(here.uploads, "large.bin")).toMatchObject({ resumed: 10 * MiB, continues: true, slug: "mine" });
    expect(await isSameAs(server.bytes("mine"), largeFile())).toBe(true);
    expect(memory.values.size).toBe(0);
  });

  test("a part that arrived in half is sent again", async () => {
    await using server = uploadServer();
    const memory = createTestMemory();
    await firstVisit(server, memory);
    server.stored()[0]?.parts.set(2, new Uint8Array(100));
    const here = uploadsAt(server.base, { memory });
    here.uploads.add([largeFile()]);
    here.uploads.start(first);
    await reaches(here, "large.bin", { state: "completed" });
    expect(server.parts().toSorted()).toEqual([2, 3, 4, 5, 6, 7]);
    expect(row(here.uploads, "large.bin").resumed).toBe(5 * MiB);
  });

  test("another file of that name begins for itself", async () => {
    await using server = uploadServer();
    const memory = createTestMemory();
    await firstVisit(server, memory);
    const here = uploadsAt(server.base, { memory });
    const file = largeFile();
    here.uploads.add([new File([file], file.name, { lastModified: file.lastModified + 1 })]);
    here.uploads.start({ slug: "other" });
    await reaches(here, "large.bin", { state: "completed" });
    expect(server.parts().length).toBe(PARTS);
    await here.uploads.recall();
    expect(here.uploads.unfinished.get().length).toBe(1);
  });

  test("it begins anew when the server knows it no more", async () => {
    await using server = uploadServer();
    const memory = createTestMemory();
    await firstVisit(server, memory);
    server.forget();
    const here = uploadsAt(server.base, { memory });
    await here.uploads.recall();
    here.uploads.add([largeFile()]);
    here.uploads.start({ slug: "other" });
    await reaches(here, "large.bin", { state: "completed" });
    expect(row(here.uploads, "large.bin")).toMatchObject({ slug: "other", continues: false, resumed: 0 });
    expect(server.parts().length).toBe(PARTS);
  });

  test("it begins anew a day later", async () => {
    await using server = uploadServer();
    const memory = createTestMemory();
    await firstVisit(server, memory);
    const clock = createClock();
    clock.advance(UPLOAD_LIFE + 60_000);
    const here = uploadsAt(server.base, { memory, clock });
    await here.uploads.recall();
    expect(here.uploads.unfinished.get()).toEqual([]);
    expect(memory.values.size).toBe(0);
    here.uploads.add([largeFile()]);
    here.uploads.start({ slug: "other" });
    await reaches(here, "large.bin", { state: "completed" });
    expect(server.parts().length).toBe(PARTS);
  });

  test("what another version of the pages remembered is put aside", async () => {
    await using server = uploadServer();
    const memory = createTestMemory();
    await firstVisit(server, memory);
    for (const key of await memory.keys()) await memory.set(key, { uploadId: 7 });
    const here = uploadsAt(server.base, { memory });
    await here.uploads.recall();
    expect(here.uploads.unfinished.get()).toEqual([]);
  });

  test("what is left can be given up, here and on the server", async () => {
    await using server = uploadServer();
    const memory = createTestMemory();
    await firstVisit(server, memory);
    const here = uploadsAt(server.base, { memory });
    await here.uploads.recall();
    const [left] = here.uploads.unfinished.get();
    const gate = Promise.withResolvers<undefined>();
    server.onCall((line) => (line === "POST /s3/multipart/abort" ? gate.promise : undefined));
    // It does not wait for the server.
    await here.uploads.discard(left?.key ?? "");
    expect(here.uploads.unfinished.get()).toEqual([]);
    expect(memory.values.size).toBe(0);
    gate.resolve(undefined);
    await here.clock.until(() => server.stored().length === 0);
  });

  test("a share that was finished without an answer is taken as it is", async () => {
    await using server = uploadServer();
    const memory = createTestMemory();
    await firstVisit(server, memory);
    const [one] = server.stored();
    if (one) one.ready = true;
    const here = uploadsAt(server.base, { memory });
    here.uploads.add([largeFile()]);
    here.uploads.start(first);
    await reaches(here, "large.bin", { state: "completed" });
    expect(row(here.uploads, "large.bin").result).toMatchObject({ id: one?.id ?? "", slug: "mine" });
    expect(server.stored().length).toBe(1);
    expect(server.puts).toEqual([]);
    expect(memory.values.size).toBe(0);
  });

  test("a server that forbids it is not asked for another one", async () => {
    await using server = uploadServer();
    const memory = createTestMemory();
    await firstVisit(server, memory);
    server.onCall((line) => (line === "POST /s3/multipart/parts" ? refusal("auth.forbidden") : undefined));
    const here = uploadsAt(server.base, { memory });
    here.uploads.add([largeFile()]);
    here.uploads.start(first);
    await reaches(here, "large.bin", { state: "failed" });
    expect(row(here.uploads, "large.bin").failure?.code).toBe("auth.forbidden");
    expect(server.lines()).toEqual(["POST /s3/multipart/parts"]);
    expect(memory.values.size).toBe(1);
  });
});

test("a large row that is removed stays unfinished; where nothing is remembered it is given up", async () => {
  await using server = uploadServer();
  server.onPut(({ part }) => (part > 1 ? new Response(null, { status: 400 }) : undefined));
  const here = uploadsAt(server.base);
  here.uploads.add([largeFile()]);
  here.uploads.start({});
  await reaches(here, "large.bin", { state: "failed" });
  here.uploads.clear();
  await here.clock.until(() => here.uploads.unfinished.get().length === 1);
  expect(here.uploads.items.get()).toEqual([]);
  expect(server.stored().length).toBe(1);

  const refuse = () => Promise.reject(new Error("no storage here"));
  const there = uploadsAt(server.base, { memory: { get: refuse, set: refuse, remove: refuse, keys: refuse } });
  there.uploads.add([largeFile("other.bin")]);
  there.uploads.start({});
  await reaches(there, "other.bin", { state: "failed" });
  there.uploads.remove(row(there.uploads, "other.bin").id);
  await there.clock.until(() => server.stored().length === 1);
  expect(server.stored()[0]?.filename).toBe("large.bin");
});

test("a browser without storage uploads all the same", async () => {
  await using server = uploadServer();
  const refuse = () => Promise.reject(new Error("no storage here"));
  const here = uploadsAt(server.base, { memory: { get: refuse, set: refuse, remove: refuse, keys: refuse } });
  await here.uploads.recall();
  here.uploads.add([largeFile()]);
  here.uploads.start({ slug: "mine" });
  await reaches(here, "large.bin", { state: "completed" });
  expect(await isSameAs(server.bytes("mine"), largeFile())).toBe(true);
});
