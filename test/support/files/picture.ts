import { crc32, deflateSync } from "node:zlib";

type Bytes = Uint8Array<ArrayBuffer>;

function chunk(type: string, data: Uint8Array): Buffer {
  const whole = Buffer.alloc(12 + data.length);
  whole.writeUInt32BE(data.length, 0);
  whole.write(type, 4, "latin1");
  whole.set(data, 8);
  whole.writeUInt32BE(crc32(whole.subarray(4, 8 + data.length)) >>> 0, 8 + data.length);
  return whole;
}

interface PngOptions {
  readonly width: number;
  readonly height: number;
  /** The bytes of the rows, which may be fewer than the header says; grey unless said. */
  readonly rows?: Uint8Array;
  /** Chunks before the pixels. */
  readonly before?: readonly [type: string, data: Uint8Array][];
}

/** A PNG in RGBA that says of itself what it is told to. */
export function png({ width, height, rows, before = [] }: PngOptions): Bytes {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6], 8);
  const pixels = rows ?? rowsOf(width, height, () => [120, 130, 140, 255]);
  return new Uint8Array(
    Buffer.concat([
      Buffer.from("89504e470d0a1a0a", "hex"),
      chunk("IHDR", header),
      ...before.map(([type, data]) => chunk(type, data)),
      chunk("IDAT", deflateSync(pixels)),
      chunk("IEND", Buffer.alloc(0)),
    ]),
  );
}

/** The rows of a PNG by the colour of each pixel. */
export function rowsOf(width: number, height: number, colour: (x: number, y: number) => readonly number[]): Uint8Array {
  const rows = new Uint8Array((width * 4 + 1) * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows.set(colour(x, y), y * (width * 4 + 1) + 1 + x * 4);
  return rows;
}

/** A photograph of some width: colours that run across, with a grain that `seed` changes. */
export function photo(width: number, height: number, seed = 1): Promise<Bytes> {
  let state = seed;
  const grain = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 16) & 31;
  };
  const rows = rowsOf(width, height, (x, y) => [
    ((x * 220) / width) | grain(),
    ((y * 220) / height) | grain(),
    (((x + y + seed * 40) % 220) | grain()) & 255,
    255,
  ]);
  return new Bun.Image(png({ width, height, rows })).jpeg({ quality: 90 }).bytes() as Promise<Bytes>;
}

/** A JPEG whose camera was held on its side (EXIF orientation 6). */
export function onItsSide(jpeg: Bytes): Bytes {
  const tiff = Buffer.from("49492a0008000000010012010300010000000600000000000000", "hex");
  const exif = Buffer.concat([Buffer.from("Exif\0\0", "latin1"), tiff]);
  const marker = Buffer.from([0xff, 0xe1, 0, exif.length + 2]);
  return new Uint8Array(Buffer.concat([jpeg.subarray(0, 2), marker, exif, jpeg.subarray(2)]));
}

/** A progressive photograph whose last scan is there again and again: to decode it takes minutes or hours. */
export async function manyScans(count = 200_000): Promise<Bytes> {
  const whole = Buffer.from(await new Bun.Image(await photo(4000, 3000)).jpeg({ progressive: true }).bytes());
  const scan = whole.subarray(whole.lastIndexOf(Buffer.from([0xff, 0xda])), -2).subarray(0, 40);
  return new Uint8Array(Buffer.concat([whole.subarray(0, -2), ...Array<Buffer>(count).fill(scan), whole.subarray(-2)]));
}

interface DeclaredJpeg {
  /** The number of its kind of frame: 0xc0 is baseline, 0xc2 progressive. */
  readonly frame: number;
  readonly width: number;
  readonly height: number;
  /** Of each colour the factors by which it is sampled, across in the upper half of a byte and down in the lower. */
  readonly sampling: readonly number[];
  /** Colours of its one scan, in which there is nearly nothing. */
  readonly scanned?: number;
}

/** A JPEG of some 170 bytes that says of itself what it is told to. */
export function declaredJpeg({ frame, width, height, sampling, scanned = sampling.length }: DeclaredJpeg): Bytes {
  const segment = (marker: number, body: readonly number[]) => [0xff, marker, 0, body.length + 2, ...body];
  const word = (value: number) => [value >> 8, value & 255];
  const codes = [1, ...Array<number>(15).fill(0), 0];
  return new Uint8Array([
    ...[0xff, 0xd8],
    ...segment(0xdb, [0, ...Array<number>(64).fill(1)]),
    ...segment(frame, [
      ...[8, ...word(height), ...word(width), sampling.length],
      ...sampling.flatMap((factors, place) => [place + 1, factors, 0]),
    ]),
    ...segment(0xc4, [0, ...codes]),
    ...segment(0xc4, [0x10, ...codes]),
    ...segment(0xda, [
      scanned,
      ...sampling.slice(0, scanned).flatMap((_, place) => [place + 1, 0]),
      ...[0, frame === 0xc2 ? 0 : 63, 0],
    ]),
    ...Array<number>(20).fill(0),
    ...[0xff, 0xd9],
  ]);
}
