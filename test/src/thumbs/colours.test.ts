import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { createMaker } from "../../../src/thumbs/maker.ts";
import { pixelsOf } from "../../../src/thumbs/pixels.ts";
import { root } from "../../support/sources.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** What thumbnails keep of the looks of photographs: the samples are red above, blue below, with a white square in the corner. */

const folder = temporaryFolder();
const maker = createMaker();
const target = join(folder.path, "target");
afterAll(() => {
  maker.close();
  folder[Symbol.dispose]();
});

async function thumbnailOf(name: string) {
  const source = join(root, "test/support/files/pictures", name);
  const work = { source, target, width: 320, formats: ["jpeg"], maxPixels: 100_000_000 };
  expect(await maker.make(work, new AbortController().signal)).toBeObject();
  const bytes = Buffer.from(await Bun.file(target).arrayBuffer());
  const { width, height, rgba } = pixelsOf(await new Bun.Image(bytes).png().bytes());
  const at = (x: number, y: number) => {
    const place = (Math.round(y * (height - 1)) * width + Math.round(x * (width - 1))) * 4;
    return [...rgba.subarray(place, place + 3)];
  };
  return { bytes, width, height, at };
}

/** Whether two colours look alike, of 255 steps each. */
const isNear = (one: readonly number[], other: readonly number[]): boolean =>
  one.every((part, index) => Math.abs(part - (other[index] ?? 0)) < 24);

const [RED, BLUE, WHITE] = [
  [208, 32, 32],
  [32, 64, 208],
  [255, 255, 255],
] as const;

test.each(["camera.jpg", "cmyk.jpg"])("%s has its colours", async (name) => {
  const { width, height, at } = await thumbnailOf(name);
  expect([width, height]).toEqual([320, 240]);
  expect([isNear(at(0.7, 0.01), RED), isNear(at(0.7, 0.99), BLUE), isNear(at(0.1, 0.15), WHITE)]).toEqual([
    true,
    true,
    true,
  ]);
});

test("a photograph that was taken sideways stands upright, and says that its colours are those of Display P3", async () => {
  const { bytes, width, height, at } = await thumbnailOf("turned.jpg");
  expect([width, height]).toEqual([320, 427]);
  expect([isNear(at(0.99, 0.7), RED), isNear(at(0.01, 0.7), BLUE), isNear(at(0.85, 0.1), WHITE)]).toEqual([
    true,
    true,
    true,
  ]);
  const profile = bytes.indexOf("ICCP");
  expect(profile).toBeGreaterThan(0);
  expect(bytes.subarray(profile).toString("latin1").replaceAll("\0", "")).toContain("Display P3");
});

test("a thumbnail in CMYK would be none that browsers draw: its profile stays behind", async () => {
  expect((await thumbnailOf("cmyk.jpg")).bytes.includes("ICCP")).toBe(false);
});
