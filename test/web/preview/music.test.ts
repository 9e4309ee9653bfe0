import { describe, expect, test } from "bun:test";
import { MAX_TAG_PIECES, MAX_TAGS, MAX_TITLE } from "#contract/viewer-limits";
import type { PiecedFile } from "../../../web/preview/music/piecewise.ts";
import { readTags } from "../../../web/preview/music/tags.ts";
import { makePng } from "../../support/files/media.ts";
import {
  atom,
  id3,
  id3Frame,
  id3Frames,
  makeFlac,
  makeM4a,
  makeMp3,
  makeOldMp3,
  makeOpus,
} from "../../support/files/music.ts";

/** A file that counts what is read of it, padded with zeros to a size. */
function pieced(bytes: Uint8Array, size = bytes.length) {
  const read = { bytes: 0, pieces: 0 };
  const file: PiecedFile = {
    size,
    async read(start, end) {
      if (start < 0 || end > size || end <= start) throw new Error(`Nothing is at ${start} to ${end}.`);
      read.bytes += end - start;
      read.pieces += 1;
      const piece = new Uint8Array(end - start);
      piece.set(bytes.subarray(start, end));
      return piece;
    },
  };
  return { file, read };
}

const cover = makePng(40, 40);
const said = { title: "Für Elise", artist: "Ludwig van Beethoven", album: "Bagatellen 夜曲" };

describe("tags are read from", () => {
  test.each([
    ["ID3v2", makeMp3({ ...said, year: "1867", cover }), { ...said, year: 1867 }],
    ["ID3v1", makeOldMp3({ ...said, album: "Bagatellen", year: "1867" }), { ...said, album: "Bagatellen", year: 1867 }],
    ["FLAC", makeFlac({ ...said, year: "1867", cover }), { ...said, year: 1867 }],
    ["Opus", makeOpus(said), said],
    ["MP4 with its tags at the end", makeM4a({ ...said, cover }), said],
  ] as const)("%s", async (_, bytes, wanted) => {
    expect(await readTags(pieced(bytes).file, true)).toMatchObject(wanted);
    const { cover: none, ...titles } = await readTags(pieced(bytes).file, false);
    expect(titles).toMatchObject(wanted);
    expect(none).toBeUndefined();
  });

  test.each([
    ["ID3v2", makeMp3({ ...said, cover })],
    ["FLAC", makeFlac({ ...said, cover })],
    ["MP4", makeM4a({ ...said, cover })],
  ] as const)("%s with its cover", async (_, bytes) => {
    const tags = await readTags(pieced(bytes).file, true);
    expect(tags.cover?.type).toBe("image/png");
    expect(await tags.cover?.bytes()).toEqual(cover);
  });

  test("a long recording by a few pieces of it", async () => {
    const { file, read } = pieced(makeM4a(said, 50_000_000));
    expect(await readTags(file, false)).toMatchObject(said);
    expect(read.pieces).toBeLessThan(6);
    expect(read.bytes).toBeLessThanOrEqual(MAX_TITLE);
  });
});

describe("what was made to harm", () => {
  test("letters that turn the direction of writing, controls and halves of letters do not come through", async () => {
    const bytes = makeMp3({
      title: "\u202egpj.exe\u2066\u0007 a\n\nb",
      artist: "x".repeat(5000),
      album: "\u200f \u0000",
    });
    const { title, artist, album } = await readTags(pieced(bytes).file, true);
    expect(title).toBe("gpj.exe a b");
    expect(artist).toHaveLength(200);
    expect(album).toBeUndefined();
  });

  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');
  test.each(["image/svg+xml", "image/png", "-->", "text/html"])("an SVG called %s is no cover", async (coverType) => {
    for (const bytes of [makeMp3({ ...said, cover: svg, coverType }), makeFlac({ ...said, cover: svg, coverType })]) {
      const tags = await readTags(pieced(bytes).file, true);
      expect(tags).toMatchObject(said);
      expect(tags.cover).toBeUndefined();
    }
  });

  test("a cover of 200 MB: the names before it are read, the cover is not", async () => {
    const big = 200_000_000;
    const head = Buffer.concat([...id3Frames(said), id3Frame("APIC", Buffer.from("\0image/png\0\x03\0"), big)]);
    const { file, read } = pieced(id3([head], head.length + big), big + 1000);
    const tags = await readTags(file, true);
    expect(tags).toMatchObject(said);
    expect(tags.cover).toBeUndefined();
    expect(read.bytes).toBeLessThanOrEqual(2 * MAX_TAGS);
  });

  const endless = 4_000_000_000;
  const atoms = (count: number) => Buffer.concat(Array.from({ length: count }, () => atom("free", Buffer.alloc(0))));
  test.each([
    ["a tag that says that it is larger than the file", id3(id3Frames(said), 200_000_000), 4096],
    [
      "a frame that says that it is larger than its tag",
      id3([id3Frame("TIT2", Buffer.from("\x03a"), 99_999_999)]),
      4096,
    ],
    [
      "an atom of 4 GB in a small file",
      Buffer.concat([atom("ftyp", Buffer.from("M4A \0\0\0\0")), atom("moov", Buffer.alloc(0), 4_000_000_000)]),
      4096,
    ],
    ["atoms without a size", Buffer.concat([atom("ftyp", Buffer.from("M4A \0\0\0\0")), Buffer.alloc(4000)]), endless],
    [
      "atoms one after the other for 4 GB",
      Buffer.concat([atom("ftyp", Buffer.from("M4A \0\0\0\0")), atoms(40_000)]),
      endless,
    ],
    ["a comment list of 4 billion", makeFlac(said, 0xffff_ffff), 8192],
    ["a recording of nothing but zeros", Buffer.from([0xff, 0xfb, 0x90, 0xc4]), endless],
    ["four bytes", Buffer.from("ID3\x04"), 4],
    ["tags one after the other", Buffer.concat(Array.from({ length: 20_000 }, () => id3([]))), endless],
  ] as const)("%s ends, whatever it says", async (_, bytes, size) => {
    for (const withCover of [true, false]) {
      const { file, read } = pieced(bytes, Math.max(size, bytes.length));
      const tags = await readTags(file, withCover);
      expect(tags.cover).toBeUndefined();
      expect(read.bytes).toBeLessThanOrEqual(2 * (withCover ? MAX_TAGS : MAX_TITLE));
      expect(read.pieces).toBeLessThanOrEqual(MAX_TAG_PIECES + 2);
    }
  });
});
