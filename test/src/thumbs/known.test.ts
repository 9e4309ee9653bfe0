import { describe, expect, test } from "bun:test";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createKnown } from "../../../src/thumbs/known.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const facts = (width: number) => ({ width, height: 10, hash: "aGFzaA==" });
const place = (number: number, key = "a.jpg") => ({ storage: "disk", key, etag: String(number).padStart(32, "0") });

async function opened(folder: { readonly path: string }, limit?: number) {
  const errors: unknown[] = [];
  const file = join(folder.path, "known.jsonl");
  const known = createKnown({ file, limit, onError: (error) => errors.push(error) });
  await known.open();
  return { known, errors, lines: () => readFileSync(file, "utf8").trimEnd().split("\n").length, file };
}

describe("known pictures", () => {
  test("are found as fast where all are copies of one, of which somebody has offered each", async () => {
    using folder = temporaryFolder();
    const took = async (name: string, etagOf: (index: number) => string) => {
      const file = join(folder.path, name);
      const known = createKnown({ file, onError: (error) => expect(error).toBeUndefined() });
      const places = Array.from({ length: 20_000 }, (_, index) => ({
        ...place(1, `${index}.jpg`),
        etag: etagOf(index),
      }));
      const began = performance.now();
      for (const one of places) known.note(one, facts(1), true);
      expect(places.every((one) => known.of(one) !== undefined)).toBe(true);
      const lasted = performance.now() - began;
      await known.written();
      return lasted;
    };
    const apart = await took("apart", (index) => place(index).etag);
    expect(await took("alike", () => place(1).etag)).toBeLessThan(10 * apart);
  });

  test("are known by their content, or by their place where an ETag is no hash or somebody offered the picture", async () => {
    using folder = temporaryFolder();
    const { known } = await opened(folder);
    known.note(place(1), facts(1), false);
    known.note(place(2), facts(2), true);
    known.note({ ...place(3), etag: "stamp" }, facts(3), false);
    expect(known.of(place(1, "elsewhere.jpg"))?.width).toBe(1);
    expect([known.of(place(2))?.width, known.of(place(2, "elsewhere.jpg"))]).toEqual([2, undefined]);
    expect(known.of({ ...place(3, "elsewhere.jpg"), etag: "stamp" })).toBeUndefined();
    expect(known.of({ ...place(1), storage: "other" })).toBeUndefined();
    await known.written();
  });

  test("outlast the server, also one that was killed in the middle of a line", async () => {
    using folder = temporaryFolder();
    const first = await opened(folder);
    first.known.note(place(1), facts(1), false);
    await first.known.written();
    appendFileSync(first.file, '["disk 000');
    const second = await opened(folder);
    second.known.note(place(2), facts(2), false);
    await second.known.written();
    const { known, errors } = await opened(folder);
    expect([known.of(place(1))?.width, known.of(place(2))?.width, errors]).toEqual([1, 2, []]);
  });

  test("are so many at most, in memory and in the file", async () => {
    using folder = temporaryFolder();
    const { known, lines } = await opened(folder, 3);
    for (let number = 0; number < 20; number++) {
      known.note(place(number), facts(number), false);
      await known.written();
    }
    expect(lines()).toBeLessThanOrEqual(7);
    expect([known.of(place(16)), known.of(place(17))?.width]).toEqual([undefined, 17]);
    const again = await opened(folder, 3);
    expect([again.known.of(place(16)), again.known.of(place(19))?.width]).toEqual([undefined, 19]);
  });

  test("are known as long as the server runs when the disk takes nothing", async () => {
    const { known, errors } = await opened({ path: "/nowhere/at/all" });
    known.note(place(1), facts(1), false);
    await known.written();
    expect([known.of(place(1))?.width, errors.length]).toEqual([1, 1]);
  });
});
