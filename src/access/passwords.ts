import { Failure } from "#contract/failures";
import { deriveKey, mac } from "../lib/secret.ts";
import { createSemaphore } from "../lib/turns.ts";
import { foreignHash } from "./foreign-hashes.ts";
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

/** Has one task of known addresses run at once, and so many of strangers. */
function createInTurn(strangers: number) {
  const semaphores = { known: createSemaphore(1, MAX_WAITING), stranger: createSemaphore(strangers, MAX_WAITING) };
  return async <Result>(who: AddressKind, task: () => Promise<Result>): Promise<Result> => {
    const done = await semaphores[who].run(task);
    if (!done) throw new Failure("server.busy");
    return done.result;
  };
}

function createPasswords(cost: Cost, strangers: number, prepare: (password: string) => string): Passwords {
  const inTurn = createInTurn(strangers);
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
 * does not let anybody try passwords. Hashes that an import has brought are checked as the other program did, with up to 64 MiB each and so
 * one at a time, until somebody says the password and it is hashed anew.
 */
export function sharePasswords(secret: string): Passwords {
  const key = deriveKey(secret, "share passwords");
  const own = createPasswords({ memoryCost: 8192, timeCost: 2 }, 2, (password) =>
    mac(key, password).toString("base64"),
  );
  const inTurn = createInTurn(1);
  return {
    hash: own.hash,
    verify: (password, hash, who) => {
      const foreign = foreignHash(hash);
      return foreign === undefined
        ? own.verify(password, hash, who)
        : inTurn(who, () => Bun.password.verify(password, foreign));
    },
  };
}
