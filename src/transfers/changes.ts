import type { Place } from "./transfers.ts";

/** What a storage says of a file that was written. */
export interface WrittenFile {
  /** Bytes. */
  readonly size: number;
  /** Epoch milliseconds. */
  readonly modified: number;
  /** Without quotes. */
  readonly etag: string;
  readonly type: string;
}

/** A file that is about to take the place of what is at a key. */
export interface Arrival {
  readonly at: Place;
  /** The name of whoever its upload was begun by. */
  readonly owner: string;
}

/**
 * What happened to objects, whoever did it. A key that ends in a slash is a folder with all that lies below it; in place of
 * what stood there before.
 */
export type Change =
  | {
      readonly kind: "written";
      readonly at: Place;
      readonly file: WrittenFile;
      /** The upload that stays as its record; undefined when the tree wrote it, and it is nobody's. */
      readonly record?: string;
    }
  | { readonly kind: "made"; readonly at: Place }
  | { readonly kind: "removed"; readonly at: Place }
  | MovedChange;

export interface MovedChange {
  readonly kind: "moved";
  readonly from: Place;
  readonly to: Place;
  /** Whether what shows the new place already knows what is there: this was told before, or that it was written. */
  readonly again?: true;
}

/** A room that keeps up with the objects. */
export interface Follower {
  follow(change: Change): Promise<void> | void;
  /** Returns when everything that was told so far is written down. */
  settled?(): Promise<void>;
  /** Refuses what may not come to its key now, although its upload was allowed when it began. */
  admit?(arrival: Arrival): Promise<void>;
}

/** Tells every room that follows the objects what became of them. */
export function createChanges() {
  const followers: Follower[] = [];

  return {
    add: (follower: Follower): void => void followers.push(follower),

    /** Returns when everybody knows. */
    async tell(change: Change): Promise<void> {
      for (const follower of followers) await follower.follow(change);
    },

    /** Refuses what somebody refuses. 403 for owners who may not do it any more, 423 path.locked. */
    async admit(arrival: Arrival): Promise<void> {
      for (const follower of followers) await follower.admit?.(arrival);
    },

    /** Returns when everybody has written down what was told so far. */
    async settled(): Promise<void> {
      for (const follower of followers) await follower.settled?.();
    },
  };
}

export type Changes = ReturnType<typeof createChanges>;
