import { Failure } from "#contract/failures";
import { SOURCE_REQUESTS, SOURCE_WINDOW, VISITOR_CREATIONS, VISITOR_WINDOW } from "#contract/limits";
import { Lru } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import type { Allowance } from "./guesses-table.ts";
import type { Principal } from "./principal.ts";

const minutes = (count: number) => count * 60_000;

/**
 * The product's allowances: tight per address, wide for all strangers together who guess at the account, at keys or at one share.
 * A known address is no stranger: see `trust`. A share's is wide enough that a few addresses do not close
 * it to everybody else; what guessing costs the server is bounded by the turns that checks take.
 */
export const allowances = {
  loginByAddress: { misses: 10, window: minutes(10) },
  loginByAccount: { misses: 100, window: minutes(10) },
  keyByAddress: { misses: 30, window: minutes(10) },
  keyByStrangers: { misses: 200, window: minutes(10) },
  sharePasswordByAddress: { misses: 20, window: minutes(10) },
  sharePasswordByShare: { misses: 2000, window: minutes(10) },
  visitorCreations: { misses: VISITOR_CREATIONS, window: VISITOR_WINDOW },
  sourceRequests: { misses: SOURCE_REQUESTS, window: SOURCE_WINDOW },
  missingShareByAddress: { misses: 60, window: minutes(1) },
} as const satisfies Record<string, Allowance>;

export type Limited = keyof typeof allowances;

/** The most known addresses that are kept, of the account, of all chosen keys and of all shares: opening many shares pushes no administrator out. */
export const MAX_KNOWN = { loginByAccount: 1000, keyByStrangers: 10_000, sharePasswordByShare: 10_000 } as const;

/** The subject that a guess counts against. */
export interface Counted {
  readonly limited: Limited;
  readonly subject: string;
}

/** A password at which many addresses may guess together. */
export interface Password {
  readonly byAddress: Limited;
  readonly byStrangers: keyof typeof MAX_KNOWN;
  /** The account, the id of a share, or an HMAC of a key. */
  readonly subject: string;
}

/** A known address has given the right password before; any other is a stranger. */
export type AddressKind = "known" | "stranger";

export const keyOf = ({ limited, subject }: Counted): string => `${limited} ${subject}`;

/** Counts misses. */
export interface Counter {
  /** Throws limit.wait when the subject has used up its allowance. */
  check(limited: Limited, subject: string): Promise<void> | void;
  /** Counts a miss, or one creation, or throws limit.wait when the subject has used up its allowance. */
  miss(limited: Limited, subject: string): Promise<void> | void;
  /**
   * Runs a check that counts as a miss unless its result is truthy. It takes a place before it starts, so that of many at once
   * no more than allowed learn that they were wrong. It waits, and is not refused, while checks in flight may still be right.
   * A check that throws counts for nothing. 429 limit.wait.
   */
  guess<Result>(counted: readonly Counted[], run: () => Promise<Result>): Promise<Result>;
}

/** Counts that a visitor makes something; whoever has a credential makes what they like. 429 limit.wait. */
export const countCreation = async ({ miss }: Pick<Counter, "miss">, caller: Principal): Promise<void> => {
  if (caller.kind === "key" && caller.isVisitor) await miss("visitorCreations", caller.network ?? "");
};

/** From which addresses a password has been right before. */
export interface Known {
  /** Reports whether an address is a known address of a password. */
  knows(password: Password, address: string): Promise<boolean>;
  /** Makes an address a known address of a password. */
  trust(password: Password, address: string): Promise<void>;
}

/** The limits on guesses. */
export interface Limiter extends Counter, Known {
  /**
   * Checks a password sent from an address. All strangers share one allowance besides their own, so their guesses
   * never lock out a known address. 429 limit.wait.
   */
  guessPassword(password: Password, address: string, run: (who: AddressKind) => Promise<boolean>): Promise<boolean>;
}

interface Window {
  misses: number;
  readonly endsAt: number;
}

/** The guesses of one subject that are in flight, and those that wait for them. */
interface InFlight {
  guesses: number;
  readonly waiting: (() => void)[];
}

