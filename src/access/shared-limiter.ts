/** The limits on guesses when several servers check them: what one server counts holds for all. */
import { Failure } from "#contract/failures";
import type { Cluster } from "../database/cluster.ts";
import { Lru } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import { guessesTable, knownAddressesTable, type Misses } from "./guesses-table.ts";
import {
  type AddressKind,
  allowances,
  type Counted,
  createLimiter,
  keyOf,
  type Limited,
  type Limiter,
  type Password,
} from "./limiter.ts";

interface SharedLimiterDeps {
  readonly cluster: Pick<Cluster, "db" | "now">;
  readonly clock: Clock;
  readonly sleep?: (milliseconds: number) => Promise<void>;
}

/** Milliseconds until a check looks again whether those in flight have left it a place, and how often it does. */
const PAUSE = 50;
const LOOKS = 200;
/** Seconds after which a guess may be repeated that found no place. */
const SOON = 1;
/** Milliseconds that a known address stays known without a use. */
const KNOWN_FOR = 30 * 24 * 60 * 60_000;
/** Milliseconds after which a server notes the next use of a known address. */
const NOTED_EVERY = 24 * 60 * 60_000;
const MAX_KNOWN = 10_000;

/**
 * Misses that are counted only when they have happened: looking for a link that is there must cost nothing more. Of very many
 * at once as many may miss on each server as on one alone.
 */
const afterwards: readonly Limited[] = ["missingShareByAddress"];

/**
 * Takes a place in the database before each check, so that of many on all servers no more than allowed learn that they were wrong.
 * The limiter of this server stands before it, and keeps most of those who must wait from asking the database.
 */
export function createSharedLimiter({ cluster, clock, sleep = Bun.sleep }: SharedLimiterDeps) {
  const here = createLimiter(clock);
  const table = guessesTable(cluster.db, cluster.now);
  const known = knownAddressesTable(cluster.db, cluster.now);
  /** By `clock`, when this server noted a use last; an address that another noted counts as long ago. */
  const seen = new Lru<string, number>(MAX_KNOWN);

  const refuse = (counted: Counted, found: Misses): never => {
    here.learn(counted, found);
    throw new Failure("limit.wait", { seconds: Math.ceil(found.left / 1000) });
  };
  const isUsedUp = ({ limited }: Counted, found: Misses | undefined): found is Misses =>
    found !== undefined && found.misses >= allowances[limited].misses;

  const enter = async (counted: Counted): Promise<void> => {
    const name = keyOf(counted);
    for (let look = 0; look < LOOKS; look++) {
      if (await table.enter(name, allowances[counted.limited])) return;
      const found = await table.read(name);
      if (isUsedUp(counted, found)) refuse(counted, found);
      await sleep(PAUSE);
    }
    throw new Failure("limit.wait", { seconds: SOON });
  };

  const countMiss = async (counted: Counted): Promise<void> => {
    const found = await table.miss(keyOf(counted), allowances[counted.limited]);
    if (found) return here.learn(counted, found);
    const used = await table.read(keyOf(counted));
    if (used) refuse(counted, used);
  };

  const reserved = async <Result>(counted: readonly Counted[], run: () => Promise<Result>): Promise<Result> => {
    const [first, ...rest] = counted;
    if (!first) return await run();
    await enter(first);
    let missed = false;
    try {
      const result = await reserved(rest, run);
      missed = !result;
      return result;
    } finally {
      await table.leave(keyOf(first), missed, allowances[first.limited].window);
    }
  };

  const guess = async <Result>(counted: readonly Counted[], run: () => Promise<Result>): Promise<Result> => {
    const later = counted.filter(({ limited }) => afterwards.includes(limited));
    const before = counted.filter(({ limited }) => !afterwards.includes(limited));
    const result = await here.guess(counted, () => reserved(before, run));
    if (!result) for (const one of later) await countMiss(one);
    return result;
  };

  const nameOf = ({ byStrangers, subject }: Password, address: string) => `${byStrangers} ${subject} ${address}`;

  const isKnown = async (password: Password, address: string): Promise<boolean> => {
    const name = nameOf(password, address);
    if (seen.get(name) !== undefined) return true;
    if (!(await known.has(name))) return false;
    seen.set(name, Number.NEGATIVE_INFINITY);
    return true;
  };

  const trust = async (password: Password, address: string): Promise<void> => {
    const name = nameOf(password, address);
    const now = clock();
    if (now - (seen.get(name) ?? Number.NEGATIVE_INFINITY) < NOTED_EVERY) return;
    await known.add(name);
    seen.set(name, now);
  };

  const limiter: Limiter = {
    async check(limited, subject) {
      here.check(limited, subject);
      if (afterwards.includes(limited)) return;
      const found = await table.read(keyOf({ limited, subject }));
      if (isUsedUp({ limited, subject }, found)) refuse({ limited, subject }, found);
    },
    async miss(limited, subject) {
      here.check(limited, subject);
      await countMiss({ limited, subject });
    },
    guess,
    async guessPassword(password: Password, address: string, run: (who: AddressKind) => Promise<boolean>) {
      const { byAddress, byStrangers, subject } = password;
      const own = { limited: byAddress, subject: address };
      const right = (await isKnown(password, address))
        ? await guess([own], () => run("known"))
        : await guess([own, { limited: byStrangers, subject }], () => run("stranger"));
      if (right) await trust(password, address);
      return right;
    },
    knows: isKnown,
    trust,
  };

  return {
    limiter,
    /** Forgets windows that have ended, and addresses that were not seen for long; returns how many. */
    sweep: async (): Promise<number> => (await table.removeEnded()) + (await known.removeUnused(KNOWN_FOR)),
  };
}
