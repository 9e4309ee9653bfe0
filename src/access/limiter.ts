import { Failure } from "#contract/failures";
import type { Clock } from "../lib/clock.ts";
import { Lru } from "../lib/lru.ts";

/** How many misses one subject may have within a window. */
export interface Allowance {
  readonly misses: number;
  /** Milliseconds. */
  readonly window: number;
}

const minutes = (count: number) => count * 60_000;

/**
 * The product's allowances: tight per address, wide per account and share, where many addresses guess together. Whoever
 * knows the account's password from before is not kept out by those others: see `trust`.
 */
export const allowances = {
  loginByAddress: { misses: 10, window: minutes(10) },
  loginByAccount: { misses: 100, window: minutes(10) },
  keyByAddress: { misses: 30, window: minutes(10) },
  sharePasswordByAddress: { misses: 20, window: minutes(10) },
  sharePasswordByShare: { misses: 200, window: minutes(10) },
  missingShareByAddress: { misses: 60, window: minutes(1) },
} as const satisfies Record<string, Allowance>;

export type Limited = keyof typeof allowances;

/** What one check of a secret counts against. */
export interface Counted {
  readonly limited: Limited;
  readonly subject: string;
}

/** The limit of one check: may it be made, and it missed. */
export interface Limit {
  /** Throws limit.wait. */
  check(): void;
  miss(): void;
}

interface Window {
  misses: number;
  readonly endsAt: number;
}

/** Counts misses in memory, at most 100,000 subjects at a time; the longest unseen are forgotten first. */
export function createLimiter(clock: Clock) {
  const windows = new Lru<string, Window>(100_000);
  const trusted = new Lru<string, true>(1000);

  const open = (key: string): Window | undefined => {
    const window = windows.get(key);
    return window && window.endsAt > clock() ? window : undefined;
  };

  const check = (limited: Limited, subject: string): void => {
    const window = open(`${limited} ${subject}`);
    if (!window || window.misses < allowances[limited].misses) return;
    throw new Failure("limit.wait", { seconds: Math.ceil((window.endsAt - clock()) / 1000) });
  };

  const miss = (limited: Limited, subject: string): void => {
    const key = `${limited} ${subject}`;
    const window = open(key);
    if (window) window.misses += 1;
    else windows.set(key, { misses: 1, endsAt: clock() + allowances[limited].window });
  };

  return {
    /** Throws limit.wait when the subject has used up its allowance. */
    check,
    miss,
    of: (counted: readonly Counted[]): Limit => ({
      check() {
        for (const { limited, subject } of counted) check(limited, subject);
      },
      miss() {
        for (const { limited, subject } of counted) miss(limited, subject);
      },
    }),
    /** Remembers an address that proved itself, 1,000 at most. */
    trust: (address: string) => trusted.set(address, true),
    trusts: (address: string) => trusted.get(address) === true,
  };
}

export type Limiter = ReturnType<typeof createLimiter>;
