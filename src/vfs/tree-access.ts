import { Failure } from "#contract/failures";
import type { Caller } from "../access/principal.ts";
import { type Door, mayDo, type Verb } from "../access/rights.ts";
import type { Clock } from "../lib/clock.ts";
import type { createLocks } from "../lib/locks.ts";
import type { Log } from "../lib/log.ts";
import type { Settings } from "../settings/settings.ts";
import type { Transfers } from "../transfers/transfers.ts";
import type { Finding } from "./finding.ts";
import { type Layout, layoutOf, type Spot } from "./layout.ts";
import type { Listings } from "./listing.ts";
import type { PathLocks } from "./locks.ts";
import type { Mounts } from "./mounts.ts";
import type { Search } from "./search.ts";

/** What every view stands on. */
export interface TreeRoom {
  readonly clock: Clock;
  readonly log: Log;
  readonly mounts: Mounts;
  readonly transfers: Transfers;
  readonly settings: Settings;
  readonly finding: Finding;
  readonly listings: Listings;
  readonly search: Search;
  readonly locks: PathLocks;
  /** Runs writes that depend on a version one after the other, by storage and key. */
  readonly inTurn: ReturnType<typeof createLocks>;
}

/** Who looks at the tree, and through which door. */
export interface Viewer {
  readonly caller: Caller;
  readonly door: Door;
  /** Tokens of locks that the request names. */
  readonly tokens?: readonly string[];
}

/** A path that somebody may act on, or at least may know of. */
export interface Reached {
  readonly layout: Layout;
  readonly spot: Spot;
}

/** The way to every path: nothing of the tree is read or written but through these. */
export interface Access extends Viewer {
  readonly room: TreeRoom;
  /** A path that the caller may know of, if it holds the right. 403 auth.forbidden; 400 path.invalid. */
  at(verb: Verb, path: string): Promise<Reached>;
  /** As `at`, for a path that is the caller's to act on. 403 path.forbidden. */
  touch(verb: Verb, path: string): Promise<Reached>;
}

/** The one place where the tree asks whether somebody may. */
export function createAccess(room: TreeRoom, viewer: Viewer): Access {
  const { caller, door } = viewer;

  const at = async (verb: Verb, path: string): Promise<Reached> => {
    if (!mayDo(caller, door, verb)) throw new Failure("auth.forbidden");
    const layout = layoutOf(caller, await room.mounts.list(), (mount) => room.mounts.isVisible(caller, mount));
    return { layout, spot: layout.spot(path) };
  };

  const touch = async (verb: Verb, path: string): Promise<Reached> => {
    const reached = await at(verb, path);
    reached.layout.demandTouch(reached.spot);
    return reached;
  };

  return { ...viewer, room, at, touch };
}
