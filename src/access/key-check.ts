import { createHash } from "node:crypto";
import { GENERATED_KEY_CHARACTERS } from "#contract/limits";
import { limitedAddress } from "../lib/addresses.ts";
import { Lru } from "../lib/cache.ts";
import type { Keys } from "./keys.ts";
import type { Limiter } from "./limiter.ts";
import type { KeyCaller } from "./principal.ts";

/** Returns the caller that a key from an address identifies; undefined for a wrong or expired key. 429 limit.wait. */
export type CheckKey = (key: string, address: string) => Promise<KeyCaller | undefined>;

const MOST_SEEN = 10_000;

/**
 * Whether a key is too long to be found by trying: a generated one has 190 random bits, and finding out that one is wrong
 * costs an HMAC and an indexed look-up. Keys that somebody chose may have eight characters, and can be guessed like passwords.
 */
const isBeyondGuessing = (key: string): boolean => key.length >= GENERATED_KEY_CHARACTERS;

/**
 * Checks keys and slows down guessing. The same wrong key counts once, so a forgotten script with an expired key does not
 * lock out its whole office. A key that has worked from an address keeps working whatever others there try, and so does
 * one that nobody can guess; a short key that is new at the address waits behind the guesses.
 */
export function createKeyCheck({ keys, limiter }: { keys: Keys; limiter: Limiter }): CheckKey {
  const seen = new Lru<string, "right" | "wrong">(MOST_SEEN);

  return async (key, callerAddress) => {
    const address = limitedAddress(callerAddress);
    const mark = `${address} ${createHash("sha256").update(key).digest("base64url")}`;
    const before = seen.get(mark);
    const counted = { limited: "keyByAddress", subject: address } as const;
    const lookUp = () => keys.bearer(key);

    const ask = async (): Promise<KeyCaller | undefined> => {
      if (before === undefined && !isBeyondGuessing(key)) return await limiter.guess([counted], lookUp);
      if (before === "wrong" && !isBeyondGuessing(key)) limiter.check("keyByAddress", address);
      const bearer = await lookUp();
      if (bearer) return bearer;
      if (before === "wrong") limiter.check("keyByAddress", address);
      else limiter.miss("keyByAddress", address);
      return undefined;
    };

    const bearer = await ask();
    seen.set(mark, bearer ? "right" : "wrong");
    return bearer;
  };
}
