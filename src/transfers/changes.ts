/** The rooms that follow changes of objects. */
import type { Bearer } from "../access/callers.ts";
import type { Change } from "../stores/changes.ts";
import type { Place } from "../stores/store.ts";
import { createRemovalOrder } from "./removal-order.ts";

/** A file that is about to become visible at a key. */
export interface ArrivingFile {
  readonly at: Place;
  /** Who began its upload. */
  readonly by: Bearer;
  /** Whether it is for a share, at a fresh key; otherwise it replaces the file at the key. */
  readonly shared: boolean;
}

/** A room that keeps up with the objects. */
interface Follower {
  follow(change: Change): Promise<void> | void;
  /** Called once more when a storage shows all of a change that was reported before: what was read in between is outdated. */
  outdated?(change: Change): void;
  /** Returns when all reported changes are written down. */
  settled?(): Promise<void>;
  /** Throws for a file that may not come to its key now, although its upload was allowed when it began. */
  admit?(file: ArrivingFile): Promise<void>;
}

export function createChanges() {
  const followers: Follower[] = [];
  const { tell, removing } = createRemovalOrder(async (change) => {
    const notified = await Promise.allSettled(followers.map(async (follower) => await follower.follow(change)));
    for (const one of notified) if (one.status === "rejected") throw one.reason;
  });

  return {
    add: (follower: Follower): void => void followers.push(follower),

    /** Returns when every follower has been notified; what one of them throws, only then. */
    tell,

    removing,

    /** Tells that the storage shows all of a change now. */
    outdated(change: Change): void {
      for (const follower of followers) follower.outdated?.(change);
    },

    /** Throws the failure of a follower. 401 and 403 for owners who may no longer write there, 423 path.locked. */
    async admit(file: ArrivingFile): Promise<void> {
      for (const follower of followers) await follower.admit?.(file);
    },

    /** Returns when every follower has written down all reported changes. */
    async settled(): Promise<void> {
      for (const follower of followers) await follower.settled?.();
    },
  };
}

export type Changes = ReturnType<typeof createChanges>;
