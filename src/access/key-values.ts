import { Failure } from "#contract/failures";
import { basePathOf, keyProblem } from "#contract/key-rules";
import { NEVER } from "#contract/keys";
import { GENERATED_KEY_CHARACTERS, KEY_LIFE } from "#contract/limits";
import { randomText } from "../lib/secret.ts";

const CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const DIGITS = "0123456789";
const S3_NAME_CHARACTERS = 20;

/** Returns the chosen key, or a generated one without a choice. 400 key.length, key.characters. */
export function newKeyText(chosen: string | null | undefined): string {
  if (!chosen) return randomText(CAPITALS + CAPITALS.toLowerCase() + DIGITS, GENERATED_KEY_CHARACTERS);
  const problem = keyProblem(chosen);
  if (problem) throw new Failure(problem);
  return chosen;
}

/** Returns a random access key id for S3 requests, in the shape that S3 tools expect. */
export const newS3Name = (): string => randomText(CAPITALS + DIGITS, S3_NAME_CHARACTERS);

/** 400 basePath.invalid. */
export function newBasePath(path: string): string {
  const clean = basePathOf(path);
  if (clean === undefined) throw new Failure("basePath.invalid");
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
