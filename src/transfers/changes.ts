/** What happened to objects, and the rooms that are told of it. */
import type { Bearer } from "../access/standing.ts";
import type { Place } from "../stores/store.ts";

/** What a storage says of a file that was written. */
interface WrittenFile {
  /** Bytes. */
  readonly size: number;
  /** Epoch milliseconds. */
  readonly modified: number;
  /** Without quotes. */
  readonly etag: string;
  readonly type: string;
}

/** A file that is about to become visible at a key. */
export interface Arrival {
  readonly at: Place;
  /** Who began its upload. */
  readonly by: Bearer;
  /** Whether it comes for a share, to a key of its own; otherwise it replaces what is at the key. */
  readonly shared: boolean;
}

/** A change of objects, whoever made it. A key that ends in a slash is a folder with everything below it. */
export type Change =
  | {
      readonly kind: "written";
      readonly at: Place;
      readonly file: WrittenFile;
      /** The upload that stays as its record; undefined for a file that replaced what was at its key. */
      readonly record?: string;
    }
  | {
      readonly kind: "made";
      readonly at: Place;
      /** Epoch milliseconds. */
      readonly modified: number;
    }
  | { readonly kind: "removed"; readonly at: Place }
  | MovedChange;

export interface MovedChange {
  readonly kind: "moved";
  readonly from: Place;
  readonly to: Place;
  /** Whether followers can know already what is at the new key: this was told before, or that it was written. */
  readonly again?: true;
}

/** A room that keeps up with the objects. */
interface Follower {
  follow(change: Change): Promise<void> | void;
  /** Returns when everything that was told so far is written down. */
  settled?(): Promise<void>;
  /** Throws for a file that may not come to its key now, although its upload was allowed when it began. */
  admit?(arrival: Arrival): Promise<void>;
}

export function createChanges() {
  const followers: Follower[] = [];

  return {
    add: (follower: Follower): void => void followers.push(follower),

    /** Returns when every follower knows. */
    async tell(change: Change): Promise<void> {
      for (const follower of followers) await follower.follow(change);
    },

    /** Throws what a follower throws. 401 and 403 for owners who may not write there any more, 423 path.locked. */
    async admit(arrival: Arrival): Promise<void> {
      for (const follower of followers) await follower.admit?.(arrival);
    },

    /** Returns when every follower has written down what was told so far. */
    async settled(): Promise<void> {
      for (const follower of followers) await follower.settled?.();
    },
  };
}

export type Changes = ReturnType<typeof createChanges>;
