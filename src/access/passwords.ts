import { Failure } from "#contract/failures";
import { deriveKey, mac } from "../lib/secret.ts";
import { createSemaphore } from "../lib/turns.ts";
import type { AddressKind } from "./limiter.ts";

/**
 * Hashes of passwords. Checks take turns, because each holds a core and some memory for a while. Strangers and known
 * addresses have queues of their own, so a flood of guesses does not delay known addresses. 503 server.busy.
 */
export interface Passwords {
  hash(password: string): Promise<string>;
  verify(password: string, hash: string, who: AddressKind): Promise<boolean>;
}

interface Cost {
  /** Kibibytes. */
  readonly memoryCost: number;
  readonly timeCost: number;
}

const MAX_WAITING = 2000;

function createPasswords(cost: Cost, strangers: number, prepare: (password: string) => string): Passwords {
  const semaphores = { known: createSemaphore(1, MAX_WAITING), stranger: createSemaphore(strangers, MAX_WAITING) };
  const inTurn = async <Result>(who: AddressKind, task: () => Promise<Result>): Promise<Result> => {
    const done = await semaphores[who].run(task);
    if (!done) throw new Failure("server.busy");
    return done.result;
  };
  return {
    // Only those who are signed in, or may share, have passwords to keep.
    hash: (password) => inTurn("known", () => Bun.password.hash(prepare(password), { algorithm: "argon2id", ...cost })),
    verify: (password, hash, who) => inTurn(who, () => Bun.password.verify(prepare(password), hash)),
  };
}

/**
 * For the account: argon2id at 19 MiB and three passes (above OWASP's 19 MiB and two), at most two checks at once.
 * Bun's default of 64 MiB would stay with the process after the first sign-in and double its idle memory.
 */
export const accountPasswords = (): Passwords =>
  createPasswords({ memoryCost: 19_456, timeCost: 3 }, 1, (password) => password);

/**
 * For shares: argon2id at 8 MiB and two passes over an HMAC with a key of the server, so that a copied database alone
 * does not let anybody try passwords.
 */
export function sharePasswords(secret: string): Passwords {
  const key = deriveKey(secret, "share passwords");
  return createPasswords({ memoryCost: 8192, timeCost: 2 }, 2, (password) => mac(key, password).toString("base64"));
}
