import { parseHttpDate, sameStrongTag, type Validators, wholeSecond } from "./conditional.ts";

/** Offsets in bytes, both inclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Parses the one range of a Range header for `size` bytes (RFC 9110 section 14.1.2). Undefined means to serve the
 * whole: no header, several ranges, another unit or an invalid one. "unsatisfiable" is a 416. Only GET has ranges; the
 * caller checks that.
 */
export function parseRange(header: string | null | undefined, size: number): ByteRange | "unsatisfiable" | undefined {
  const [, first, last] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? "") ?? [];
  if (first === undefined || last === undefined || first + last === "") return undefined;
  if (first === "") return suffix(Number(last), size);
  const start = Number(first);
  const end = last === "" ? Number.POSITIVE_INFINITY : Number(last);
  if (end < start) return undefined;
  return start < size ? { start, end: Math.min(end, size - 1) } : "unsatisfiable";
}

/** The end of nothing is satisfiable, says the RFC, but no Content-Range can name it: serve the whole. */
function suffix(length: number, size: number): ByteRange | "unsatisfiable" | undefined {
  if (length === 0) return "unsatisfiable";
  return size === 0 ? undefined : { start: Math.max(0, size - length), end: size - 1 };
}

/**
 * Reports whether the Range header still counts under If-Range: none, the same strong ETag, or exactly the date of the last change
 * (RFC 9110 section 13.1.5). Otherwise serve the whole.
 */
export function ifRangeHolds(header: string | null | undefined, current: Validators): boolean {
  if (header === null || header === undefined) return true;
  if (/^(W\/)?"/.test(header)) return current.etag !== undefined && sameStrongTag(header, current.etag);
  const date = parseHttpDate(header);
  return date !== undefined && current.modified !== undefined && wholeSecond(current.modified) === date;
}

/** The Content-Range header of a 206, or of a 416 (RFC 9110 section 14.4). */
export const contentRange = (range: ByteRange | "unsatisfiable", size: number): string =>
  range === "unsatisfiable" ? `bytes */${size}` : `bytes ${range.start}-${range.end}/${size}`;
