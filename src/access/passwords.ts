import { Failure } from "#contract/failures";
import { deriveKey, mac } from "../lib/secret.ts";
import { createTurns } from "../lib/turns.ts";
import type { Limit } from "./limiter.ts";

/** One-way passwords. Checks take turns, because each holds a core and some memory for a while. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** The limit is asked and told within the turn, so that it knows the misses of all who were ahead in the queue. */
  verify(password: string, hash: string, limit: Limit): Promise<boolean>;
}

interface Cost {
  /** Kibibytes. */
  readonly memoryCost: number;
  readonly timeCost: number;
}

function createPasswords(cost: Cost, width: number, prepare: (password: string) => string): Passwords {
  const turns = createTurns(width, 2000);
  const inTurn = async <Result>(task: () => Promise<Result>): Promise<Result> => {
    const done = await turns.run(task);
    if (!done) throw new Failure("server.busy");
    return done.result;
  };
  return {
    hash: (password) => inTurn(() => Bun.password.hash(prepare(password), { algorithm: "argon2id", ...cost })),
    verify: (password, hash, limit) =>
      inTurn(async () => {
        limit.check();
        const right = await Bun.password.verify(prepare(password), hash);
        if (!right) limit.miss();
        return right;
      }),
  };
}

/**
 * For the account: argon2id at 19 MiB and three passes (above OWASP's 19 MiB and two), at most two checks at once. Bun's
 * default of 64 MiB would stay with the process after the first sign-in and double what it holds when idle.
 */
export const accountPasswords = (): Passwords =>
  createPasswords({ memoryCost: 19_456, timeCost: 3 }, 2, (password) => password);

/**
 * For shares: argon2id at 8 MiB and two passes over an HMAC with a key of the server, so that a copied database alone
 * does not let anybody try passwords.
 */
export function sharePasswords(secret: string): Passwords {
  const key = deriveKey(secret, "share passwords");
  return createPasswords({ memoryCost: 8192, timeCost: 2 }, 2, (password) => mac(key, password).toString("base64"));
}
