import { Failure } from "#contract/failures";
import { limitedAddress } from "../lib/addresses.ts";
import { sized, takeText } from "../lib/counting.ts";
import { type Coding, codingOf, LEAST_PACKED, packedAs, packedStream, packedText } from "../lib/packing.ts";
import type { Transfers } from "../transfers/transfers.ts";

/** Bytes that all requests together hold in memory: bodies that arrive, what is made of them, and texts on their way out. */
const TOTAL = 256 * 1024 * 1024;
/** What one client may take of it, so that nobody takes it all. */
const SHARE = TOTAL / 2;
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
/** Bytes of an answer that may be held in memory while its reader takes its time. */
const HELD_ANSWER = 256 * 1024;
/** Bytes of an answer that goes by way of a file whatever it has. */
const LONGEST_ANSWER = 256 * 1024 * 1024;
/** What one entry of a list takes until it is answered: as it is read, as it is shown and as it is written. */
const ENTRY_BYTES = 2048;
/** How long the file of an answer keeps its name, in milliseconds: it is opened as soon as the answer is sent. */
const NAMED_FOR = 10_000;
/** How long a reader may read nothing before its connection is closed, in milliseconds. */
const LONGEST_PAUSE = 255_000;

/** The memory that one request has taken. */
export interface RequestMemory {
  /**
   * Takes so many bytes more until the request is answered; more than one client may have count as that. Waits while others
   * hold too much. 503 server.busy.
   */
  take(bytes: number): Promise<void>;
  /** As `take`, for what is held for as long as the client takes its time: all of that together leaves half of the memory to others. */
  takeLong(bytes: number): Promise<void>;
  /** As `take`, for a list of so many entries; the bytes of each are those of a file in a folder unless said. */
  takeEntries(count: number, bytes?: number): Promise<void>;
  /**
   * An answer by way of a file, for one whose source would be held in memory while its reader takes its time: compressed, because nothing
   * of it is a secret. Made anew, and sent as it is, where the disk is full.
   */
  byFile(make: () => Response): Promise<Response>;
  /**
   * Takes so many bytes, and more later, for an answer that is made while it is read, until it is released or `signal` says that the
   * client has gone. Counts as `takeLong` does. `end` is called where its reader holds more than somebody who waits, and takes the longest
   * time. 503 server.busy.
   */
  hold(bytes: number, signal: AbortSignal, end: () => void): Promise<HeldAnswer>;
  /** Writes what is too large for memory to a file. 413 body.tooLarge, 507 storage.full. */
  readonly temporary: Transfers["temporary"];
}

/** What an answer holds that is made while it is read. */
interface HeldAnswer extends Pick<Lease, "take" | "release"> {
  /** Says that its reader has taken so many bytes more. */
  sent(bytes: number): void;
}

/** Who gets an answer: from where it asks, and its Accept-Encoding. */
interface Reader {
  readonly address: string;
  readonly accepted: string | null;
}

/** An answer that is too long for memory. */
interface LongText {
  readonly text: string;
  readonly bytes: number;
  readonly coding: Coding | undefined;
  readonly address: string;
}

interface Packing {
  readonly coding: Coding | undefined;
  /** Bytes of the file at most. */
  readonly limit: number;
}

/** Characters of a text that are encoded at once. */
const PIECE = 128 * 1024;

