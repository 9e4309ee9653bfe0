import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { createLog } from "../../../src/lib/log.ts";
import type { ThumbSource } from "../../../src/thumbs/names.ts";
import { createThumbs } from "../../../src/thumbs/thumbs.ts";
import { manyScans, photo } from "../../support/files/picture.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { until } from "../../support/until.ts";

const me = { name: "admin", isVisitor: false, signal: new AbortController().signal };
const picture = await photo(640, 480);

function openThumbs() {
  const folder = temporaryFolder();
  const clock = { now: 10_000_000 };
  const kept = join(folder.path, "thumbs");
  const files = () => (existsSync(kept) ? readdirSync(kept) : []).filter((name) => name !== "known.jsonl");
  const thumbs = createThumbs({
    folder: folder.path,
    clock: () => clock.now,
    log: createLog("silent", () => undefined),
  });
  return {
    thumbs,
    clock,
    files,
    /** Bytes of all that is there, or waits to be decoded. */
    held: () =>
      files().reduce((sum, name) => sum + (statSync(join(kept, name), { throwIfNoEntry: false })?.size ?? 0), 0),
    async [Symbol.asyncDispose]() {
      await thumbs.close();
      folder[Symbol.dispose]();
    },
  };
}

/** A file that counts how often it is read. */
function sourceOf(bytes: Uint8Array<ArrayBuffer>, fields: Partial<ThumbSource["head"]> = {}) {
  const source = {
    storage: "disk",
    head: { key: "photos/a.jpg", etag: "0".repeat(32), size: bytes.length, ...fields },
    reads: 0,
    read: async () => {
      source.reads += 1;
      return new Blob([bytes]);
    },
  };
  return source;
}

