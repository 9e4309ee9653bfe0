import { Failure } from "#contract/failures";
import { MAX_CONTENT_BYTES, PREVIEW_CHARACTERS } from "#contract/limits";

/** What of a wished-for text share has to be checked or worked out before it can be a row. */

/** The last instant that has four digits of year, as ISO 8601 wants them. */
const LAST_INSTANT = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Bytes and preview of a text. 400 content.empty, 413 content.tooLarge. */
export function measured(content: string): { size: number; preview: string } {
  if (content.trim() === "") throw new Failure("content.empty");
  const size = Buffer.byteLength(content);
  if (size > MAX_CONTENT_BYTES) throw new Failure("content.tooLarge");
  const cut = content.slice(0, PREVIEW_CHARACTERS).toWellFormed();
  return { size, preview: content.length > PREVIEW_CHARACTERS ? `${cut}...` : cut };
}

/** When a new share expires; null is never. 400 expiry.past. */
export function newExpiry(expiresAt: string | null | undefined, now: number): number | null {
  if (expiresAt == null) return null;
  const instant = Date.parse(expiresAt);
  if (instant > LAST_INSTANT) throw new Failure("body.invalid", { field: "expiresAt" });
  if (!(instant > now)) throw new Failure("expiry.past");
  return instant;
}

/** When an edited share expires: an edit form sends the old expiry back, which is no new one even when it has passed. */
export function editedExpiry(before: number | null, expiresAt: string | null | undefined, now: number): number | null {
  if (expiresAt === undefined) return before;
  if (expiresAt !== null && Date.parse(expiresAt) === before) return before;
  return newExpiry(expiresAt, now);
}
