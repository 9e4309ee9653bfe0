import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createLog } from "../../../src/lib/log.ts";
import type { ThumbSource } from "../../../src/thumbs/names.ts";
import { createThumbs } from "../../../src/thumbs/thumbs.ts";
import { photo } from "../../support/picture.ts";
import { temporaryFolder } from "../../support/test-house.ts";

const never = new AbortController().signal;
const picture = await photo(640, 480);

function openThumbs() {
  const folder = temporaryFolder();
  const clock = { now: 10_000_000 };
  const thumbs = createThumbs({
    folder: folder.path,
    clock: () => clock.now,
    log: createLog("silent", () => undefined),
  });
  return {
    thumbs,
    clock,
    files: () => readdirSync(join(folder.path, "thumbs")).filter((name) => name !== "known.jsonl"),
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
    const all = await Promise.all(Array.from({ length: 50 }, () => house.thumbs.of(source, 320, never)));
    expect([source.reads, new Set(all.map((bytes) => bytes?.length)).size]).toEqual([1, 1]);
    await house.thumbs.of(source, 320, never);
    expect([source.reads, house.files().length]).toEqual([1, 1]);
    await house.thumbs.of(source, 1280, never);
    expect([source.reads, house.files().length]).toEqual([2, 2]);
  });

  test("goes by the ETag and not by the path, where the ETag is a hash of the content", async () => {
    await using house = openThumbs();
    await house.thumbs.of(sourceOf(picture), 320, never);
    const moved = sourceOf(picture, { key: "elsewhere/b.jpg" });
    const changed = sourceOf(picture, { etag: "1".repeat(32) });
    const foreign = sourceOf(picture, { etag: "stamp-1" });
    const other = sourceOf(picture, { etag: "stamp-1", key: "b.jpg" });
    for (const one of [moved, changed, foreign, other]) await house.thumbs.of(one, 320, never);
    expect([moved, changed, foreign, other].map(({ reads }) => reads)).toEqual([0, 1, 1, 1]);
  });

  test("what has none is remembered for a while, and nothing of it is left", async () => {
    await using house = openThumbs();
    const source = sourceOf(new Uint8Array(Buffer.from("no picture at all")));
    for (let i = 0; i < 3; i++)
      await expect(house.thumbs.of(source, 320, never)).rejects.toMatchObject({ code: "picture.unreadable" });
    expect([source.reads, house.files()]).toEqual([1, []]);
    house.clock.now += 3_600_001;
    await expect(house.thumbs.of(source, 320, never)).rejects.toMatchObject({ code: "picture.unreadable" });
    expect(source.reads).toBe(2);
  });

  test("a file above the bound is not read, and one that lies about its size no further", async () => {
    await using house = openThumbs();
    const large = sourceOf(picture, { size: 64 * 1024 * 1024 + 1 });
    await expect(house.thumbs.of(large, 320, never)).rejects.toMatchObject({ code: "picture.tooLarge" });
    expect(large.reads).toBe(0);
    let sent = 0;
    const endless = new ReadableStream({
      pull(controller) {
        sent += 1;
        controller.enqueue(sent === 1 ? picture : new Uint8Array(4 * 1024 * 1024));
      },
    });
    const liar = { ...sourceOf(picture, { etag: "2".repeat(32) }), read: async () => endless };
    await expect(house.thumbs.of(liar, 320, never)).rejects.toMatchObject({ code: "picture.tooLarge" });
    expect(sent).toBeLessThan(40);
    expect(house.files()).toEqual([]);
  });

  test("one that is removed between its finding and its reading counts as changed", async () => {
    await using house = openThumbs();
    using gone = temporaryFolder();
    const source = { ...sourceOf(picture), read: async () => Bun.file(join(gone.path, "a.jpg")) };
    expect(await house.thumbs.of(source, 320, never)).toBeUndefined();
    expect(house.files()).toEqual([]);
  });

  test("one that has changed meanwhile is asked for again", async () => {
    await using house = openThumbs();
    const gone = { ...sourceOf(picture), read: async () => undefined };
    expect(await house.thumbs.of(gone, 320, never)).toBeUndefined();
    expect((await house.thumbs.of(sourceOf(picture), 320, never))?.length).toBeGreaterThan(100);
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
    const waiting = [one, other].map(({ signal }) => house.thumbs.of(source, 320, signal));
    const outcomes = Promise.allSettled(waiting);
    await reading.promise;
    one.abort(new Error("gone"));
    other.abort(new Error("gone"));
    expect((await outcomes).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    // Whoever comes now has one of their own, while the other ends.
    const again = house.thumbs.of(sourceOf(picture), 320, never);
    cancelled.resolve();
    expect((await again)?.length).toBeGreaterThan(100);
  });

  test("more than the queue holds are told to come again", async () => {
    await using house = openThumbs();
    const hold = Promise.withResolvers<undefined>();
    const held = (number: number) => ({
      ...sourceOf(picture, { etag: String(number).padStart(32, "0") }),
      read: () => hold.promise,
    });
    const waiting = Array.from({ length: 202 }, (_, i) => house.thumbs.of(held(i), 320, never));
    const outcomes = Promise.allSettled(waiting);
    await Bun.sleep(0);
    await house.thumbs.of(held(0), 320, AbortSignal.abort()).catch(() => undefined);
    await expect(house.thumbs.of(held(999), 320, never)).rejects.toMatchObject({ code: "server.busy" });
    hold.resolve(undefined);
    expect(await outcomes).toEqual(waiting.map(() => ({ status: "fulfilled", value: undefined })));
  });
});
