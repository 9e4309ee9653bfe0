import type { Place } from "./transfers.ts";

/** What a storage says of a file that was written. */
export interface WrittenFile {
  /** Bytes. */
  readonly size: number;
  /** Epoch milliseconds. */
  readonly modified: number;
}

/**
 * What happened to objects, whoever did it. A key that ends in a slash is a folder with all that lies below it; in place of
 * what stood there before.
 */
export type Change =
  | { readonly kind: "written"; readonly at: Place; readonly file: WrittenFile }
  | { readonly kind: "made"; readonly at: Place }
  | { readonly kind: "removed"; readonly at: Place }
  | { readonly kind: "moved"; readonly from: Place; readonly to: Place };

/** A room that keeps up with the objects. */
export interface Follower {
  follow(change: Change): Promise<void> | void;
  /** Returns when everything that was told so far is written down. */
  settled?(): Promise<void>;
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

    /** Returns when everybody has written down what was told so far. */
    async settled(): Promise<void> {
      for (const follower of followers) await follower.settled?.();
    },
  };
}

export type Changes = ReturnType<typeof createChanges>;
