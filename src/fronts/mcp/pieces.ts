import { Failure } from "#contract/failures";

/** A text that is read piece by piece. */
interface Piece {
  readonly text: string;
  /** The byte with which it begins. */
  readonly offset: number;
  readonly next_offset: number | null;
}

/** The most bytes of one letter in UTF-8. */
const LETTER = 4;

const isInside = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** Bytes to read for a piece, so that a letter that it begins with is there as a whole. */
export const bytesFor = (length: number): number => length + LETTER;

/**
 * The letters that begin within `length` bytes, of bytes that were read from `offset` of a text of `size` bytes. What begins before is left
 * out, so that pieces one after the other are all of the text. 415 file.notText.
 */
export function pieceOf(
  bytes: Uint8Array,
  { offset, length, size }: { readonly offset: number; readonly length: number; readonly size: number },
): Piece {
  let begin = 0;
  while (offset > 0 && begin < LETTER && isInside(bytes[begin])) begin += 1;
  let end = Math.min(length, bytes.length);
  while (end < bytes.length && end < length + LETTER && isInside(bytes[end])) end += 1;
  const next = offset + end;
  return {
    text: lettersOf(bytes.subarray(begin, end)),
    offset: offset + begin,
    next_offset: next < size ? next : null,
  };
}

/** A mark of the order of bytes is a letter as any other: a piece may begin in the middle of a text. 415 file.notText. */
function lettersOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Failure("file.notText");
  }
}
