import { inflateSync } from "node:zlib";

/** Bytes of a pixel, and what stands in the header of a PNG with such pixels: eight bits, RGBA, not interlaced. */
const PIXEL = 4;
const DEPTH_AND_TYPE = 0x08060000;
const IDAT = 0x49444154;

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Row by row, from the top. */
  readonly rgba: Uint8Array;
}

/** The pixels of a PNG that Bun has written (PNG, third edition): Bun tells them in no other way. Throws for any other. */
export function pixelsOf(png: Uint8Array): Pixels {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  if (view.getUint32(24) !== DEPTH_AND_TYPE) throw new Error("This PNG has other pixels.");
  const parts: Uint8Array[] = [];
  for (let at = 8; at < png.length; at += 12 + view.getUint32(at))
    if (view.getUint32(at + 4) === IDAT) parts.push(png.subarray(at + 8, at + 8 + view.getUint32(at)));
  const rows = inflateSync(Buffer.concat(parts));
  const stride = width * PIXEL;
  const rgba = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) {
    const start = y * (stride + 1);
    unfilter(rgba, y * stride, { filter: rows[start] ?? 0, row: rows.subarray(start + 1, start + 1 + stride) });
  }
  return { width, height, rgba };
}

interface Row {
  readonly filter: number;
  readonly row: Uint8Array;
}

/** Writes a row behind those above it, as its filter says (PNG section 9). */
function unfilter(rgba: Uint8Array, at: number, { filter, row }: Row): void {
  const byte = (index: number): number => rgba[index] ?? 0;
  for (const [x, raw] of row.entries()) {
    const index = at + x;
    const left = x < PIXEL ? 0 : byte(index - PIXEL);
    const above = at === 0 ? 0 : byte(index - row.length);
    const corner = x < PIXEL || at === 0 ? 0 : byte(index - row.length - PIXEL);
    rgba[index] = raw + predicted(filter, left, above, corner);
  }
}

function predicted(filter: number, left: number, above: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  return filter === 4 ? paeth(left, above, corner) : 0;
}

/** The neighbour that is nearest to what the three lead to. */
function paeth(left: number, above: number, corner: number): number {
  const [toLeft, toAbove, toCorner] = [
    Math.abs(above - corner),
    Math.abs(left - corner),
    Math.abs(left + above - 2 * corner),
  ];
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}