/** A text in UTF-8, as it is read. */
function inPieces(text: string): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let at = 0;
  return new ReadableStream(
    {
      pull(controller) {
        const last = text.charCodeAt(at + PIECE - 1);
        const isPair = last >= 0xd800 && last < 0xdc00;
        const end = at + PIECE + Number(isPair);
        controller.enqueue(encoder.encode(text.slice(at, end)));
        at = end;
        if (at >= text.length) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

/** A function of its own: what an async function makes holds all that is around it, the text too. */
const removeLater = (file: AsyncDisposable): void => {
  setTimeout(() => void file[Symbol.asyncDispose](), NAMED_FOR).unref();
};

interface Lease extends RequestMemory {
  release(): void;
}

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

interface MemoryOptions {
  readonly temporary: Transfers["temporary"];
  /** Bytes; for tests. */
  readonly total?: number;
  readonly share?: number;
  /** Milliseconds; for tests. */
  readonly elapsed?: () => number;
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

const createBounds = (total: number, share: number, elapsed: () => number) => ({
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

/** What one request takes of its owner's share. */
function createTaking(owner: string, { all, share, long, longShare }: ReturnType<typeof createBounds>) {
  let [own, ownLong] = [0, 0];
  let over = false;

  const take = async (bytes: number): Promise<void> => {
    const more = Math.min(bytes, share - own);
    if (more <= 0) return;
    await all.take(owner, more);
    // The request may have been answered meanwhile, because its body was late.
    if (over) return all.giveBack(owner, more);
    own += more;
  };

  return {
    take,

    async takeLong(bytes: number): Promise<void> {
      const more = Math.min(bytes, longShare - ownLong);
      if (more <= 0) return;
      await long.take(owner, more);
      if (over) return long.giveBack(owner, more);
      ownLong += more;
      await take(more);
    },

    /** Follows what is read slowly; `end` ends it where others wait. */
    follow: (end: () => void) => long.follow(owner, end),

    release(): void {
      over = true;
      all.giveBack(owner, own);
      long.giveBack(owner, ownLong);
      [own, ownLong] = [0, 0];
    },
  };
}

/** Takes so many bytes until they are released, or the client has gone. */
async function held(
  { takeLong: take, release, follow }: ReturnType<typeof createTaking>,
  { bytes, signal, end }: { readonly bytes: number; readonly signal: AbortSignal; readonly end: () => void },
): Promise<HeldAnswer> {
  signal.addEventListener("abort", release, { once: true });
  try {
    await take(bytes);
  } catch (error) {
    release();
    throw error;
  }
  const { sent, over } = follow(end);
  const leave = (): void => {
    over();
    release();
  };
  signal.addEventListener("abort", leave, { once: true });
  if (signal.aborted) leave();
  return { take, release: leave, sent };
}

interface LeaseDeps {
  readonly bounds: ReturnType<typeof createBounds>;
  readonly temporary: Transfers["temporary"];
  readonly byFile: (make: () => Response, coding: Coding | undefined) => Promise<Response>;
}

/** A class, because one is made for every request and most take nothing: what counts is made by the first that does. */
class RequestLease implements Lease {
  #taking: ReturnType<typeof createTaking> | undefined;
  #over = false;

  constructor(
    private readonly deps: LeaseDeps,
    private readonly address: string,
    private readonly accepted: string | null,
  ) {}

  get temporary(): Transfers["temporary"] {
    return this.deps.temporary;
  }

  take(bytes: number): Promise<void> {
    return this.#own().take(bytes);
  }

  takeLong(bytes: number): Promise<void> {
    return this.#own().takeLong(bytes);
  }

  takeEntries(count: number, bytes = ENTRY_BYTES): Promise<void> {
    return this.take(count * bytes);
  }

  byFile(make: () => Response): Promise<Response> {
    return this.deps.byFile(make, codingOf(this.accepted));
  }

  hold(bytes: number, signal: AbortSignal, end: () => void): Promise<HeldAnswer> {
    return held(this.#made(), { bytes, signal, end });
  }

  release(): void {
    this.#over = true;
    this.#taking?.release();
  }

  #made() {
    return createTaking(limitedAddress(this.address), this.deps.bounds);
  }

  #own() {
    if (this.#taking === undefined) {
      this.#taking = this.#made();
      // Who takes something once the request was answered holds nothing.
      if (this.#over) this.#taking.release();
    }
    return this.#taking;
  }
}

/**
 * The one bound of what requests hold in memory. Connections are cheap, so whatever grows with a request either takes its bytes here
 * or lies on the disk.
 */
export function createMemory({
  temporary,
  total = TOTAL,
  share = SHARE,
  elapsed = () => performance.now(),
}: MemoryOptions) {
  const bounds = createBounds(total, share, elapsed);

  /** The body of an answer as a file, which goes once it is being sent. 413 body.tooLarge, 507 storage.full. */
  const filed = async (body: ReadableStream<Uint8Array>, { status, headers }: Response, limit: number) => {
    const file = await temporary(new Response(body), { length: undefined, limit });
    removeLater(file);
    // Else Bun names the file.
    if (!headers.has("content-disposition")) headers.set("content-disposition", "inline");
    return sized(new Response(Bun.file(file.path), { status, headers }), file.size);
  };

  /** As `filed`, compressed where there is a coding. */
  const packedFile = async (body: ReadableStream<Uint8Array>, response: Response, packing: Packing) => {
    const { coding, limit } = packing;
    if (coding === undefined) return await filed(body, response, limit);
    return packedAs(coding, await filed(packedStream(body, coding), response, limit));
  };

  const byFile = async (make: () => Response, coding: Coding | undefined): Promise<Response> => {
    const response = make();
    try {
      const body = response.body ?? new Blob().stream();
      return await packedFile(body, response, { coding, limit: LONGEST_ANSWER });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return make();
    }
  };

  const open = (address: string, accepted: string | null = null): Lease =>
    new RequestLease({ bounds, temporary, byFile }, address, accepted);

  /** Holds a text in memory because the disk is full, for as long as its reader may take. 503 server.busy. */
  const holdText = async (response: Response, bytes: number, address: string): Promise<Response> => {
    const lease = open(address);
    await lease.takeLong(bytes);
    setTimeout(lease.release, LONGEST_PAUSE).unref();
    return response;
  };

  const settleLong = async (response: Response, { text, bytes, coding, address }: LongText): Promise<Response> => {
    try {
      // Written by Bun in one piece, it would be there three times.
      return await packedFile(inPieces(text), response, { coding, limit: bytes });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return await holdText(response, bytes, address);
    }
  };

  return {
    open,

    /**
     * An answer as it may wait for its reader: compressed where it may be; a long text goes to a temporary file, from which the system sends it. 503
     * server.busy where neither the disk nor the memory has room.
     */
    settle(response: Response, { address, accepted }: Reader): Promise<Response> | Response {
      const held = takeText(response);
      if (held === undefined) return response;
      const { text, bytes, isPackable } = held;
      const coding = isPackable && bytes >= LEAST_PACKED ? codingOf(accepted) : undefined;
      if (bytes > HELD_ANSWER) return settleLong(response, { text, bytes, coding, address });
      return coding ? packedText(text, response, coding) : response;
    },
  };
}
