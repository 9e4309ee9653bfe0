/** Moves surrogates behind the rest of the plane, where their code points belong. */
const weight = (unit: number): number => {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
};

/** Compares two texts as their UTF-8 bytes compare, which is not how JavaScript does: S3 lists keys in this order. */
export function compareBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const difference = a.charCodeAt(index) - b.charCodeAt(index);
    if (difference !== 0) return weight(a.charCodeAt(index)) - weight(b.charCodeAt(index));
  }
  return a.length - b.length;
}
