import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { factsOf } from "../../../web/preview/camera/facts.ts";
import { isDisplayP3 } from "../../../web/preview/heic/profile.ts";
import { drawnAs } from "../../../web/preview/small/drawn.ts";
import { root } from "../../support/sources.ts";

const sample = (name: string) => Bun.file(join(root, "test/support/files/pictures", name)).bytes();

describe("a browser draws small", () => {
  const MB = 1024 * 1024;
  test.each([
    ["a.heic", "image", MB, "picture"],
    ["a.AVIF", "image", MB, "picture"],
    ["a.avif", "image", 21 * MB, undefined],
    ["a.jpg", "image", MB, undefined],
    ["a.svg", "image", 100, undefined],
    ["a.mp4", "video", 4000 * MB, "film"],
    ["a.m3u8", "video", 100, undefined],
    ["a.mp4", "unknown", MB, undefined],
    ["a.pdf", "document", 200 * MB, "page"],
    ["a.pdf", "document", 501 * MB, undefined],
    ["a.txt", "text", 100, undefined],
  ] as const)("%s, a file of the kind %s with %i bytes: %p", (name, typeName, size, as) => {
    expect(drawnAs({ name, typeName, size })).toBe(as);
  });
});

/** A JPEG whose EXIF (TIFF, 8 bytes of head) has these entries: tag, type, count, and four bytes of a value or a place. */
function jpegWith(entries: readonly (readonly [number, number, number, number])[], behind = "", next = 0): ArrayBuffer {
  const directory = Buffer.alloc(2 + entries.length * 12 + 4);
  directory.writeUInt16LE(entries.length);
  for (const [index, [tag, type, count, value]] of entries.entries()) {
    const at = 2 + index * 12;
    directory.writeUInt16LE(tag, at);
    directory.writeUInt16LE(type, at + 2);
    directory.writeUInt32LE(count, at + 4);
    directory.writeUInt32LE(value, at + 8);
  }
  directory.writeUInt32LE(next, directory.length - 4);
  const tiff = Buffer.concat([Buffer.from("49492a0008000000", "hex"), directory, Buffer.from(behind, "latin1")]);
  const exif = Buffer.concat([Buffer.from("Exif\0\0", "latin1"), tiff]);
  const head = Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(exif.length + 2, 4);
  return new Uint8Array(Buffer.concat([head, exif, Buffer.from("ffd9", "hex")])).buffer;
}

const [ASCII, SHORT, LONG, RATIONAL] = [2, 3, 4, 5];
const [MODEL, EXIF, ORIENTATION] = [0x0110, 0x8769, 0x0112];

describe("what a camera wrote", () => {
  test.each(["camera.jpg", "camera.heic", "camera.avif"])("is read from %s", async (name) => {
    const { buffer } = await sample(name);
    expect(factsOf(buffer)).toMatchObject({
      ...{ camera: "Fujifilm X-T5", lens: "XF35mmF1.4 R", exposure: 0.004, aperture: 2.8, iso: 400, focal: 35 },
      ...{ focal35: 53, taken: Date.UTC(2024, 4, 17, 18, 42, 7), zone: "+02:00" },
    });
    const { latitude = 0, longitude = 0 } = factsOf(buffer);
    expect([latitude.toFixed(5), longitude.toFixed(5)]).toEqual(["48.20849", "16.37208"]);
  });

  test("is turned as the picture is shown", async () => {
    expect(factsOf((await sample("turned.jpg")).buffer)).toMatchObject({ width: 360, height: 480 });
  });

  test("is a text, without letters that cannot be seen, and not a long one", () => {
    const name = "<img src=x onerror=alert(1)>\u0007\u0000 ";
    const start = 8 + 2 + 12 + 4;
    expect(factsOf(jpegWith([[MODEL, ASCII, name.length, start]], name)).camera).toBe("<img src=x onerror=alert(1)>");
    const long = "x".repeat(60_000);
    expect(factsOf(jpegWith([[MODEL, ASCII, long.length, start]], long)).camera).toHaveLength(120);
  });

  test.each([
    ["that leads to itself", jpegWith([[EXIF, LONG, 1, 8]], "", 8)],
    ["that claims four billion values", jpegWith([[MODEL, ASCII, 0xffff_ffff, 8]])],
    ["whose values are beyond its end", jpegWith([[MODEL, ASCII, 10, 0xffff_fff0]])],
    ["whose orientation is none", jpegWith([[ORIENTATION, SHORT, 1, 77]])],
    ["whose exposure is nothing of nothing", jpegWith([[0x829a, RATIONAL, 1, 26]], "\0\0\0\0\0\0\0\0")],
  ] as const)("in a directory %s is nothing", (_, bytes) => {
    const told = Object.values(factsOf(bytes)).filter((value) => value !== undefined);
    expect(told).toEqual([]);
  });
});

describe("the colours of a HEIC", () => {
  test("are those of Display P3 where it says so", async () => {
    expect(isDisplayP3(await sample("turned.heic"))).toBe(true);
    expect(isDisplayP3(await sample("camera.heic"))).toBe(false);
    const numbered = (primaries: number) => Buffer.from(`....colrnclx\0${String.fromCharCode(primaries)}`, "latin1");
    expect([isDisplayP3(numbered(12)), isDisplayP3(numbered(1)), isDisplayP3(new Uint8Array())]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
