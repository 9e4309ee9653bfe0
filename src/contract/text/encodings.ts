/** Encodings of texts, by names that browsers know (Encoding Standard); ASCII is read as the first of the western ones. */
export const encodings = [
  "UTF-8",
  "UTF-16LE",
  "UTF-16BE",
  "GB18030",
  "GBK",
  "GB2312",
  "Big5",
  "Shift_JIS",
  "EUC-JP",
  "ISO-2022-JP",
  "EUC-KR",
  "ISO-8859-1",
  "ISO-8859-2",
  "ISO-8859-4",
  "ISO-8859-5",
  "ISO-8859-6",
  "ISO-8859-7",
  "ISO-8859-8",
  "ISO-8859-15",
  "Windows-1250",
  "Windows-1251",
  "Windows-1252",
  "Windows-1253",
  "Windows-1254",
  "Windows-1255",
  "Windows-1256",
  "Windows-1257",
  "Windows-1258",
  "Windows-874",
  "IBM866",
  "KOI8-R",
  "KOI8-U",
  "ASCII",
] as const;

export type EncodingName = (typeof encodings)[number];

/** How much of a text is looked at to guess its encoding, in bytes. */
export const SAMPLE = 64 * 1024;

/** Byte order marks at the beginning of a text (Unicode 16, section 23.8). */
const marks: readonly { readonly name: EncodingName; readonly bytes: readonly number[] }[] = [
  { name: "UTF-8", bytes: [0xef, 0xbb, 0xbf] },
  { name: "UTF-16LE", bytes: [0xff, 0xfe] },
  { name: "UTF-16BE", bytes: [0xfe, 0xff] },
];

/** The text that these bytes are; what does not fit is shown as the sign for that. */
export const decodeText = (bytes: Uint8Array, name: EncodingName): string => new TextDecoder(name).decode(bytes);

/** The encoding of a text that its mark or its being UTF-8 tells for sure; undefined when its letters have to be looked at. */
export function declaredEncoding(bytes: Uint8Array): EncodingName | undefined {
  const marked = marks.find((mark) => mark.bytes.every((byte, index) => bytes[index] === byte));
  if (marked) return marked.name;
  const sample = bytes.subarray(0, SAMPLE);
  // Zeros are what UTF-16 without a mark is full of; they fit into UTF-8, too.
  if (sample.includes(0)) return undefined;
  return fits(sample, "UTF-8", sample.length === bytes.length) === undefined ? undefined : "UTF-8";
}

/** The text if the bytes are one in this encoding. The last character of a sample may be cut in half. */
export function fits(bytes: Uint8Array, name: EncodingName, whole: boolean): string | undefined {
  try {
    return new TextDecoder(name, { fatal: true }).decode(bytes, { stream: !whole });
  } catch {
    return undefined;
  }
}
