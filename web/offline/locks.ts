import { ownName } from "../lib/base-path.ts";

/** Exclusive locks by name. */
export interface Locks {
  /** Waits for a lock and holds it while the task runs. */
  hold<Result>(name: string, task: () => Promise<Result>): Promise<Result>;
  /** Like `hold`, but does not wait: returns undefined without running the task if the lock is taken. */
  holdNow<Result>(name: string, task: () => Promise<Result>): Promise<Result | undefined>;
}

/** Returns locks shared by all pages and the worker (Web Locks API); without that API, as on plain http, locks of this page alone. */
export const locksOf = (manager: Pick<LockManager, "request"> | undefined): Locks =>
  manager ? sharedLocks(manager) : pageLocks();

const sharedLocks = (manager: Pick<LockManager, "request">): Locks => ({
  hold: async (name, task) => await manager.request(ownName(name), task),
  holdNow: async (name, task) =>
    await manager.request(ownName(name), { ifAvailable: true }, async (lock) => (lock ? await task() : undefined)),
});

function pageLocks(): Locks {
  const held = new Map<string, Promise<unknown>>();
  const hold: Locks["hold"] = async (name, task) => {
    const done = (held.get(name) ?? Promise.resolve()).then(task);
    const end = done.then(
      () => undefined,
      () => undefined,
    );
    held.set(name, end);
    try {
      return await done;
    } finally {
      if (held.get(name) === end) held.delete(name);
    }
  };
  return { hold, holdNow: async (name, task) => (held.has(name) ? undefined : await hold(name, task)) };
}
