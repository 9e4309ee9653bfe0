import { Failure } from "#contract/failures";

/** Bytes that all requests together hold in memory: bodies that arrive, what is made of them, and texts on their way out. */
export const TOTAL = 256 * 1024 * 1024;
/** What one client may take of it, so that nobody takes it all. */
export const SHARE = TOTAL / 2;
/**
 * What may be held of both for as long as clients take their time: bodies on their way, and archives that are read. The rest is for what is over
 * soon, so that a few who send and read slowly do not keep everybody from lists and texts.
 */
const LONG_PART = 1 / 2;
/** Bytes given back after which the collector runs. */
const COLLECTED = TOTAL / 2;
/** How long a request waits for others to give memory back, in milliseconds; and how often it is looked for one that reads slowly. */
const [PATIENCE, LOOK_EVERY] = [30_000, 1000];
/** How long somebody may read an archive before others who wait can end it, in milliseconds. */
const UNDISTURBED = 5000;

interface Waiting {
  readonly owner: string;
  readonly bytes: number;
  readonly go: () => void;
}

/** What is held until its reader has taken it, and can be ended. */
interface Reading {
  readonly owner: string;
  readonly end: () => void;
  readonly began: number;
  sent: number;
}

interface BoundOptions {
  readonly total: number;
  readonly share: number;
  /** Bytes given back after which the collector runs. */
  readonly collected: number;
  readonly elapsed: () => number;
}

/** Those who read slowly what is held for them, and are ended where others wait who hold less. */
function createReadings(heldBy: (owner: string) => number, elapsed: () => number) {
  const readings = new Set<Reading>();

  return {
    /** Follows one until the function is called that it returns. */
    follow(owner: string, end: () => void) {
      const reading: Reading = { owner, end, began: elapsed(), sent: 0 };
      readings.add(reading);
      return {
        sent(bytes: number): void {
          reading.sent += bytes;
        },
        over: () => void readings.delete(reading),
      };
    },

    /** Ends the slowest of those whose owner holds more than one who waits would then. Nobody loses the only one, however large it is. */
    endOneFor({ owner, bytes }: Pick<Waiting, "owner" | "bytes">): void {
      const now = elapsed();
      const speed = ({ sent, began }: Reading): number => sent / (now - began);
      let slowest: Reading | undefined;
      for (const [other, theirs] of Map.groupBy(readings, (one) => one.owner)) {
        if (theirs.length === 1 || heldBy(other) <= heldBy(owner) + bytes) continue;
        for (const one of theirs) {
          if (now - one.began < UNDISTURBED) continue;
          if (!slowest || speed(one) < speed(slowest)) slowest = one;
        }
      }
      if (!slowest) return;
      readings.delete(slowest);
      slowest.end();
    },
  };
}

/**
 * Counts the bytes that are held, of all together and of each owner, and has those wait for whom there is no room. The collector runs whenever so
 * many were given back.
 */
function createBound({ total, share, collected, elapsed }: BoundOptions) {
  const owners = new Map<string, number>();
  const waiting = new Set<Waiting>();
  let held = 0;
  /** Bytes that were given back since the last collection. */
  let given = 0;

  /** Left to itself the collector comes late, because few objects hang on much memory: 200 texts of 10 MB took 740 MB instead of 300. */
  const collect = (): void => {
    given = 0;
    setImmediate(() => Bun.gc(true));
  };

  const fits = ({ owner, bytes }: Pick<Waiting, "owner" | "bytes">): boolean =>
    held + bytes <= total && (owners.get(owner) ?? 0) + bytes <= share;

  const add = (owner: string, bytes: number): void => {
    held += bytes;
    const own = (owners.get(owner) ?? 0) + bytes;
    if (own === 0) owners.delete(owner);
    else owners.set(owner, own);
  };

  const heldBy = (owner: string): number => owners.get(owner) ?? 0;
  const readings = createReadings(heldBy, elapsed);

  /** Who goes on next: of those for whom there is room the first who holds least. */
  const next = (): Waiting | undefined => {
    let least: Waiting | undefined;
    for (const one of waiting) if (fits(one) && (!least || heldBy(one.owner) < heldBy(least.owner))) least = one;
    return least;
  };

  /** Lets those go on for whom there is room now. */
  const admit = (): void => {
    for (let one = next(); one; one = next()) {
      waiting.delete(one);
      add(one.owner, one.bytes);
      one.go();
    }
  };

  /** 503 server.busy for whoever waits too long. */
  const take = async (owner: string, bytes: number): Promise<void> => {
    if (fits({ owner, bytes })) return add(owner, bytes);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const one = { owner, bytes, go: resolve };
    waiting.add(one);
    const timer = setTimeout(() => waiting.delete(one) && reject(new Failure("server.busy")), PATIENCE);
    const looking = setInterval(readings.endOneFor, LOOK_EVERY, one);
    readings.endOneFor(one);
    await promise.finally(() => {
      clearTimeout(timer);
      clearInterval(looking);
    });
  };

  const giveBack = (owner: string, bytes: number): void => {
    if (bytes === 0) return;
    add(owner, -bytes);
    given += bytes;
    if (given >= collected) collect();
    admit();
  };

  return { take, giveBack, follow: readings.follow };
}

export const createBounds = (total: number, share: number, elapsed: () => number) => ({
  all: createBound({ total, share, collected: COLLECTED, elapsed }),
  share,
  long: createBound({
    total: total * LONG_PART,
    share: share * LONG_PART,
    collected: Number.POSITIVE_INFINITY,
    elapsed,
  }),
  longShare: share * LONG_PART,
});
