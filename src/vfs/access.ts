import { Failure } from "#contract/failures";
import type { Callers } from "../access/callers.ts";
import type { Caller } from "../access/principal.ts";
import { mayDo, type Protocol, type Verb } from "../access/rights.ts";
import type { InTurn } from "../database/cluster.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { Search } from "../search/index.ts";
import type { Settings } from "../settings/settings.ts";
import type { Confirm } from "../stores/store.ts";
import type { Transfers } from "../transfers/transfers.ts";
import type { FileAddresses } from "./addresses.ts";
import { type Layout, type Location, layoutOf, type MountedLocation } from "./layout.ts";
import type { Listings } from "./listing.ts";
import type { PathLocks } from "./locks.ts";
import { type Found, isMounted, type Lookup } from "./lookup.ts";
import type { Mounts } from "./mounts.ts";
import type { ShownMountRow } from "./mounts-table.ts";
import type { Properties } from "./properties.ts";

export type { Confirm } from "../stores/store.ts";

/** What the tree stands on. */
export interface TreeDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly mounts: Mounts;
  readonly callers: Callers;
  readonly transfers: Transfers;
  readonly settings: Settings;
  readonly lookup: Lookup;
  readonly listings: Listings;
  readonly search: Search;
  readonly locks: PathLocks;
  readonly properties: Properties;
  readonly addresses: FileAddresses;
  /** Runs writes that depend on a version one after the other, by storage and key. */
  readonly inTurn: InTurn;
}

/** The caller of the tree, and the protocol of the request. */
export interface Viewer {
  readonly caller: Caller;
  readonly protocol: Protocol;
  /** Tokens of locks that the request names. */
  readonly tokens?: readonly string[];
  /** The name of something that nobody else sees until it is complete: no request can name it. */
  readonly staging?: string | undefined;
}

/** A path, resolved once for a caller. Nothing of the tree is found or changed without naming a verb, which asks for its right. */
export interface Reached extends Viewer {
  readonly deps: TreeDeps;
  readonly layout: Layout;
  readonly location: Location;
  /** Requires the right to the verb, wherever that is. 403 auth.forbidden. */
  demand(verb: Verb): void;
  /** Requires that the path is the caller's to act on as well. 403 path.forbidden. */
  demandTouch(verb: Verb): void;
  /**
   * Requires a path in a mount that nobody has locked as well, and returns where that is; `deep` asks for all below it too.
   * 403 path.root, path.mount; 404 mount.none; 423 path.locked.
   */
  demandChange(verb: Verb, deep: boolean): MountedLocation;
  /**
   * Requires that something is there, or that its name may come to the folder it would be in: a lock of the folder alone forbids
   * that. 423 path.locked.
   */
  demandName(): Promise<void>;
  /** What is there, after `demandTouch`. */
  find(verb: Verb): Promise<Found | undefined>;
  /** As `find`. 404 path.missing; mount.none where nothing could be. */
  get(verb: Verb): Promise<Found>;
  /** Another path as the same caller sees it. */
  at(path: string): Reached;
  /** The path for the caller with the rights of this moment. 401 when nobody is left of them. */
  again(): Promise<Reached>;
  /**
   * Asks once more, right before an effect, what `demandChange` asked before: with the caller, the mounts and the locks of that
   * moment. The path must still lead to the same object. Every write of the tree passes this to the store.
   */
  confirm(verb: Verb, location: MountedLocation, deep?: boolean): Confirm;
}

/** Resolves a path. 400 path.invalid. */
export type Reach = (path: string) => Reached;

/** The one place where the tree asks whether somebody may: returns what resolves paths by the mounts of this moment. */
export async function openAccess(deps: TreeDeps, viewer: Viewer): Promise<Reach> {
  return accessTo(deps, viewer, await deps.mounts.list());
}

function accessTo(deps: TreeDeps, viewer: Viewer, mounts: readonly ShownMountRow[]): Reach {
  const { caller, staging } = viewer;
  const layout = layoutOf(caller, mounts, (mount) => deps.mounts.isVisible(caller, mount), staging);
  return (path) => reachedIn(deps, viewer, layout, path);
}

function reachedIn(deps: TreeDeps, viewer: Viewer, layout: Layout, sent: string): Reached {
  const { caller, protocol, tokens = [] } = viewer;
  const location = layout.location(sent);

  const demand = (verb: Verb): void => {
    if (!mayDo(caller, protocol, verb)) throw new Failure("auth.forbidden");
  };

  const demandTouch = (verb: Verb): void => {
    demand(verb);
    layout.demandTouch(location);
  };

  const demandChange = (verb: Verb, deep: boolean): MountedLocation => {
    demandTouch(verb);
    if (location.path === "/") throw new Failure("path.root");
    if (layout.holdsMounts(location)) throw new Failure("path.mount");
    if (!isMounted(location)) throw new Failure("mount.none");
    deps.locks.demandFree({ paths: layout.paths(location), deep, member: isMemberVerb(verb), tokens });
    return location;
  };

  const demandName = async (): Promise<void> => {
    const touching = { paths: layout.paths(location), deep: false, member: true, tokens };
    if (deps.locks.against(touching).length === 0 || (await deps.lookup.find(layout, location))) return;
    throw new Failure("path.locked");
  };

  // Behind the look at the caller the locks of other servers are known here.
  const againAt = async (path: string): Promise<Reached> => {
    const [now, mounts] = await Promise.all([deps.callers.now(caller), deps.mounts.list()]);
    return accessTo(deps, { ...viewer, caller: now }, mounts)(path);
  };

  return {
    ...viewer,
    deps,
    layout,
    location,
    demand,
    demandTouch,
    demandChange,
    demandName,

    find: async (verb) => {
      demandTouch(verb);
      return await deps.lookup.find(layout, location);
    },

    get: async (verb) => {
      demandTouch(verb);
      return await deps.lookup.get(layout, location);
    },

    at: (path) => reachedIn(deps, viewer, layout, path),
    again: () => againAt(location.path),

    confirm:
      (verb, { path, mount, key }, deep = false) =>
      async () => {
        const again = await againAt(path);
        const now = again.demandChange(verb, deep);
        if (now.mount.storage !== mount.storage || now.key !== key) throw new Failure("mount.none");
        await again.demandName();
      },
  };
}

/** Whether a verb lets a name come or go in any case; writing and copying may only replace what is there. */
const isMemberVerb = (verb: Verb): boolean => verb === "remove" || verb === "move" || verb === "mkdir";

/** Asks all at once; of those that refuse the first one says why. */
export const all =
  (...confirms: readonly Confirm[]): Confirm =>
  async () => {
    for (const asked of await Promise.allSettled(confirms.map((confirm) => confirm())))
      if (asked.status === "rejected") throw asked.reason;
  };
