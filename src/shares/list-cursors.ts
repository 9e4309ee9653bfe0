import { Lru } from "../lib/cache.ts";

/** Where a page of a list ended: the number of its last row, and what that has in the column of the order. */
export interface Cursor {
  readonly number: number;
  readonly value: number | string | null;
}

/** A place in a list: how many rows come before it. */
interface Place {
  /** Tells the list from others by its filter and its order. */
  readonly list: string;
  readonly offset: number;
  /** Epoch milliseconds. */
  readonly now: number;
}

interface KeptCursor extends Cursor {
  /** Epoch milliseconds. */
  readonly until: number;
}

/** Pages behind fewer rows are read by their offset, so that they always follow what has changed before them. */
const LEAST_OFFSET = 1000;
/** As long as whoever goes through a list may take for one page. */
const KEPT_MILLISECONDS = 60_000;
/** Cursors that are kept: one for each who goes through a list, and the pages that it has left. */
const MOST_KEPT = 1000;

/**
 * Remembers where pages far behind in a list have ended, so that the next one begins there: by its offset all rows before it would be
 * gone through again. What comes or goes before that place meanwhile has no row of the next page come twice or left out.
 */
export function createCursors() {
  const kept = new Lru<string, KeptCursor>(MOST_KEPT);

  return {
    /** Where the page at a place begins; undefined where that is not known. */
    find: ({ list, offset, now }: Place): Cursor | undefined =>
      offset < LEAST_OFFSET ? undefined : kept.get(nameOf(list, offset), ({ until }) => now < until),

    /** Whether a page that begins behind so many rows is worth a cursor. */
    isWanted: (offset: number): boolean => offset >= LEAST_OFFSET,

    /** Remembers what comes before a place. */
    keep({ list, offset, now }: Place, cursor: Cursor): void {
      kept.set(nameOf(list, offset), { ...cursor, until: now + KEPT_MILLISECONDS });
    },
  };
}

const nameOf = (list: string, offset: number): string => `${offset} ${list}`;
