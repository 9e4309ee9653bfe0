/** Shared by every tab that has uploads begun and not ended: who signs out waits a moment for them. */
export const UPLOADING = "satchel uploading";

type Release = () => void;
type Locks = Pick<LockManager, "request" | "query">;

/** Coordinates the tabs of this site by Web Locks. Without those (plain http) a tab takes itself for the only one. */
export function createTabs(locks: Locks | undefined) {
  const shared = new Map<string, { count: number; readonly kept: Promise<Release | undefined> }>();

  /** Holds a name until the answered function is called; answers nothing when others hold it and it is not waited for. */
  const keep = (name: string, options: LockOptions) =>
    new Promise<Release | undefined>((resolve) => {
      const alone = () => resolve(() => undefined);
      if (!locks) return alone();
      const hold = (lock: Lock | null) =>
        lock ? new Promise<void>((release) => resolve(release)) : resolve(undefined);
      locks.request(name, options, hold).catch(alone);
    });

  return {
    /** Takes a name for this tab alone until it is released; undefined when another tab has it. */
    claim: (name: string): Promise<Release | undefined> => keep(name, { ifAvailable: true }),
    /** The names that any tab has. */
    async claimed(): Promise<readonly string[]> {
      const { held = [] } = (await locks?.query()) ?? {};
      return held.flatMap(({ name = "" }) => name);
    },
    /** Holds a name together with other tabs, until the answered function is called. */
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
    /** Waits until no tab shares the name, but not for longer than so many milliseconds. */
    async quiet(name: string, patience: number): Promise<void> {
      const waited = locks?.request(name, { signal: AbortSignal.timeout(patience) }, () => undefined);
      await waited?.catch(() => undefined);
    },
  };
}

export type Tabs = ReturnType<typeof createTabs>;

/** The tabs of this browser. */
export const tabs = createTabs(navigator.locks);
