import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { createMaker } from "../../../src/thumbs/maker.ts";
import { declaredJpeg, manyScans, onItsSide, photo, png, rowsOf } from "../../support/files/picture.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const folder = temporaryFolder();
const maker = createMaker();
const never = new AbortController().signal;
const source = join(folder.path, "source");
const target = join(folder.path, "target");
afterAll(() => {
  maker.close();
  folder[Symbol.dispose]();
});

const workOf = (width: number) => ({
  ...{ source, target, width },
  ...{ formats: ["jpeg", "png", "webp", "gif"], maxPixels: 100_000_000 },
});

async function make(bytes: Uint8Array, width = 320) {
  writeFileSync(source, bytes);
  const outcome = await maker.make(workOf(width), never);
  if (typeof outcome === "string") return outcome;
  const { format, ...size } = await new Bun.Image(target).metadata();
  return [format, size.width, size.height] as const;
}

const gif = Buffer.from(
  "47494638396102000100800100ff000000ff0021f90404000000002c0000000002000100000202040a0021f90404000000002c00000000020001000002024c01003b",
  "hex",
);

describe("a thumbnail", () => {
  test("is as wide as asked at most, at most twice as high, and never larger than its picture", async () => {
    const picture = await photo(800, 600);
    expect(await make(picture)).toEqual(["webp", 320, 240]);
    expect(await make(picture, 1280)).toEqual(["webp", 800, 600]);
    expect(await make(png({ width: 40, height: 4000 }))).toEqual(["webp", 6, 640]);
    expect(await make(await new Bun.Image(picture).webp().bytes())).toEqual(["webp", 320, 240]);
    expect(await make(await new Bun.Image(picture).jpeg({ progressive: true }).bytes())).toEqual(["webp", 320, 240]);
  });

  test("is turned as the camera says, and says nothing of the camera itself", async () => {
    expect(await make(onItsSide(await photo(400, 300)))).toEqual(["webp", 300, 400]);
    expect((await Bun.file(target).bytes()).toString()).not.toContain("Exif");
  });

  test("keeps what is transparent, and is the first frame of what moves", async () => {
    await make(png({ width: 8, height: 8, rows: rowsOf(8, 8, () => [255, 0, 0, 0]) }));
    const back = await new Bun.Image(target).png().bytes();
    expect(back[25]).toBe(6);
    expect(await make(gif)).toEqual(["webp", 2, 1]);
  });

  test("is made of what there is of a photograph that was cut off", async () => {
    const picture = await photo(800, 600);
    expect(await make(picture.subarray(0, picture.length / 2))).toEqual(["webp", 320, 240]);
  });

  const nothing = new Uint8Array(100);
  const bomb = deflateSync(Buffer.alloc(300_000_000));
  test.each([
    ["a header that says 300 megapixels", png({ width: 20_000, height: 15_000, rows: nothing }), "tooLarge"],
    ["a header that says an endless row", png({ width: 65_536, height: 1, rows: nothing }), "tooLarge"],
    ["a header that says an endless column", png({ width: 1, height: 65_536, rows: nothing }), "tooLarge"],
    ["a header that says 4 billion pixels across", png({ width: 2 ** 31 - 1, height: 2, rows: nothing }), "tooLarge"],
    ["a header that says more than there is", png({ width: 9000, height: 9000, rows: nothing }), "unreadable"],
    ["a PNG that is cut off", png({ width: 200, height: 200 }).subarray(0, 90), "unreadable"],
    [
      "a colour profile that unpacks to 300 MB",
      png({ width: 9, height: 9, before: [["iCCP", Buffer.concat([Buffer.from("x\0\0"), bomb])]] }),
      "unreadable",
    ],
    ["a drawing", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), "unreadable"],
    ["no size at all", png({ width: 0, height: 0, rows: nothing }), "unreadable"],
    ["nothing", new Uint8Array(), "unreadable"],
  ] as const)("%s: %#", async (_, bytes, outcome) => {
    expect(await make(bytes)).toBe(outcome);
    expect(await make(await photo(320, 200))).toEqual(["webp", 320, 200]);
  });

  const large = { width: 10_000, height: 10_000 };
  const full = [0x11, 0x11, 0x11];
  test.each([
    ["of 100 megapixels in four colours, which come one after the other", { frame: 0xc2, sampling: [...full, 0x11] }],
    ["of 100 megapixels in three", { frame: 0xc2, sampling: full }],
    ["without details that come later, a colour a scan", { frame: 0xc0, sampling: full, scanned: 1 }],
  ])("a header of a JPEG that has all of it held in memory: %s", async (_, declared) => {
    expect(await make(declaredJpeg({ ...large, ...declared }))).toBe("tooLarge");
  });

  test.each([
    ["as cameras write them", { frame: 0xc2, sampling: [0x22, 0x11, 0x11] }],
    ["whose rows are drawn as they come", { frame: 0xc0, sampling: full }],
  ])("a JPEG of 100 megapixels %s is made small", async (_, declared) => {
    expect(await make(declaredJpeg({ ...large, ...declared }))).toEqual(["webp", 320, 320]);
  });

  test("a picture that takes too long ends its process, and no other", async () => {
    const hasty = createMaker({ longest: 1 });
    writeFileSync(source, await photo(400, 300));
    expect(await hasty.make({ ...workOf(320), target: `${target}-late` }, never)).toBe("unreadable");
    expect(existsSync(`${target}-late`)).toBe(false);
    hasty.close();
    expect(await make(await photo(320, 200))).toEqual(["webp", 320, 200]);
  });

  test("a picture that nobody waits for ends its process soon, however long it would take", async () => {
    const patient = createMaker({ longest: 600_000 });
    writeFileSync(source, await manyScans());
    const gone = new AbortController();
    const outcome = patient.make({ ...workOf(320), target: `${target}-gone` }, gone.signal);
    gone.abort();
    expect(await outcome).toBe("unreadable");
    expect(existsSync(`${target}-gone`)).toBe(false);
    patient.close();
  });
});
