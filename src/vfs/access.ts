import { Failure } from "#contract/failures";
import { parentOf } from "#contract/paths";
import type { Callers } from "../access/callers.ts";
import type { TreeCaller } from "../access/principal.ts";
import { mayDo, type Protocol, type Verb } from "../access/rights.ts";
import type { InTurn } from "../cluster/cluster.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { Search } from "../search/index.ts";
import type { Settings } from "../settings/settings.ts";
import type { Recheck } from "../stores/store.ts";
import type { Arrivals } from "../transfers/arrivals.ts";
import type { Transfers } from "../transfers/transfers.ts";
import type { FileAddresses } from "./addresses.ts";
import { type Found, isMounted, type Location, type MountedLocation } from "./entry.ts";
import { type Layout, layoutOf } from "./layout.ts";
import { linkTree } from "./link-tree.ts";
import type { Listings } from "./listing.ts";
import type { Lookup } from "./lookup.ts";
import type { Mounts } from "./mounts.ts";
import type { ShownMountRow } from "./mounts-table.ts";
import type { Trash } from "./trash/trash.ts";
import type { PathLocks } from "./webdav/locks.ts";
import type { Properties } from "./webdav/properties.ts";

export type { Recheck } from "../stores/store.ts";

/** What the tree stands on. */
export interface TreeDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly mounts: Mounts;
  readonly callers: Callers;
  readonly arrivals: Arrivals;
  readonly transfers: Transfers;
  readonly settings: Settings;
  readonly lookup: Lookup;
  /** For names that are spelled as their storage does already. */
  readonly exactLookup: Lookup;
  readonly listings: Listings;
  readonly search: Search;
  readonly locks: PathLocks;
  readonly properties: Properties;
  readonly addresses: FileAddresses;
  readonly trash: Trash;
  /** Runs writes that depend on a version one after the other, by bucket and key. 503 server.busy for those that wait for too long. */
  readonly inTurn: InTurn;
}

/** The caller of the tree, and the protocol of the request. */
export interface Viewer {
  readonly caller: TreeCaller;
  readonly protocol: Protocol;
  /** Tokens of locks that the request names. */
  readonly tokens?: readonly string[];
  /** Aborts when whoever asked has gone: what waits for its turn then never begins, and a body that was not published is not. */
  readonly signal?: AbortSignal | undefined;
  /** The name of something that nobody else sees until it is complete: no request can name it. */
  readonly staging?: string | undefined;
}

/** A path, resolved once for a caller. Nothing of the tree is found or changed without naming a verb, which asks for its right. */
export interface ResolvedPath extends Viewer {
  readonly deps: TreeDeps;
  readonly layout: Layout;
  readonly location: Location;
  /** Requires the right to the verb, wherever that is. 403 auth.forbidden. */
  requireRight(verb: Verb): void;
  /** Requires that the path is the caller's to act on as well. 403 path.forbidden. */
  requireInBasePath(verb: Verb): void;
  /**
   * Requires a path in a mount that nobody has locked as well, and returns where that is; `deep` asks for all below it too.
   * 403 path.root, path.mount; 404 mount.none; 423 path.locked.
   */
  requireWritable(verb: Verb, deep: boolean): MountedLocation;
  /**
   * Requires that something is there, or that its name may come to the folder it would be in, and so the names of folders above it that
   * are not there: a lock of the folder alone forbids that. 423 path.locked.
   */
  requireNameFree(): Promise<void>;
  /** What is there, after `requireInBasePath`. */
  find(verb: Verb): Promise<Found | undefined>;
  /** As `find`. 404 path.missing; mount.none where nothing could be. */
  get(verb: Verb): Promise<Found>;
  /** Another path as the same caller sees it. */
  at(path: string): ResolvedPath;
  /** The same path, at which only what is spelled so is looked for, and below which nothing else is. */
  exactly(): ResolvedPath;
  /** The path for the caller with the rights of this moment; `since` as for `Callers.now`. 401 when nobody is left of them. */
  again(since?: number): Promise<ResolvedPath>;
  /**
   * Asks once more, right before an effect, what `requireWritable` asked before: with the caller, the mounts and the locks of that
   * moment. The path must still lead to the same object. Every write of the tree passes this to the store.
   */
  recheck(verb: Verb, location: MountedLocation, deep?: boolean): Recheck;
  /** What `recheck` asks, for `recheckAll`. */
  pathCheck(verb: Verb, location: MountedLocation, deep?: boolean): PathCheck;
  /** As `recheck`, of several paths of the same caller, for whom the tree is looked at once. */
  recheckAll(...checks: readonly PathCheck[]): Recheck;
}

