import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Database } from "../../../src/database/database.ts";
import { memoryFolder } from "../temporary-folder.ts";
import { openTestHouse, type TestHouse } from "../test-house.ts";

/** A database on which a test can end the process: from a statement on nothing is written, read or answered any more. */
export function createMortal() {
  const stopped = Promise.withResolvers<void>();
  let left = Number.POSITIVE_INFINITY;
  const running = new Set<Promise<unknown>>();
  const noted = <Result>(result: Promise<Result>): Promise<Result> => {
    running.add(result);
    const forget = () => running.delete(result);
    result.then(forget, forget);
    return result;
  };
  const unlessStopped = <Result>(writes: number, run: () => Promise<Result>): Promise<Result> => {
    if (left < writes) {
      left = Number.NEGATIVE_INFINITY;
      stopped.resolve();
    }
    left -= writes;
    return left < 0 ? new Promise<Result>(() => undefined) : noted(run());
  };
  return {
    engine: (db: Database): Database => ({
      ...db,
      first: (query) => unlessStopped(0, () => db.first(query)),
      all: (query) => unlessStopped(0, () => db.all(query)),
      run: (query) => unlessStopped(1, () => db.run(query)),
      batch: (queries) => unlessStopped(1, () => db.batch(queries)),
    }),
    /** Lets so many more statements write. */
    allow(writes: number): void {
      left = writes;
    },
    stopped: stopped.promise,
    /** What was sent before is done, as it is long before a process has started again. */
    settled: () => Promise.allSettled(running),
  };
}

interface Crash<State> {
  /** How many statements later the next house is stopped; one unless said. */
  readonly stride?: number | undefined;
  /** As in TestHouseOptions. */
  readonly now?: number | undefined;
  /** Prepares a house. What it answers must mean something to the next house on the same folder. */
  readonly arrange: (house: TestHouse) => Promise<State>;
  /** Is stopped on its way. */
  readonly act: (house: TestHouse, state: State) => Promise<unknown>;
  /** Looks at the next house, which has been started as a server starts it. */
  readonly check: (house: TestHouse, state: State, writes: number) => Promise<void>;
}

/**
 * Runs `act` in houses of their own, each of which is stopped some writing statements later than the one before, until one gets
 * to the end. After each `check` looks at what the next start makes of the folder. Answers how often it was stopped.
 */
export async function stopAtEachWrite<State>({ arrange, act, check, stride = 1, now }: Crash<State>): Promise<number> {
  for (let writes = 0; ; writes += stride) {
    using folder = memoryFolder();
    const place = {
      file: join(folder.path, "satchel.db"),
      objects: join(folder.path, "objects"),
      ...(now !== undefined && { now }),
    };
    const mortal = createMortal();
    const first = await openTestHouse({ ...place, engine: mortal.engine });
    await first.house.start();
    const state = await arrange(first);
    mortal.allow(writes);
    const ended = act(first, state).then(() => true);
    const isOver = await Promise.race([ended, mortal.stopped.then(() => false)]);
    mortal.allow(Number.NEGATIVE_INFINITY);
    await mortal.settled();
    await settleFiles(folder.path);
    first.db.close();
    {
      await using next = await openTestHouse(place);
      await next.house.start();
      await check(next, state, writes);
    }
    if (isOver) return writes;
  }
}

/** What the process had asked of the file system before it ended is done, and asks for nothing more. */
async function settleFiles(folder: string): Promise<void> {
  for (let turn = 0; turn < 100; turn++) await stat(folder);
}
