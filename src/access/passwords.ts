import { Failure } from "#contract/failures";
import { deriveKey, mac } from "../lib/secret.ts";
import { createTurns } from "../lib/turns.ts";

/** One-way passwords. Checks take turns, because each holds a core and some memory for a while. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** `before` runs when the turn has come and may refuse it: a limit must see the misses of those ahead in the queue. */
  verify(password: string, hash: string, before?: () => void): Promise<boolean>;
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
    verify: (password, hash, before) =>
      inTurn(async () => {
        before?.();
        return await Bun.password.verify(prepare(password), hash);
      }),
  };
}

/** For the account: argon2id at 64 MiB and two passes, at most two checks at once. */
export const accountPasswords = (): Passwords =>
  createPasswords({ memoryCost: 65_536, timeCost: 2 }, 2, (password) => password);

/**
 * For shares: argon2id at 8 MiB and two passes over an HMAC with a key of the server, so that a copied database alone
 * does not let anybody try passwords.
 */
export function sharePasswords(secret: string): Passwords {
  const key = deriveKey(secret, "share passwords");
  return createPasswords({ memoryCost: 8192, timeCost: 2 }, 2, (password) => mac(key, password).toString("base64"));
}
