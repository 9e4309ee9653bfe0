/** Bytes of a text in UTF-8, counted without writing them: of ten megabytes an encoder makes 50 ms at each key. */
export function bytesOfText(text: string): number {
  const units = text.length;
  let bytes = units;
  for (let at = 0; at < units; at++) {
    const unit = text.charCodeAt(at);
    // Two bytes up to U+07FF and for each half of a pair, else three.
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

/** Reports whether a text takes more than `limit` bytes of UTF-8. */
export const isLongerThan = (text: string, limit: number): boolean =>
  // A unit of a JavaScript string takes one to three bytes, so few texts need counting.
  text.length > limit || (text.length * 3 > limit && bytesOfText(text) > limit);
