const [SOI, SOS, EOI] = [0xd8, 0xda, 0xd9];
/** Segments without a length: they may stand between others. */
const isBare = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= SOI);
/** Frames (ITU-T T.81, table B.1); the three numbers among them are those of tables and of an extension. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
/** Baseline and extended sequential, by Huffman. */
const isSequential = (marker: number): boolean => marker === 0xc0 || marker === 0xc1;

const BLOCK = 8;
const COEFFICIENT_BYTES = 2;

interface Frame {
  readonly isSequential: boolean;
  readonly components: number;
  readonly bytes: number;
}

/** What the frame of these bytes declares; undefined where they are too few, or not a frame. */
function frameIn(marker: number, body: Buffer): Frame | undefined {
  const components = body[5] ?? 0;
  if (body.length < 6 + 3 * components) return undefined;
  const [height, width] = [body.readUInt16BE(1), body.readUInt16BE(3)];
  const factors = Array.from({ length: components }, (_, place) => {
    const said = body[7 + 3 * place] ?? 0;
    return [said >> 4, said & 15] as const;
  });
  const [across, down] = [Math.max(1, ...factors.map(([h]) => h)), Math.max(1, ...factors.map(([, v]) => v))];
  const units = Math.ceil(width / (BLOCK * across)) * Math.ceil(height / (BLOCK * down));
  const blocks = factors.reduce((sum, [h, v]) => sum + units * h * v, 0);
  return { isSequential: isSequential(marker), components, bytes: blocks * BLOCK * BLOCK * COEFFICIENT_BYTES };
}

/**
 * Bytes that a decoder of JPEG holds at once before it draws a row: the coefficients of the whole picture, where its colours or its details come
 * one after the other. A header of 175 bytes can declare 800 MB of them, whatever follows. 0 where rows are drawn as they come, and where the
 * bytes are no JPEG.
 */
export function coefficientBytes(jpeg: Buffer): number {
  if (jpeg[0] !== 0xff || jpeg[1] !== SOI) return 0;
  let frame: Frame | undefined;
  for (let at = 2; at + 4 <= jpeg.length; ) {
    const marker = jpeg[at + 1] ?? 0;
    // What stands between segments is passed over, as decoders do.
    if (jpeg[at] !== 0xff || marker === 0xff || marker === 0) {
      at += 1;
      continue;
    }
    if (marker === EOI) break;
    if (isBare(marker)) {
      at += 2;
      continue;
    }
    const end = at + 2 + jpeg.readUInt16BE(at + 2);
    if (isFrame(marker)) frame ??= frameIn(marker, jpeg.subarray(at + 4, end));
    if (marker === SOS) {
      const isWhole = frame?.isSequential === true && jpeg[at + 4] === frame.components;
      return isWhole ? 0 : (frame?.bytes ?? 0);
    }
    at = Math.max(end, at + 4);
  }
  return frame?.bytes ?? 0;
}
