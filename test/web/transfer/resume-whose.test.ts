import { describe, expect, test } from "bun:test";
import type { UploadOptions } from "../../../web/transfer/uploads.ts";
import { uploadServer } from "../../support/page-servers/upload-server.ts";
import {
  createTestLocks,
  createTestMemory,
  largeFile,
  PARTS,
  reaches,
  row,
  uploadsAt,
} from "../../support/page-servers/uploads-at.ts";
import { first, firstVisit } from "./first-visit.ts";

describe("options that are chosen now", () => {
  /** What a second visit with these options begins; undefined when it goes on with the first one's. */
  async function begunWith(then: UploadOptions, now: UploadOptions, digests = true) {
    await using server = uploadServer();
    const memory = createTestMemory();
    const digest = digests ? undefined : async () => undefined;
    await firstVisit(server, memory, then, digest);
    const here = uploadsAt(server.base, { memory, ...(digest && { digest }) });
    await here.uploads.recall();
    here.uploads.add([largeFile()]);
    here.uploads.start(now);
    await reaches(here, "large.bin", { state: "completed" });
    const body = server.calls.find(({ line }) => line === "POST /s3/multipart/init")?.body;
    expect(server.stored().length).toBe(1);
    expect(memory.values.size).toBe(0);
    expect(row(here.uploads, "large.bin").continues).toBe(body === undefined);
    return body;
  }

  test.each<UploadOptions>([
    { ...first, password: "now" },
    { ...first, slug: "other" },
    { ...first, expiresAt: "2030-01-01T00:00:00.000Z" },
    { ...first, maxViews: 3 },
    { ...first, remark: "now" },
    { ...first, path: "elsewhere" },
    { ...first, storageId: "other" },
    {},
  ])("count when they differ, and nothing of the first upload remains: %o", async (now) => {
    const body = await begunWith(first, now);
    expect(body?.slug).toBe(now.slug);
    expect(Object.entries(body ?? {})).toEqual(
      expect.arrayContaining(now.password ? [["password", "now"]] : [["filename", "large.bin"]]),
    );
  });

  test("are those of the beginning where none are chosen, but for a password, which is kept nowhere", async () => {
    const none = { slug: "", password: "", remark: "", maxViews: 0, expiresAt: null, path: "", asBegun: true };
    const then = { ...first, maxViews: 3, path: "then", expiresAt: "2030-01-01T00:00:00.000Z" };
    expect(await begunWith(then, none)).toBeUndefined();
    expect(await begunWith(first, { ...none, remark: "now", asBegun: false })).toBeDefined();
    expect(await begunWith({ ...first, password: "then" }, none)).toMatchObject({ filename: "large.bin" });
  });

  test("differ by the password alone", async () => {
    expect(await begunWith({ password: "then" }, { password: "now" })).toBeDefined();
    expect(await begunWith({ password: "then" }, { password: "then" })).toBeUndefined();
  });

  test("cannot be compared where the browser has no digest for a password: then it begins anew", async () => {
    expect(await begunWith({ password: "same" }, { password: "same" }, false)).toBeDefined();
    expect(await begunWith(first, first, false)).toBeUndefined();
  });

  test("are the same when an expiry was chosen alike, though a day from now is another instant", async () => {
    const expiryChoice = "24 hours";
    const then = { expiresAt: "2026-01-02T00:00:00.000Z", expiryChoice };
    expect(await begunWith(then, { expiresAt: "2026-01-02T01:00:00.000Z", expiryChoice })).toBeUndefined();
    expect(await begunWith(then, { ...then, expiryChoice: "1 hours" })).toBeDefined();
  });

  test("count for a failed row, too, when they are changed before it is tried again", async () => {
    await using server = uploadServer();
    server.onPut(({ part }) => (part === 2 ? new Response(null, { status: 507 }) : undefined));
    const here = uploadsAt(server.base);
    here.uploads.add([largeFile()]);
    here.uploads.start({ slug: "mine", storageId: "full" });
    await reaches(here, "large.bin", { state: "failed" });
    server.onPut(() => undefined);
    here.uploads.retry(row(here.uploads, "large.bin").id, { storageId: "empty" });
    await reaches(here, "large.bin", { state: "completed" });
    expect(server.calls.findLast(({ line }) => line === "POST /s3/multipart/init")?.body).toMatchObject({
      slug: "mine",
      s3_config_id: "empty",
    });
    expect(server.stored()).toMatchObject([{ slug: "mine", ready: true }]);
  });
});

