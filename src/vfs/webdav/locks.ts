import { Failure } from "#contract/failures";
import { MAX_LOCKS, MAX_LOCKS_OF_ONE, MAX_LOCKS_TOGETHER } from "#contract/limits";
import { parentOf, within } from "#contract/paths";
import type { Cluster } from "../../cluster/cluster.ts";
import { LeaseLost } from "../../cluster/held-leases.ts";
import type { Sql } from "../../database/sql.ts";
import { type Clock, steadyClock } from "../../lib/clock.ts";
import { shared } from "../../lib/turns.ts";
import { createLockIndex, folderOf, type LockIndex } from "./lock-index.ts";
import { type Lock, locksTable } from "./locks-table.ts";

export type { Lock } from "./locks-table.ts";

export type NewLock = Omit<Lock, "token" | "until">;

/** What somebody is about to change. */
interface Touching {
  /** At all of these it is shown. */
  readonly paths: readonly string[];
  /** Whether all that lies below is changed too. */
  readonly deep: boolean;
  /** Whether a name comes to the folder that it lies in, or goes: a lock of the folder alone forbids that (section 7.4). */
  readonly member?: boolean;
  /** Tokens that the request names and that are the caller's. */
  readonly tokens: readonly string[];
}

/** Which lock somebody means, and who that is. */
interface Claim {
  readonly token: string;
  readonly path: string;
  /** Undefined may be anybody. */
  readonly holder: string | undefined;
}

interface LocksDeps {
  readonly cluster: Cluster;
  readonly clock: Clock;
}

/** Whether as many shared locks hold at a path, or somewhere in it, as may hold together. */
function isCrowded(locks: LockIndex, { path, deep }: Pick<NewLock, "path" | "deep">): boolean {
  const held = locks.covering(path);
  if (held.length >= MAX_LOCKS_TOGETHER) return true;
  if (!deep) return false;
  const fromAbove = held.filter((lock) => lock.deep).length;
  return mostTogether([...locks.below(path)]) + fromAbove >= MAX_LOCKS_TOGETHER;
}

/**
 * The locks that keep somebody from changing something. Of locks that hold together one that is named is enough: shared ones let
 * each of their holders write. It is asked of each lock below with those that are named, not of each folder on the way there:
 * paths may have hundreds of folders, and locks be thousands.
 */
function* inTheWay(locks: LockIndex, { paths, deep, member = false, tokens }: Touching): Generator<Lock> {
  if (locks.size() === 0) return;
  const named = tokens.flatMap((token) => locks.living(token) ?? []);
  // The same is shown at all of these places: a lock named at one of them is named at all.
  const isOpen = (places: readonly string[]) =>
    places.some((place) => named.some((lock) => lock.path === place || (lock.deep && within(lock.path, place))));
  if (!isOpen(paths)) for (const path of paths) yield* locks.covering(path);
  const folders = paths.filter((path) => path !== "/").map(parentOf);
  if (member && !isOpen(folders)) for (const folder of folders) yield* locks.covering(folder);
  if (!deep || named.some((lock) => lock.deep && paths.some((path) => within(lock.path, path)))) return;
  for (const path of paths)
    for (const lock of locks.below(path)) {
      const rest = lock.path.slice(path.length);
      if (!isOpen(paths.map((one) => one + rest))) yield lock;
    }
}

/** The locks that a new one cannot stand beside, at any of the paths at which what it locks is shown. */
function conflicting(
  locks: LockIndex,
  { deep, shared }: Pick<NewLock, "deep" | "shared">,
  paths: readonly string[],
): Lock[] {
  const met = paths.flatMap((path) => [...locks.covering(path), ...(deep ? locks.below(path) : [])]);
  return [...new Set(met)].filter((lock) => !(shared && lock.shared));
}

/** The lock that somebody means. 409 lock.token when there is none of this token on the path, 403 lock.holder when it is somebody else's. */
function claimed(locks: LockIndex, { token, path, holder }: Claim): Lock {
  const lock = locks.covering(path).find((one) => one.token === token);
  if (!lock) throw new Failure("lock.token");
  if (holder !== undefined && lock.holder !== holder) throw new Failure("lock.holder");
  return lock;
}

/** Requires that a lock may be made. 423 path.locked, 507 lock.tooMany. */
function requireLockable(locks: LockIndex, request: NewLock, paths: readonly string[]): void {
  if (conflicting(locks, request, paths).length > 0) throw new Failure("path.locked");
  const isFull = () => locks.size() >= MAX_LOCKS || locks.countOf(request.holder) >= MAX_LOCKS_OF_ONE;
  // Nobody may have asked for the paths of those that have ended.
  if (isFull()) locks.dropEnded();
  if (isFull() || isCrowded(locks, request)) throw new Failure("lock.tooMany");
}

