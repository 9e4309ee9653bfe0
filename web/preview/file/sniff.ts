import type { ViewerKind } from "./kinds.ts";

/** How many of a file's first bytes `sniff` looks at. */
export const SNIFFED_BYTES = 4096;

interface Signature {
  readonly kind: ViewerKind;
  /** Latin-1 characters at an offset. */
  readonly at?: number;
  readonly bytes: string;
}

const signatures: readonly Signature[] = [
  { kind: "image", bytes: "\x89PNG\r\n\x1a\n" },
  { kind: "image", bytes: "\xff\xd8\xff" },
  { kind: "image", bytes: "GIF8" },
  { kind: "image", bytes: "BM" },
  { kind: "image", at: 8, bytes: "WEBP" },
  { kind: "image", at: 4, bytes: "ftypavif" },
  { kind: "pdf", bytes: "%PDF-" },
  { kind: "archive", bytes: "PK\x03\x04" },
  { kind: "archive", bytes: "PK\x05\x06" },
  { kind: "audio", bytes: "ID3" },
  { kind: "audio", bytes: "fLaC" },
  { kind: "audio", at: 8, bytes: "WAVE" },
  { kind: "audio", at: 4, bytes: "ftypM4A" },
  { kind: "video", at: 4, bytes: "ftyp" },
  { kind: "video", bytes: "\x1a\x45\xdf\xa3" },
  { kind: "video", bytes: "OggS" },
];

/** What the first bytes of a file say that it is; undefined when they say nothing. `whole` when there are no others. */
export function sniff(bytes: Uint8Array, whole: boolean): ViewerKind | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, 32));
  const signed = signatures.find(({ at = 0, bytes: wanted }) => head.startsWith(wanted, at));
  // Two letters are too few to believe a file that is a text as well.
  if (signed && (signed.bytes.length > 2 || !isText(bytes, whole))) return signed.kind;
  return isText(bytes, whole) ? "text" : undefined;
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
