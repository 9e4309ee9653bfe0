/** The validators of a resource. */
interface Validators {
  /** As the ETag header carries it: quoted, with W/ before a weak one. */
  readonly etag?: string | undefined;
  /** Epoch milliseconds; compared in whole seconds, the precision of HTTP dates. */
  readonly modified?: number | undefined;
}

type Outcome = "proceed" | "not modified" | "failed";

interface EntityTag {
  readonly weak: boolean;
  readonly opaque: string;
}

/** One entity tag; bare words count as tags, because S3 clients send ETags without quotes. */
const TAG = /(W\/)?"([^"]*)"|([^\s",]+)/y;

/**
 * Reports whether a request may go on under its If-Match, If-None-Match, If-Modified-Since and If-Unmodified-Since headers, in the
 * order of RFC 9110 section 13.2.2. `current` is undefined when there is no such resource. "not modified" is a 304,
 * "failed" a 412.
 */
export function evaluateConditions(method: string, headers: Headers, current: Validators | undefined): Outcome {
  const ifMatch = headers.get("if-match");
  if (ifMatch !== null && !matches(ifMatch, current, strongly)) return "failed";
  if (ifMatch === null && changedSince(headers.get("if-unmodified-since"), current) === true) return "failed";

  const reads = method === "GET" || method === "HEAD";
  const ifNoneMatch = headers.get("if-none-match");
  if (ifNoneMatch !== null) {
    if (!matches(ifNoneMatch, current, weakly)) return "proceed";
    return reads ? "not modified" : "failed";
  }
  if (reads && changedSince(headers.get("if-modified-since"), current) === false) return "not modified";
  return "proceed";
}

/** Reports whether both are strong and the same (RFC 9110 section 8.8.3.2). */
export const sameStrongTag = (a: string, b: string): boolean => strongly(entityTag(a), entityTag(b));

const strongly = (a: EntityTag, b: EntityTag): boolean => !a.weak && !b.weak && a.opaque === b.opaque;

const weakly = (a: EntityTag, b: EntityTag): boolean => a.opaque === b.opaque;

function matches(list: string, current: Validators | undefined, same: typeof strongly): boolean {
  if (current === undefined) return false;
  if (list.trim() === "*") return true;
  if (current.etag === undefined) return false;
  const own = entityTag(current.etag);
  return entityTags(list).some((tag) => same(tag, own));
}

function entityTag(text: string): EntityTag {
  const weak = text.startsWith("W/");
  return { weak, opaque: text.slice(weak ? 2 : 0).replace(/^"(.*)"$/, "$1") };
}

/**
 * The tags up to the first that is none. Blanks are passed over by hand: a pattern that takes them on both sides of a tag that
 * may be missing tries every way to share them out.
 */
function entityTags(list: string): EntityTag[] {
  const tags: EntityTag[] = [];
  const pattern = new RegExp(TAG);
  for (let at = 0; at < list.length; ) {
    const start = afterBlanks(list, at);
    pattern.lastIndex = start;
    const found = pattern.exec(list);
    // An element may be empty (RFC 9110 section 5.6.1.2).
    const end = afterBlanks(list, start + (found?.[0].length ?? 0));
    if (end < list.length && list[end] !== ",") break;
    const opaque = found?.[2] ?? found?.[3];
    if (opaque !== undefined) tags.push({ weak: found?.[1] !== undefined, opaque });
    at = end + 1;
  }
  return tags;
}

/** Where the blanks end that begin at a position. */
export function afterBlanks(text: string, from: number): number {
  let at = from;
  while (text[at] === " " || text[at] === "\t") at++;
  return at;
}

/** Undefined when the header is missing or no date, or the resource has none: then it says nothing (RFC 9110 section 13.1.3). */
function changedSince(date: string | null, current: Validators | undefined): boolean | undefined {
  if (date === null || current?.modified === undefined) return undefined;
  const since = parseHttpDate(date);
  return since === undefined ? undefined : wholeSecond(current.modified) > since;
}

/** The instant that a Last-Modified header can carry. */
const wholeSecond = (instant: number): number => Math.floor(instant / 1000) * 1000;

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const IMF_FIXDATE = /^[A-Z][a-z]{2}, (?<day>\d\d) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) GMT$/;
const RFC_850 = /^[A-Z][a-z]{5,8}, (?<day>\d\d)-(?<month>[A-Z][a-z]{2})-(?<year>\d\d) (?<time>\d\d:\d\d:\d\d) GMT$/;
const ASCTIME = /^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/;

/** Formats an instant in epoch milliseconds as an HTTP date, which has whole seconds (RFC 9110 section 5.6.7). */
export const httpDate = (instant: number): string => new Date(instant).toUTCString();

/**
 * The instant of an HTTP date in any of its three forms (RFC 9110 section 5.6.7), in epoch milliseconds; undefined for
 * anything else. Date.parse takes far more, among it bare numbers, which a condition must ignore.
 */
export function parseHttpDate(text: string): number | undefined {
  const parts = (IMF_FIXDATE.exec(text) ?? RFC_850.exec(text) ?? ASCTIME.exec(text))?.groups;
  if (!parts) return undefined;
  const { day = "", month = "", year = "", time = "" } = parts;
  const [hour = 0, minute = 0, second = 0] = time.split(":").map(Number);
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const instant = Date.UTC(fullYear(year), MONTHS.indexOf(month), Number(day), hour, minute, second);
  const real = new Date(instant - second * 1000);
  return real.getUTCDate() === Number(day) && MONTHS[real.getUTCMonth()] === month ? instant : undefined;
}

/** Two digits are of the century that POSIX gives them; the RFC's sliding window would need the present. */
function fullYear(year: string): number {
  if (year.length > 2) return Number(year);
  return Number(year) + (Number(year) < 70 ? 2000 : 1900);
}

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