/** Asks of a path what the caller may do in the tree of this moment. */
type PathCheck = (now: ResolvePath) => Promise<void>;

/** Resolves a path. 400 path.invalid. */
export type ResolvePath = (path: string) => ResolvedPath;

/** The one place where the tree asks whether somebody may: returns what resolves paths by the mounts of this moment. */
export async function openAccess(deps: TreeDeps, viewer: Viewer): Promise<ResolvePath> {
  return accessTo(deps, viewer, await deps.mounts.list());
}

function accessTo(deps: TreeDeps, viewer: Viewer, mounts: readonly ShownMountRow[]): ResolvePath {
  const { caller, staging } = viewer;
  const { isVisible } = deps.mounts;
  if (caller.kind === "link") {
    const tree = linkTree(caller, mounts, isVisible);
    const layout = layoutOf(caller, tree.mounts, tree.isVisible, staging, mounts);
    return (path) => resolveIn(deps, viewer, layout, path);
  }
  const layout = layoutOf(caller, mounts, (mount) => isVisible(caller, mount), staging);
  return (path) => resolveIn(deps, viewer, layout, path);
}

function resolveIn(deps: TreeDeps, viewer: Viewer, layout: Layout, sent: string): ResolvedPath {
  const { caller, protocol, tokens = [] } = viewer;
  const location = layout.location(sent);

  const requireRight = (verb: Verb): void => {
    if (!mayDo(caller, protocol, verb)) throw new Failure("auth.forbidden");
    if (location.mount) deps.mounts.noteUse(location.mount);
  };

  const requireInBasePath = (verb: Verb): void => {
    requireRight(verb);
    layout.requireInBasePath(location);
  };

  const requireWritable = (verb: Verb, deep: boolean): MountedLocation => {
    requireInBasePath(verb);
    if (location.path === "/") throw new Failure("path.root");
    if (layout.holdsMounts(location)) throw new Failure("path.mount");
    if (!isMounted(location)) throw new Failure("mount.none");
    deps.locks.requireFree({ paths: layout.paths(location), deep, member: isMemberVerb(verb), tokens });
    return location;
  };

  const requireNameFree = async (): Promise<void> => {
    if (!deps.locks.any()) return;
    // With a name come those of the folders above it that are not there, up to the first that is.
    for (let at = location; isMounted(at) && !layout.holdsMounts(at); at = layout.location(parentOf(at.path))) {
      const touching = { paths: layout.paths(at), deep: false, member: true, tokens };
      if (deps.locks.against(touching, 1).length === 0) continue;
      if (await deps.lookup.find(layout, at)) return;
      throw new Failure("path.locked");
    }
  };

  // Behind the look at the caller the mounts and the locks of other servers are known here.
  const resolveNow = async (since?: number): Promise<ResolvePath> => {
    const now = await deps.callers.now(caller, since);
    return accessTo(deps, { ...viewer, caller: now }, await deps.mounts.list());
  };

  const pathCheck =
    (verb: Verb, { path, mount, key }: MountedLocation, deep = false): PathCheck =>
    async (now) => {
      const again = now(path);
      const there = again.requireWritable(verb, deep);
      if (there.mount.storage !== mount.storage || there.key !== key) throw new Failure("mount.none");
      await again.requireNameFree();
    };

  const recheckAll =
    (...checks: readonly PathCheck[]): Recheck =>
    async () => {
      const now = await resolveNow();
      for (const ask of checks) await ask(now);
    };

  return {
    ...viewer,
    deps,
    layout,
    location,
    requireRight,
    requireInBasePath,
    requireWritable,
    requireNameFree,

    find: async (verb) => {
      requireInBasePath(verb);
      return await deps.lookup.find(layout, location);
    },

    get: async (verb) => {
      requireInBasePath(verb);
      return await deps.lookup.get(layout, location);
    },

    at: (path) => resolveIn(deps, viewer, layout, path),
    exactly: () => resolveIn({ ...deps, lookup: deps.exactLookup }, viewer, layout, sent),
    again: async (since) => (await resolveNow(since))(location.path),
    pathCheck,
    recheckAll,
    recheck: (verb, at, deep) => recheckAll(pathCheck(verb, at, deep)),
  };
}

/** Whether a verb lets a name come or go in any case; writing and copying may only replace what is there. */
const isMemberVerb = (verb: Verb): boolean => ["remove", "move", "mkdir", "restore"].includes(verb);

/** Asks all at once; of those that refuse the first one says why. */
export const all =
  (...rechecks: readonly Recheck[]): Recheck =>
  async () => {
    for (const asked of await Promise.allSettled(rechecks.map((recheck) => recheck())))
      if (asked.status === "rejected") throw asked.reason;
  };
