/**
 * Hashes of passwords that another program has made. They come with an import, and so from a file that anybody may have written: what a check
 * of one would cost is bounded before it is kept.
 */

/** Stands before such a hash where it is kept: it is one of the password itself, ours are of its MAC. */
const MARK = "foreign:";

/** Argon2 in the form of the PHC, with 8 to 64 bytes of salt and 16 to 64 of hash. */
const shape =
  /^\$argon2(?:id|i|d)\$v=19\$m=(\d{1,6}),t=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

/** Kibibytes, passes, and lanes: what the library of most programs takes by itself is 65536, 3 and 4. */
const MOST = { memory: 65_536, passes: 8, lanes: 16 };

/** Whether a text is Base64 as every encoder writes it: a check of another one throws, and does not say that the password is wrong. */
const isBase64 = (text: string): boolean => Buffer.from(text, "base64").toString("base64").replaceAll("=", "") === text;

/** A hash as it is kept, to be checked here like our own; undefined for one that is no Argon2 or costs more than a check may. */
export function keptForeignHash(hash: string): string | undefined {
  const [, ...fields] = shape.exec(hash) ?? [];
  const [memory, passes, lanes] = fields.slice(0, 3).map(Number);
  if (memory === undefined || passes === undefined || lanes === undefined) return undefined;
  if (!fields.slice(3).every(isBase64)) return undefined;
  const isBounded = memory <= MOST.memory && passes <= MOST.passes && lanes <= MOST.lanes;
  return isBounded && passes >= 1 && lanes >= 1 && memory >= 8 * lanes ? MARK + hash : undefined;
}

/** The hash that is kept as a foreign one; undefined for one of ours. */
export const foreignHash = (kept: string): string | undefined =>
  kept.startsWith(MARK) ? kept.slice(MARK.length) : undefined;
