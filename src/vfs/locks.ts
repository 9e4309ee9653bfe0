import { Failure } from "#contract/failures";
import { within } from "#contract/paths";
import type { Clock } from "../lib/clock.ts";

/** An exclusive write lock (RFC 4918 section 6). */
interface Lock {
  /** A URI that nobody guesses. */
  readonly token: string;
  /** A clean path in Unicode NFC. */
  readonly path: string;
  /** Whether all that lies below is locked too. */
  readonly deep: boolean;
  /** Who holds it, as records name them. */
  readonly holder: string;
  /** What the client said about its owner. */
  readonly note: string;
  /** Milliseconds that it lasts from each refresh on. */
  readonly life: number;
  /** Epoch milliseconds. */
  readonly until: number;
}

export type NewLock = Pick<Lock, "path" | "deep" | "holder" | "note" | "life">;

/** What somebody is about to change. */
interface Touching {
  readonly path: string;
  /** Whether all that lies below is changed too. */
  readonly deep: boolean;
  /** Tokens that the request names. */
  readonly tokens: readonly string[];
}

/** Locks that exist at once. */
const MOST_LOCKS = 10_000;

/** Locks that bind every write of the tree, whichever front it comes from; kept in memory, as they are short. */
export function createPathLocks(clock: Clock) {
  const locks = new Map<string, Lock>();

  const living = (): Lock[] => {
    const now = clock();
    for (const lock of locks.values()) if (lock.until <= now) locks.delete(lock.token);
    return [...locks.values()];
  };

  /** Those that a change at a path meets. */
  const meeting = ({ path, deep }: Pick<Touching, "path" | "deep">): Lock[] =>
    locks.size === 0
      ? []
      : living().filter(
          (lock) => lock.path === path || (lock.deep && within(lock.path, path)) || (deep && within(path, lock.path)),
        );

  return {
    /** 423 path.locked, 503 server.busy. */
    acquire(request: NewLock): Lock {
      if (meeting(request).length > 0) throw new Failure("path.locked");
      if (locks.size >= MOST_LOCKS) throw new Failure("server.busy");
      const lock = { ...request, token: `opaquelocktoken:${crypto.randomUUID()}`, until: clock() + request.life };
      locks.set(lock.token, lock);
      return lock;
    },

    /** Lets a lock last anew; undefined when there is none of this token on the path. */
    refresh(token: string, path: string, life: number): Lock | undefined {
      const lock = meeting({ path, deep: false }).find((one) => one.token === token);
      if (!lock) return undefined;
      const renewed = { ...lock, life, until: clock() + life };
      locks.set(token, renewed);
      return renewed;
    },

    /** Answers whether there was such a lock on the path. */
    release(token: string, path: string): boolean {
      return meeting({ path, deep: false }).some((one) => one.token === token) && locks.delete(token);
    },

    /** The locks that hold at a path. */
    at: (path: string): Lock[] => meeting({ path, deep: false }),

    /** 423 path.locked unless the request names the token of each lock that it meets. */
    demandFree(touching: Touching): void {
      if (meeting(touching).some(({ token }) => !touching.tokens.includes(token))) throw new Failure("path.locked");
    },

    /** What is gone needs no lock. */
    drop(path: string): void {
      for (const lock of living()) if (within(path, lock.path)) locks.delete(lock.token);
    },
  };
}

export type PathLocks = ReturnType<typeof createPathLocks>;