/**
 * Opens the locks that bind every write of the tree, whichever front it comes from. They are kept in the database and looked up in
 * memory, so that a write costs next to nothing where nothing is locked.
 */
export async function openPathLocks({ cluster, clock }: LocksDeps) {
  const table = locksTable(cluster);
  const inTurn = cluster.turns("lock");
  const now = steadyClock(clock);
  const locks = createLockIndex(now);
  /** Those that hold already and are being written. */
  const coming = new Set<Lock>();

  const read = async (): Promise<void> => {
    const rows = await table.all();
    const written = rows.map(({ left, ...row }) => ({
      ...row,
      deep: row.deep === 1,
      shared: row.shared === 1,
      until: now() + left,
    }));
    locks.replace([...coming, ...written]);
  };
  await read();
  cluster.follow("locks", shared(read));

  const remove = async (gone: readonly Lock[]): Promise<void> => {
    if (gone.length === 0) return;
    for (const lock of gone) locks.remove(lock);
    await table.remove(gone.map(({ token }) => token));
  };

  const acquire = async (request: NewLock, paths: readonly string[], proof: readonly Sql[]): Promise<Lock> => {
    // What another server has just locked counts.
    await cluster.synced();
    requireLockable(locks, request, paths);
    const token = `opaquelocktoken:${crypto.randomUUID()}`;
    const lock = { ...request, token, until: now() + request.life };
    // It holds before it is written, so that nobody comes in between.
    coming.add(lock);
    locks.add(lock);
    try {
      await table.insert(lock, proof);
    } catch (error) {
      locks.remove(lock);
      // This server stood still, and others may have locked the same.
      throw error instanceof LeaseLost ? new Failure("server.busy") : error;
    } finally {
      coming.delete(lock);
    }
    return lock;
  };

  return {
    /** The locks that a new one cannot stand beside, at any of the paths at which what it locks is shown. */
    conflicting: (request: Pick<NewLock, "deep" | "shared">, paths: readonly string[]): Lock[] =>
      conflicting(locks, request, paths),

    /** The locks that keep somebody from changing something, so many of them at most. */
    against: (touching: Touching, most = Number.POSITIVE_INFINITY): Lock[] => [...inTheWay(locks, touching).take(most)],

    /**
     * Locks a path, if nothing stands in the way at any of those at which the same is shown. 423 path.locked, 507 lock.tooMany; 503 server.busy
     * when this server was taken for dead meanwhile.
     */
    acquire: (request: NewLock, paths: readonly string[] = [request.path]): Promise<Lock> =>
      inTurn("", (proof) => acquire(request, paths, proof)),

    /** Lets a lock last anew. 409 lock.token, 403 lock.holder. */
    async refresh(claim: Claim, life: number): Promise<Lock> {
      const renewed = { ...claimed(locks, claim), life, until: now() + life };
      locks.add(renewed);
      await table.refresh({ token: renewed.token, life });
      return renewed;
    },

    /** 409 lock.token, 403 lock.holder. */
    release: async (claim: Claim): Promise<void> => await remove([claimed(locks, claim)]),

    /** Whether there may be any. */
    any: (): boolean => locks.size() > 0,

    /** The locks that hold at a path. */
    at: locks.covering,

    /** Of tokens those of locks that somebody holds. */
    own: (tokens: readonly string[], holder: string): string[] =>
      tokens.filter((token) => locks.living(token)?.holder === holder),

    /** 423 path.locked unless one token of each lock that it meets is named. */
    requireFree(touching: Touching): void {
      if (!inTheWay(locks, touching).next().done) throw new Failure("path.locked");
    },

    /** What is gone needs no lock. */
    drop: async (paths: readonly string[]): Promise<void> =>
      locks.size() === 0 ? undefined : await remove(paths.flatMap(locks.within)),

    /** Forgets those that have ended; answers how many. */
    async sweep(): Promise<number> {
      locks.dropEnded();
      return await table.removeEnded();
    },
  };
}

/** How many of these locks hold at one path at most, of those that hold at their own path and below it. */
function mostTogether(all: readonly Lock[]): number {
  let most = 0;
  /** Folders that the path lies in, with how many locks hold in them. */
  const around: { readonly folder: string; readonly held: number }[] = [];
  // By name with a slash behind it: so each folder comes right before what lies in it.
  const byFolder = [...Map.groupBy(all, ({ path }) => folderOf(path))].sort(([one], [other]) => (one < other ? -1 : 1));
  for (const [folder, here] of byFolder) {
    while (around.length > 0 && !folder.startsWith(around.at(-1)?.folder ?? "")) around.pop();
    const above = around.at(-1)?.held ?? 0;
    most = Math.max(most, above + here.length);
    around.push({ folder, held: above + here.filter(({ deep }) => deep).length });
  }
  return most;
}

export type PathLocks = Awaited<ReturnType<typeof openPathLocks>>;