const MAX_WAITING = 1000;
/** Seconds after which a guess may be repeated that found the queue full. */
const SOON = 1;

/** Counts misses in memory, at most 100,000 subjects at a time; the longest unseen are forgotten first. */
export function createCounter(clock: Clock) {
  const windows = new Lru<string, Window>(100_000);
  const inFlight = new Map<string, InFlight>();

  const open = (key: string): Window | undefined => {
    const window = windows.get(key);
    return window && window.endsAt > clock() ? window : undefined;
  };

  /** How many more may miss. Throws limit.wait when the subject has used up its allowance. */
  const left = (counted: Counted): number => {
    const window = open(keyOf(counted));
    const { misses } = allowances[counted.limited];
    if (!window) return misses;
    if (window.misses < misses) return misses - window.misses;
    throw new Failure("limit.wait", { seconds: Math.ceil((window.endsAt - clock()) / 1000) });
  };

  const count = (counted: Counted): void => {
    const window = open(keyOf(counted));
    if (window) window.misses += 1;
    else windows.set(keyOf(counted), { misses: 1, endsAt: clock() + allowances[counted.limited].window });
  };

  /** Takes a place that a miss will use up; waits while guesses in flight hold all that are left. */
  const enter = async (counted: Counted): Promise<void> => {
    const key = keyOf(counted);
    for (;;) {
      const free = left(counted);
      const here = inFlight.get(key) ?? { guesses: 0, waiting: [] };
      if (here.guesses < free) {
        here.guesses += 1;
        inFlight.set(key, here);
        return;
      }
      if (here.waiting.length >= MAX_WAITING) throw new Failure("limit.wait", { seconds: SOON });
      await new Promise<void>((resolve) => here.waiting.push(resolve));
    }
  };

  const freePlaces = (counted: Counted, { guesses }: InFlight): number => {
    const window = open(keyOf(counted));
    const free = allowances[counted.limited].misses - (window?.misses ?? 0);
    // When none is left those who wait are let go on, to be refused.
    return free > 0 ? free - guesses : Number.POSITIVE_INFINITY;
  };

  const leave = (counted: Counted, missed: boolean): void => {
    const key = keyOf(counted);
    const here = inFlight.get(key);
    if (!here) return;
    here.guesses -= 1;
    if (missed) count(counted);
    const next = here.waiting.splice(0, freePlaces(counted, here));
    if (here.guesses === 0 && here.waiting.length === 0) inFlight.delete(key);
    for (const go of next) go();
  };

  const guess = async <Result>(counted: readonly Counted[], run: () => Promise<Result>): Promise<Result> => {
    const [first, ...rest] = counted;
    if (!first) return await run();
    await enter(first);
    let missed = false;
    try {
      const result = await guess(rest, run);
      missed = !result;
      return result;
    } finally {
      leave(first, missed);
    }
  };

  return {
    check: (limited: Limited, subject: string): void => void left({ limited, subject }),
    miss(limited: Limited, subject: string): void {
      left({ limited, subject });
      count({ limited, subject });
    },
    guess,
    /** Takes over what others have counted, which ends in so many milliseconds. */
    learn(counted: Counted, { misses, left }: { readonly misses: number; readonly left: number }): void {
      const window = open(keyOf(counted));
      if (!window || misses > window.misses) windows.set(keyOf(counted), { misses, endsAt: clock() + left });
    },
  } satisfies Counter & { learn: unknown };
}

/** Limits guesses by what is counted of them, and by who is known. */
export function createLimiter(counter: Counter, { knows, trust }: Known): Limiter {
  const { check, miss, guess } = counter;
  return {
    check,
    miss,
    guess,
    async guessPassword(password, address, run) {
      const { byAddress, byStrangers, subject } = password;
      const own = { limited: byAddress, subject: address };
      const right = (await knows(password, address))
        ? await guess([own], () => run("known"))
        : await guess([own, { limited: byStrangers, subject }], () => run("stranger"));
      if (right) await trust(password, address);
      return right;
    },
    knows,
    trust,
  };
}
