import { Failure } from "#contract/failures";
import { NEVER } from "#contract/keys";
import { GENERATED_KEY_CHARACTERS, KEY_LIFE, MAX_KEY_CHARACTERS, MIN_KEY_CHARACTERS } from "#contract/limits";
import { cleanPath } from "#contract/paths";
import { randomText } from "../lib/secret.ts";

const CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const DIGITS = "0123456789";
const S3_NAME_CHARACTERS = 20;

/** Returns the chosen key, or a generated one without a choice. 400 key.length, key.characters. */
export function newKeyText(chosen: string | null | undefined): string {
  if (!chosen) return randomText(CAPITALS + CAPITALS.toLowerCase() + DIGITS, GENERATED_KEY_CHARACTERS);
  if (!/^[A-Za-z0-9_-]+$/.test(chosen)) throw new Failure("key.characters");
  if (chosen.length >= MIN_KEY_CHARACTERS && chosen.length <= MAX_KEY_CHARACTERS) return chosen;
  throw new Failure("key.length");
}

/** A name for signing S3 requests, in the shape that S3 tools know. */
export const newS3Name = (): string => randomText(CAPITALS + DIGITS, S3_NAME_CHARACTERS);

/** A space at the end of a folder's name is invisible, and one left by mistake would lock the key out. */
const outerSpace = /\/\s|\s(\/|$)/;

/** 400 basePath.invalid. */
export function basePathOf(path: string): string {
  const clean = cleanPath(path);
  if (clean === undefined || outerSpace.test(clean)) throw new Failure("basePath.invalid");
  return clean;
}

/** When a new key expires; null is never, undefined a day from now. 400 expiry.past. */
export function newKeyExpiry(expiresAt: string | null | undefined, now: number): number | null {
  if (expiresAt === undefined) return now + KEY_LIFE;
  if (expiresAt === null || Date.parse(expiresAt) >= Date.parse(NEVER)) return null;
  const instant = Date.parse(expiresAt);
  if (instant <= now) throw new Failure("expiry.past");
  return instant;
}

/** When an edited key expires: a form sends the old expiry back, which is no new one even when it has passed. */
export function editedKeyExpiry(
  before: number | null,
  expiresAt: string | null | undefined,
  now: number,
): number | null | undefined {
  if (expiresAt === undefined) return undefined;
  if (expiresAt !== null && Date.parse(expiresAt) === before) return before;
  return newKeyExpiry(expiresAt, now);
}
