import { Failure } from "#contract/failures";

/** When a new share expires; null is never. 400 expiry.past. */
export function newExpiry(expiresAt: string | null | undefined, now: number): number | null {
  if (expiresAt == null) return null;
  const instant = Date.parse(expiresAt);
  if (!(instant > now)) throw new Failure("expiry.past");
  return instant;
}

/** When an edited share expires: an edit form sends the old expiry back, which is no new one even when it has passed. */
export function editedExpiry(before: number | null, expiresAt: string | null | undefined, now: number): number | null {
  if (expiresAt === undefined) return before;
  if (expiresAt !== null && Date.parse(expiresAt) === before) return before;
  return newExpiry(expiresAt, now);
}

const HOUR = 3_600_000;

/** When something expires that is to last so many hours; 0 is never. */
export const expiryAfter = (hours: number, now: number): number | null => (hours === 0 ? null : now + hours * HOUR);
