import { nameFrom, ownName } from "./base-path.ts";

/** Shared by every tab that has unfinished uploads: signing out waits a moment for them. */
export const UPLOADING = "satchel uploading";

type Release = () => void;
type Locks = Pick<LockManager, "request" | "query">;

/** Coordinates the tabs of this site by Web Locks. Without those (plain http) each tab acts as if it were the only one. */
export function createTabs(locks: Locks | undefined) {
  const shared = new Map<string, { count: number; readonly kept: Promise<Release | undefined> }>();

  /** Holds a lock. Returns a function that releases it; undefined if other tabs hold it and `options` say not to wait. */
  const keep = (name: string, options: LockOptions) =>
    new Promise<Release | undefined>((resolve) => {
      const alone = () => resolve(() => undefined);
      if (!locks) return alone();
      const hold = (lock: Lock | null) =>
        lock ? new Promise<void>((release) => resolve(release)) : resolve(undefined);
      locks.request(ownName(name), options, hold).catch(alone);
    });

  return {
    /** Takes a name for this tab alone. Returns a function that releases it; undefined if another tab has the name. */
    claim: (name: string): Promise<Release | undefined> => keep(name, { ifAvailable: true }),
    /** Returns the names that any tab holds. */
    async claimed(): Promise<readonly string[]> {
      const { held = [] } = (await locks?.query()) ?? {};
      return held.flatMap(({ name = "" }) => nameFrom(name) ?? []);
    },
    /** Holds a name together with other tabs. Returns a function that releases it. */
    share(name: string): Release {
      const one = shared.get(name) ?? { count: 0, kept: keep(name, { mode: "shared" }) };
      shared.set(name, one);
      one.count += 1;
      return () => {
        one.count -= 1;
        if (one.count > 0) return;
        shared.delete(name);
        void one.kept.then((release) => release?.());
      };
    },
    /** Waits until no tab shares the name, for `patience` milliseconds at most. */
    async quiet(name: string, patience: number): Promise<void> {
      const waited = locks?.request(ownName(name), { signal: AbortSignal.timeout(patience) }, () => undefined);
      await waited?.catch(() => undefined);
    },
  };
}

export type Tabs = ReturnType<typeof createTabs>;

/** The tabs of this browser. */
export const tabs = createTabs(navigator.locks);
