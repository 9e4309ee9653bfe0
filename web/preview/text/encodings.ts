/** Encodings of texts, by the names that browsers know (Encoding Standard); `ascii` is read as the first of the western ones. */
export const encodings = [
  { label: "UTF-8", name: "utf-8" },
  { label: "UTF-16 LE", name: "utf-16le" },
  { label: "UTF-16 BE", name: "utf-16be" },
  { label: "GB18030", name: "gb18030" },
  { label: "GBK", name: "gbk" },
  { label: "GB2312", name: "gb2312" },
  { label: "Big5", name: "big5" },
  { label: "Shift_JIS", name: "shift_jis" },
  { label: "EUC-JP", name: "euc-jp" },
  { label: "EUC-KR", name: "euc-kr" },
  { label: "ISO-8859-1", name: "iso-8859-1" },
  { label: "ISO-8859-2", name: "iso-8859-2" },
  { label: "ISO-8859-5", name: "iso-8859-5" },
  { label: "ISO-8859-6", name: "iso-8859-6" },
  { label: "ISO-8859-7", name: "iso-8859-7" },
  { label: "ISO-8859-8", name: "iso-8859-8" },
  { label: "ISO-8859-15", name: "iso-8859-15" },
  { label: "Windows-1250", name: "windows-1250" },
  { label: "Windows-1251", name: "windows-1251" },
  { label: "Windows-1252", name: "windows-1252" },
  { label: "Windows-1256", name: "windows-1256" },
  { label: "KOI8-R", name: "koi8-r" },
  { label: "ASCII", name: "ascii" },
] as const;

export type EncodingName = (typeof encodings)[number]["name"];

/** How much of a text is looked at to guess its encoding, in bytes. */
export const SAMPLE = 64 * 1024;

/** Byte order marks at the beginning of a text (Unicode 16, section 23.8). */
const marks: readonly { readonly name: EncodingName; readonly bytes: readonly number[] }[] = [
  { name: "utf-8", bytes: [0xef, 0xbb, 0xbf] },
  { name: "utf-16le", bytes: [0xff, 0xfe] },
  { name: "utf-16be", bytes: [0xfe, 0xff] },
];

/** The text that these bytes are; what does not fit is shown as the sign for that. */
export const decodeText = (bytes: Uint8Array, name: EncodingName): string => new TextDecoder(name).decode(bytes);

/** The encoding of a text that its mark, its zeros or its being UTF-8 tell for sure; undefined when its letters have to be looked at. */
export function toldEncoding(bytes: Uint8Array): EncodingName | undefined {
  const marked = marks.find((mark) => mark.bytes.every((byte, index) => bytes[index] === byte));
  if (marked) return marked.name;
  const sample = bytes.subarray(0, SAMPLE);
  const wide = zeros(sample);
  if (wide) return wide;
  return fits(sample, "utf-8", sample.length === bytes.length) === undefined ? undefined : "utf-8";
}

/** UTF-16 without a mark: every other byte of a text with spaces and line ends is zero. */
function zeros(sample: Uint8Array): EncodingName | undefined {
  const counts = [0, 0];
  for (const [index, byte] of sample.entries()) if (byte === 0) counts[index % 2] = (counts[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = counts;
  const many = sample.length / 8;
  if (odd > many && odd > even * 4) return "utf-16le";
  return even > many && even > odd * 4 ? "utf-16be" : undefined;
}

/** The text if the bytes are one in this encoding. The last character of a sample may be cut in half. */
export function fits(bytes: Uint8Array, name: EncodingName, whole: boolean): string | undefined {
  try {
    return new TextDecoder(name, { fatal: true }).decode(bytes, { stream: !whole });
  } catch {
    return undefined;
  }
}
