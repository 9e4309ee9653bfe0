import { Failure } from "#contract/failures";
import type { Caller } from "../access/principal.ts";
import { type Door, mayDo, type Verb } from "../access/rights.ts";
import type { Standing } from "../access/standing.ts";
import type { Clock } from "../lib/clock.ts";
import type { Locks } from "../lib/locks.ts";
import type { Log } from "../lib/log.ts";
import type { Search } from "../search/index.ts";
import type { Settings } from "../settings/settings.ts";
import type { Confirm } from "../stores/store.ts";
import type { Transfers } from "../transfers/transfers.ts";
import { type Layout, type Location, layoutOf, type MountedLocation } from "./layout.ts";
import type { Listings } from "./listing.ts";
import type { PathLocks } from "./locks.ts";
import { isMounted, type Lookup } from "./lookup.ts";
import type { Mounts } from "./mounts.ts";

/** What every view stands on. */
export interface TreeDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly mounts: Mounts;
  readonly standing: Standing;
  readonly transfers: Transfers;
  readonly settings: Settings;
  readonly lookup: Lookup;
  readonly listings: Listings;
  readonly search: Search;
  readonly locks: PathLocks;
  /** Runs writes that depend on a version one after the other, by storage and key. */
  readonly inTurn: Locks;
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
  readonly location: Location;
}

/** A path in a mount that somebody may change. */
export interface Writable extends Reached {
  readonly location: MountedLocation;
}

/** The way to every path: nothing of the tree is read or written but through these. */
export interface Access extends Viewer {
  readonly room: TreeDeps;
  /** A path that the caller may know of, if it holds the right. 403 auth.forbidden; 400 path.invalid. */
  at(verb: Verb, path: string): Promise<Reached>;
  /** As `at`, for a path that is the caller's to act on. 403 path.forbidden. */
  touch(verb: Verb, path: string): Promise<Reached>;
  /**
   * As `touch`, for a path in a mount that nobody has locked; `deep` asks for all below it too. 403 path.root, path.mount; 404
   * mount.none; 423 path.locked.
   */
  reach(verb: Verb, path: string, deep: boolean): Promise<Writable>;
  /** The same way for the caller with the rights of this moment. 401 when nobody is left of them. */
  again(): Promise<Access>;
  /**
   * Asks once more, right before an effect, what `reach` asked before: with the caller, the mounts and the locks of that moment.
   * The path must still lead to the same object. Every write of the tree passes this to the store.
   */
  confirm(verb: Verb, location: MountedLocation, deep?: boolean): Confirm;
}

/** The one place where the tree asks whether somebody may. */
export function createAccess(room: TreeDeps, viewer: Viewer): Access {
  const { caller, door, tokens = [] } = viewer;

  const at = async (verb: Verb, path: string): Promise<Reached> => {
    if (!mayDo(caller, door, verb)) throw new Failure("auth.forbidden");
    const layout = layoutOf(caller, await room.mounts.list(), (mount) => room.mounts.isVisible(caller, mount));
    return { layout, location: layout.location(path) };
  };

  const touch = async (verb: Verb, path: string): Promise<Reached> => {
    const reached = await at(verb, path);
    reached.layout.demandTouch(reached.location);
    return reached;
  };

  const reach = async (verb: Verb, path: string, deep: boolean): Promise<Writable> => {
    const { layout, location } = await touch(verb, path);
    if (location.path === "/") throw new Failure("path.root");
    if (layout.holdsMounts(location)) throw new Failure("path.mount");
    if (!isMounted(location)) throw new Failure("mount.none");
    room.locks.demandFree({ path: location.path.normalize("NFC"), deep, tokens });
    return { layout, location };
  };

  const again = async (): Promise<Access> => createAccess(room, { ...viewer, caller: await room.standing.now(caller) });

  const confirm =
    (verb: Verb, { path, mount, key }: MountedLocation, deep = false): Confirm =>
    async () => {
      const { location } = await (await again()).reach(verb, path, deep);
      if (location.mount.storage !== mount.storage || location.key !== key) throw new Failure("mount.none");
    };

  return { ...viewer, room, at, touch, reach, again, confirm };
}