describe("thumbnails", () => {
  test("fifty who ask at once have one that was made once, and it is kept", async () => {
    await using house = openThumbs();
    const source = sourceOf(picture);
    const all = await Promise.all(Array.from({ length: 50 }, () => house.thumbs.of(source, 320, me)));
    expect([source.reads, new Set(all.map((bytes) => bytes?.length)).size]).toEqual([1, 1]);
    await house.thumbs.of(source, 320, me);
    expect([source.reads, house.files().length]).toEqual([1, 1]);
    await house.thumbs.of(source, 1280, me);
    expect([source.reads, house.files().length]).toEqual([2, 2]);
  });

  test("goes by the ETag and not by the path, where the ETag is a hash of the content", async () => {
    await using house = openThumbs();
    await house.thumbs.of(sourceOf(picture), 320, me);
    const moved = sourceOf(picture, { key: "elsewhere/b.jpg" });
    const changed = sourceOf(picture, { etag: "1".repeat(32) });
    const foreign = sourceOf(picture, { etag: "stamp-1" });
    const other = sourceOf(picture, { etag: "stamp-1", key: "b.jpg" });
    for (const one of [moved, changed, foreign, other]) await house.thumbs.of(one, 320, me);
    expect([moved, changed, foreign, other].map(({ reads }) => reads)).toEqual([0, 1, 1, 1]);
  });

  test("what has none is remembered for a while, and nothing of it is left", async () => {
    await using house = openThumbs();
    const source = sourceOf(new Uint8Array(Buffer.from("no picture at all")));
    for (let i = 0; i < 3; i++)
      await expect(house.thumbs.of(source, 320, me)).rejects.toMatchObject({ code: "picture.unreadable" });
    expect([source.reads, house.files()]).toEqual([1, []]);
    house.clock.now += 3_600_001;
    await expect(house.thumbs.of(source, 320, me)).rejects.toMatchObject({ code: "picture.unreadable" });
    expect(source.reads).toBe(2);
  });

  test("a file above the bound is not read, and one that lies about its size no further", async () => {
    await using house = openThumbs();
    const large = sourceOf(picture, { size: 64 * 1024 * 1024 + 1 });
    await expect(house.thumbs.of(large, 320, me)).rejects.toMatchObject({ code: "picture.tooLarge" });
    expect(large.reads).toBe(0);
    let sent = 0;
    const endless = new ReadableStream({
      pull(controller) {
        sent += 1;
        controller.enqueue(sent === 1 ? picture : new Uint8Array(4 * 1024 * 1024));
      },
    });
    const liar = { ...sourceOf(picture, { etag: "2".repeat(32) }), read: async () => endless };
    await expect(house.thumbs.of(liar, 320, me)).rejects.toMatchObject({ code: "picture.tooLarge" });
    expect(sent).toBeLessThan(40);
    expect(house.files()).toEqual([]);
  });

  test("one that is removed between its finding and its reading counts as changed", async () => {
    await using house = openThumbs();
    using gone = temporaryFolder();
    const source = { ...sourceOf(picture), read: async () => Bun.file(join(gone.path, "a.jpg")) };
    expect(await house.thumbs.of(source, 320, me)).toBeUndefined();
    expect(house.files()).toEqual([]);
  });

  test("one that has changed meanwhile is asked for again", async () => {
    await using house = openThumbs();
    const gone = { ...sourceOf(picture), read: async () => undefined };
    expect(await house.thumbs.of(gone, 320, me)).toBeUndefined();
    expect((await house.thumbs.of(sourceOf(picture), 320, me))?.length).toBeGreaterThan(100);
  });

  test("is given up when all who waited have gone, and not before", async () => {
    await using house = openThumbs();
    const [one, other] = [new AbortController(), new AbortController()];
    const cancelled = Promise.withResolvers<void>();
    const reading = Promise.withResolvers<void>();
    const slow = new ReadableStream({
      start: (controller) => controller.enqueue(picture.subarray(0, 100)),
      pull(controller) {
        reading.resolve();
        return cancelled.promise.then(() => controller.enqueue(picture.subarray(100)));
      },
    });
    const source = { ...sourceOf(picture), read: async () => slow };
    const waiting = [one, other].map(({ signal }) => house.thumbs.of(source, 320, { ...me, signal }));
    const outcomes = Promise.allSettled(waiting);
    await reading.promise;
    one.abort(new Error("gone"));
    other.abort(new Error("gone"));
    expect((await outcomes).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    // Whoever comes now has one of their own, while the other ends.
    const again = house.thumbs.of(sourceOf(picture), 320, me);
    cancelled.resolve();
    expect((await again)?.length).toBeGreaterThan(100);
  });

  test("more than the queue holds are told to come again, and nobody holds the place of others", async () => {
    await using house = openThumbs();
    const hold = Promise.withResolvers<undefined>();
    let begun = 0;
    const held = (number: number) => ({
      ...sourceOf(picture, { etag: String(number).padStart(32, "0") }),
      read: () => {
        begun += 1;
        return hold.promise;
      },
    });
    const visitor = { ...me, name: "192.0.2.1", isVisitor: true };
    // Two are made and 150 wait; of a visitor one is made and 60 wait.
    const waiting = Array.from({ length: 152 }, (_, i) => house.thumbs.of(held(i), 320, me));
    const ofVisitor = Array.from({ length: 61 }, (_, i) => house.thumbs.of(held(200 + i), 320, visitor));
    const outcomes = Promise.allSettled([...waiting, ...ofVisitor]);
    await until(
      () => begun,
      (count) => count === 3,
    );
    for (const asker of [me, visitor])
      await expect(house.thumbs.of(held(999), 320, asker)).rejects.toMatchObject({ code: "server.busy" });
    const others = [
      { ...me, name: "apikey:1" },
      { ...visitor, name: "192.0.2.2" },
    ];
    const ofOthers = others.map((asker, i) => house.thumbs.of(held(300 + i), 320, asker));
    hold.resolve(undefined);
    expect(new Set((await outcomes).map(({ status }) => status))).toEqual(new Set(["fulfilled"]));
    expect(await Promise.all(ofOthers)).toEqual([undefined, undefined]);
  });

  test("is not refused for good because those who wanted it have gone", async () => {
    await using house = openThumbs();
    const slow = sourceOf(await manyScans());
    for (const moment of ["once", "again"]) {
      const gone = new AbortController();
      const asked = house.thumbs.of(slow, 320, { ...me, signal: gone.signal }).catch((error: Error) => error.message);
      // The process that decodes has it.
      await until(house.held, (bytes) => bytes === slow.head.size);
      gone.abort(new Error(moment));
      expect(await asked).toBe(moment);
      await until(house.files, (files) => files.length === 0);
    }
  });
});
