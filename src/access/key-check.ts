import { createHash } from "node:crypto";
import { limitedAddress } from "../lib/addresses.ts";
import { Lru } from "../lib/lru.ts";
import type { Keys } from "./keys.ts";
import type { Limiter } from "./limiter.ts";
import type { KeyCaller } from "./principal.ts";

/** Who calls with a key from an address; undefined when the key is wrong or has expired. 429 limit.wait. */
export type CheckKey = (key: string, address: string) => Promise<KeyCaller | undefined>;

const MOST_SEEN = 10_000;

/**
 * Checks keys, slowing down who guesses. The same wrong key again is no further guess, so a forgotten script with an expired
 * key does not lock out its whole office; and a key that has worked from an address keeps working whatever others there try.
 */
export function createKeyCheck({ keys, limiter }: { keys: Keys; limiter: Limiter }): CheckKey {
  const seen = new Lru<string, "right" | "wrong">(MOST_SEEN);

  return async (key, callerAddress) => {
    const address = limitedAddress(callerAddress);
    const guess = `${address} ${createHash("sha256").update(key).digest("base64url")}`;
    const before = seen.get(guess);
    if (before !== "right") limiter.check("keyByAddress", address);
    const bearer = await keys.bearer(key);
    if (!bearer && before !== "wrong") limiter.miss("keyByAddress", address);
    seen.set(guess, bearer ? "right" : "wrong");
    return bearer;
  };
}
