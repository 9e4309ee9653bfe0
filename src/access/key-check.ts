/** Checks keys that somebody sends, and slows down who guesses them: by REST, WebDAV and S3 with one memory. */
import { GENERATED_KEY_CHARACTERS } from "#contract/limits";
import { limitedAddress } from "../lib/addresses.ts";
import { Lru } from "../lib/cache.ts";
import { deriveKey, mac } from "../lib/secret.ts";
import { createSingleFlight } from "../lib/turns.ts";
import type { Keys } from "./keys.ts";
import type { Limiter, Password } from "./limiter.ts";
import type { KeyCaller } from "./principal.ts";

/**
 * Returns the caller that a key from an address identifies; undefined for a wrong or expired key. 429 limit.wait. What is no key may be
 * something else that is right, which `isOther` finds out: it then counts against the address alone, and takes nothing from strangers.
 */
export type CheckKey = (
  key: string,
  address: string,
  isOther?: () => Promise<boolean>,
) => Promise<KeyCaller | undefined>;

interface KeyGuessesDeps {
  readonly limiter: Limiter;
  readonly secret: string;
}

/** The most wrong keys that are remembered. */
const MAX_WRONG = 10_000;

/**
 * Reports whether a key is too long to guess: a generated key has 190 random bits, and rejecting a wrong one costs an
 * HMAC and an indexed look-up. A chosen key may have eight characters and can be guessed like a password.
 */
export const isBeyondGuessing = (key: string): boolean => key.length >= GENERATED_KEY_CHARACTERS;

/**
 * Guesses at chosen keys. They count against the address and against all strangers together, because a network of many addresses
 * may guess. Who sends a key that has worked from an address is no stranger there, whatever protocol it worked by.
 */
export function createKeyGuesses({ limiter, secret }: KeyGuessesDeps) {
  const markKey = deriveKey(secret, "keys that have worked");
  const chosen = (key: string): Password => ({
    byAddress: "keyByAddress",
    byStrangers: "keyByStrangers",
    subject: mac(markKey, key).toString("base64url"),
  });

  return {
    /** Reports whether a key has worked from an address. */
    hasWorked: async (key: string, address: string): Promise<boolean> =>
      await limiter.knows(chosen(key), limitedAddress(address)),
    /** Remembers that a chosen key has worked from an address. */
    noteWorked: async (key: string, address: string): Promise<void> => {
      if (!isBeyondGuessing(key)) await limiter.trust(chosen(key), limitedAddress(address));
    },
    /**
     * Runs a check of a key that may be guessed. What `isOther` says is right, but no key, counts against the address alone: whoever makes
     * links could otherwise try a key with the password of each. 429 limit.wait.
     */
    async guess<Result>(
      address: string,
      run: () => Promise<Result>,
      isOther: () => Promise<boolean> = async () => false,
    ): Promise<Result> {
      const subject = limitedAddress(address);
      return await limiter.guess([{ limited: "keyByAddress", subject }], async () => {
        const found: { result?: Result } = {};
        await limiter.guess([{ limited: "keyByStrangers", subject: "all" }], async () => {
          found.result = await run();
          return found.result || (await isOther());
        });
        return found.result as Result;
      });
    },
    /** Counts what was wrong against the address alone. 429 limit.wait. */
    miss: async (address: string): Promise<void> => await limiter.miss("keyByAddress", limitedAddress(address)),
    /** 429 limit.wait when an address may guess no more. */
    check: async (address: string): Promise<void> => await limiter.check("keyByAddress", limitedAddress(address)),
    /** Names a key from an address, and tells nothing of the key. */
    markOf: (key: string, address: string): string => `${limitedAddress(address)} ${chosen(key).subject}`,
  };
}

export type KeyGuesses = ReturnType<typeof createKeyGuesses>;

/**
 * Checks keys and slows down guessing. The same wrong key counts once, so a forgotten script with an expired key does
 * not lock out its whole office. A key that has worked from an address keeps working whatever others try, and so
 * does a key that cannot be guessed; a chosen key that is new at the address waits behind the guesses.
 */
export function createKeyCheck({ keys, guesses }: { keys: Keys; guesses: KeyGuesses }): CheckKey {
  const wrong = new Lru<string, true>(MAX_WRONG);
  const once = createSingleFlight<KeyCaller | undefined>();

  return async (key, address, isOther) => {
    const mark = guesses.markOf(key, address);
    const wasWrong = wrong.get(mark) === true;
    const lookUp = () => keys.bearer(key);

    const ask = async (): Promise<KeyCaller | undefined> => {
      const isKnown = isBeyondGuessing(key) || (await guesses.hasWorked(key, address));
      if (!isKnown && !wasWrong) return await once(mark, () => guesses.guess(address, lookUp, isOther));
      if (!isKnown) await guesses.check(address);
      const bearer = await lookUp();
      if (bearer) return bearer;
      if (wasWrong) await guesses.check(address);
      else await guesses.miss(address);
      return undefined;
    };

    const bearer = await ask();
    if (!bearer) wrong.set(mark, true);
    else if (wasWrong) wrong.delete(mark);
    if (bearer) await guesses.noteWorked(key, address);
    return bearer;
  };
}