describe("two tabs", () => {
  test("never send the same upload: the second begins for itself", async () => {
    await using server = uploadServer();
    const memory = createTestMemory();
    const locks = createTestLocks();
    const gate = Promise.withResolvers<undefined>();
    server.onPut(() => gate.promise);
    const one = uploadsAt(server.base, { memory, locks });
    one.uploads.add([largeFile()]);
    one.uploads.start({});
    await one.clock.until(() => server.inFlight() === 3);
    const other = uploadsAt(server.base, { memory, locks });
    await other.uploads.recall();
    expect(other.uploads.unfinished.get()).toEqual([]);
    other.uploads.add([largeFile()]);
    other.uploads.start({});
    await other.clock.until(() => server.inFlight() === 6);
    gate.resolve(undefined);
    await reaches(one, "large.bin", { state: "completed" });
    await reaches(other, "large.bin", { state: "completed" });
    expect(server.stored()).toMatchObject([{ ready: true }, { ready: true }]);
    expect(row(one.uploads, "large.bin").slug).not.toBe(row(other.uploads, "large.bin").slug);
    expect(memory.values.size).toBe(0);
  });

  test("do not forget each other's", async () => {
    await using server = uploadServer();
    const memory = createTestMemory();
    const locks = createTestLocks();
    const completion = Promise.withResolvers<undefined>();
    server.onCall((line) => (line === "POST /s3/multipart/complete" ? completion.promise : undefined));
    const one = uploadsAt(server.base, { memory, locks });
    one.uploads.add([largeFile()]);
    one.uploads.start({});
    await reaches(one, "large.bin", { finishing: true });
    const parts = Promise.withResolvers<undefined>();
    server.onPut(() => parts.promise);
    const other = uploadsAt(server.base, { memory, locks });
    other.uploads.add([largeFile()]);
    other.uploads.start({});
    await other.clock.until(() => server.inFlight() === 3);
    completion.resolve(undefined);
    await reaches(one, "large.bin", { state: "completed" });
    expect([...memory.values.values()]).toMatchObject([{ slug: row(other.uploads, "large.bin").slug }]);
    parts.resolve(undefined);
    await reaches(other, "large.bin", { state: "completed" });
    expect(memory.values.size).toBe(0);
  });

  test("hand an upload on when the first is done with it", async () => {
    await using server = uploadServer();
    const memory = createTestMemory();
    const locks = createTestLocks();
    server.onPut(({ part }) => (part === 2 ? new Response(null, { status: 400 }) : undefined));
    const one = uploadsAt(server.base, { memory, locks });
    one.uploads.add([largeFile()]);
    one.uploads.start({});
    await reaches(one, "large.bin", { state: "failed" });
    one.uploads.clear();
    await one.clock.until(() => one.uploads.unfinished.get().length === 1);
    server.onPut(() => undefined);
    const other = uploadsAt(server.base, { memory, locks });
    other.uploads.add([largeFile()]);
    other.uploads.start({});
    await reaches(other, "large.bin", { state: "completed", continues: true });
    expect(server.stored().length).toBe(1);
  });
});

describe("an unfinished upload belongs to who began it", () => {
  test("nobody else sees or continues it, and nobody who is signed out", async () => {
    await using server = uploadServer();
    const memory = createTestMemory();
    await firstVisit(server, memory);
    let account: string | undefined = "other";
    const here = uploadsAt(server.base, { memory, account: () => account });
    await here.uploads.recall();
    expect(here.uploads.unfinished.get()).toEqual([]);
    account = "admin";
    await here.uploads.recall();
    expect(here.uploads.unfinished.get().length).toBe(1);
    account = undefined;
    await here.uploads.recall();
    expect(here.uploads.unfinished.get()).toEqual([]);
    account = "other";
    here.uploads.add([largeFile()]);
    here.uploads.start({ ...first, slug: "others" });
    await reaches(here, "large.bin", { state: "completed" });
    expect(server.parts().length).toBe(PARTS);
    expect(memory.values.size).toBe(1);
  });

  test("nobody sees it once its owner has signed out, and the owner does after the next sign-in", async () => {
    await using server = uploadServer();
    const memory = createTestMemory();
    await firstVisit(server, memory);
    const here = uploadsAt(server.base, { memory });
    await here.uploads.recall();
    const gone = here.uploads.forget(here.call);
    expect(here.uploads.unfinished.get()).toEqual([]);
    await gone;
    await here.uploads.recall();
    expect(here.uploads.unfinished.get().length).toBe(1);
  });

  test("what a visitor sends is not remembered", async () => {
    await using server = uploadServer();
    const memory = createTestMemory();
    server.onPut(({ part }) => (part > 1 ? new Response(null, { status: 400 }) : undefined));
    const here = uploadsAt(server.base, { memory, account: () => undefined });
    here.uploads.add([largeFile()]);
    here.uploads.start({});
    await reaches(here, "large.bin", { state: "failed" });
    expect(memory.values.size).toBe(0);
    here.uploads.clear();
    await here.clock.until(() => server.stored().length === 0);
  });
});
