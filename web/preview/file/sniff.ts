/** How many of a file's first bytes `sniff` looks at. */
export const SNIFFED_BYTES = 4096;

interface Signature {
  readonly type: string;
  /** Latin-1 characters at an offset. */
  readonly at?: number;
  readonly bytes: string;
}

const signatures: readonly Signature[] = [
  { type: "image/*", bytes: "\x89PNG\r\n\x1a\n" },
  { type: "image/*", bytes: "\xff\xd8\xff" },
  { type: "image/*", bytes: "GIF8" },
  { type: "image/*", bytes: "BM" },
  { type: "image/*", at: 8, bytes: "WEBP" },
  { type: "image/*", at: 4, bytes: "ftypavif" },
  { type: "application/pdf", bytes: "%PDF-" },
  { type: "application/zip", bytes: "PK\x03\x04" },
  { type: "application/zip", bytes: "PK\x05\x06" },
  { type: "audio/*", bytes: "ID3" },
  { type: "audio/*", bytes: "fLaC" },
  { type: "audio/*", at: 8, bytes: "WAVE" },
  { type: "audio/*", at: 4, bytes: "ftypM4A" },
  { type: "video/*", at: 4, bytes: "ftyp" },
  { type: "video/*", bytes: "\x1a\x45\xdf\xa3" },
  { type: "video/*", bytes: "OggS" },
];

/** The media type that the first bytes of a file tell, as far as viewers ask; undefined when they tell none. `whole` when there are no others. */
export function sniff(bytes: Uint8Array, whole: boolean): string | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, 32));
  const signed = signatures.find(({ at = 0, bytes: wanted }) => head.startsWith(wanted, at));
  // Two letters are too few to believe a file that is a text as well.
  if (signed && (signed.bytes.length > 2 || !isText(bytes, whole))) return signed.type;
  return isText(bytes, whole) ? "text/plain" : undefined;
}

/** Reports whether these bytes can be a text in UTF-8: no control characters but those that texts have. */
function isText(bytes: Uint8Array, whole: boolean): boolean {
  if (bytes.length === 0) return false;
  if (bytes.some((byte) => byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 27))
    return false;
  try {
    // The last character may have been cut in half.
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: !whole });
    return true;
  } catch {
    return false;
  }
}
