import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createKept } from "../../../src/thumbs/kept.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const nameOf = (digit: string) => digit.repeat(64);

/** As long as its header says. */
function webp(bytes: number): Buffer {
  const file = Buffer.alloc(bytes);
  file.write("RIFF", 0, "latin1");
  file.writeUInt32LE(bytes - 8, 4);
  return file;
}

function openKept(folder: string, limit = 300) {
  let now = 10_000_000;
  const kept = createKept({ folder, limit, clock: () => now });
  const put = async (name: string, bytes = 100) => {
    const file = await kept.temporary();
    writeFileSync(file, webp(bytes));
    await kept.put(name, file);
  };
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  return { kept, put, pass };
}

describe("kept thumbnails", () => {
  test("those that were not used for longest go first", async () => {
    using folder = temporaryFolder();
    const { kept, put } = openKept(folder.path);
    for (const digit of ["1", "2", "3"]) await put(nameOf(digit));
    expect((await kept.get(nameOf("1")))?.length).toBe(100);
    await put(nameOf("4"));
    expect(readdirSync(folder.path).sort()).toEqual([nameOf("1"), nameOf("3"), nameOf("4")]);
    expect(await kept.get(nameOf("2"))).toBeUndefined();
    expect(kept.held()).toBe(300);
  });

  test("the next process knows what is there and when it was used, and removes what was not complete", async () => {
    using folder = temporaryFolder();
    const first = openKept(folder.path);
    for (const digit of ["1", "2", "3"]) {
      await first.put(nameOf(digit));
      utimesSync(join(folder.path, nameOf(digit)), 1000 + Number(digit), 1000 + Number(digit));
    }
    writeFileSync(join(folder.path, "left.tmp"), "half");
    mkdirSync(join(folder.path, "odd"));
    const next = openKept(folder.path);
    await next.put(nameOf("4"));
    expect(readdirSync(folder.path).sort()).toEqual([nameOf("2"), nameOf("3"), nameOf("4")]);
  });

  test("one that a crash of the machine cut off, or that somebody removed, is none", async () => {
    using folder = temporaryFolder();
    const { kept, put } = openKept(folder.path);
    await put(nameOf("1"));
    writeFileSync(join(folder.path, nameOf("1")), webp(100).subarray(0, 50));
    expect(await kept.get(nameOf("1"))).toBeUndefined();
    expect(kept.held()).toBe(0);
    await put(nameOf("1"));
    expect((await kept.get(nameOf("1")))?.length).toBe(100);
    expect(existsSync(join(folder.path, nameOf("1")))).toBe(true);
  });

  test("a larger one takes the place of several, and one of the same name its own", async () => {
    using folder = temporaryFolder();
    const { kept, put } = openKept(folder.path);
    for (const digit of ["1", "2", "3"]) await put(nameOf(digit));
    await put(nameOf("4"), 250);
    await put(nameOf("4"), 200);
    expect([kept.held(), readdirSync(folder.path)]).toEqual([200, [nameOf("4")]]);
  });
});
