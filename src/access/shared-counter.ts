/** Counts misses when several servers check guesses: what one server counts holds for all. */
import { Failure } from "#contract/failures";
import type { Cluster } from "../cluster/cluster.ts";
import type { Clock } from "../lib/clock.ts";
import { guessesTable, type Misses } from "./guesses-table.ts";
import { allowances, type Counted, type Counter, createCounter, keyOf, type Limited } from "./limiter.ts";

interface SharedCounterDeps {
  readonly cluster: Pick<Cluster, "db" | "now">;
  readonly clock: Clock;
}

/** Milliseconds until a check looks again whether those in flight have left it a place, and how often it does. */
const PAUSE = 50;
const LOOKS = 200;
/** Seconds after which a guess may be repeated that found no place. */
const SOON = 1;
/**
 * Misses that are counted only when they have happened: looking for a link that is there must cost nothing more. Of very many
 * at once as many may miss on each server as on one alone.
 */
const afterwards: readonly Limited[] = ["missingShareByAddress"];

/**
 * Takes a place in the database before each check, so that of many on all servers no more than allowed learn that they were wrong.
 * The counter of this server stands before it, and keeps most of those who must wait from asking the database.
 */
export function createSharedCounter({ cluster, clock }: SharedCounterDeps) {
  const here = createCounter(clock);
  const table = guessesTable(cluster.db, cluster.now);

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
      await Bun.sleep(PAUSE);
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

  const counter: Counter = {
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
  };

  return {
    ...counter,
    /** Forgets windows that have ended; returns how many. */
    sweep: table.removeEnded,
  };
}
