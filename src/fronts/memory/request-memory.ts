import { limitedAddress } from "../../lib/addresses.ts";
import { type Coding, codingOf } from "../../lib/packing.ts";
import type { Transfers } from "../../transfers/transfers.ts";
import type { createBounds } from "./bound.ts";

/** What one entry of a list takes until it is answered: as it is read, as it is shown and as it is written. */
const ENTRY_BYTES = 2048;

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

export interface Lease extends RequestMemory {
  release(): void;
}

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
export class RequestLease implements Lease {
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
