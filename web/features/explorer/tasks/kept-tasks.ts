import type { Tabs } from "../../../lib/tabs.ts";
import type { Memory } from "../../../transfer/ports.ts";
import type { Task } from "./task.ts";

/** How long tasks are remembered, in milliseconds: as long as the server remembers its own. */
const LIFE = 7 * 24 * 60 * 60_000;
/** Tasks that are remembered; the oldest go first. */
const MOST = 200;

export interface KeptPorts {
  readonly memory: Memory;
  readonly now: () => number;
  readonly tabs: Pick<Tabs, "claim" | "claimed">;
}

interface Kept {
  /** Whose it is. */
  readonly of: string;
  readonly task: Task;
}

// Another version of these pages may have written it.
const isKept = (value: unknown): value is Kept => {
  if (typeof value !== "object" || value === null || !("of" in value) || !("task" in value)) return false;
  const { task } = value;
  return typeof task === "object" && task !== null && "id" in task && "parts" in task && Array.isArray(task.parts);
};

const claimOf = (id: string): string => `satchel task ${id}`;

/** Remembers tasks of this browser, each by itself: other tabs have theirs beside them. A memory that fails remembers nothing. */
export function createKeptTasks({ memory, now, tabs }: KeptPorts) {
  const claims = new Set<string>();
  // One after the other: what is forgotten must not come back by a write that was on its way.
  let line: Promise<unknown> = Promise.resolve();
  const inLine = <T>(act: () => Promise<T>, otherwise: T): Promise<T> => {
    const done = line.then(act).catch(() => otherwise);
    line = done;
    return done;
  };

  return {
    /** Keeps a task of this page as it stands; other tabs leave it alone as long as this page is open. */
    keep: (of: string, task: Task): Promise<void> =>
      inLine(async () => {
        if (!claims.has(task.id)) {
          claims.add(task.id);
          await tabs.claim(claimOf(task.id));
        }
        await memory.set(task.id, { of, task });
      }, undefined),
    drop: (id: string): Promise<void> => inLine(() => memory.remove(id), undefined),
    /** What earlier visits of somebody left, the newest first. */
    recall: (of: string): Promise<readonly Task[]> =>
      inLine(async () => {
        const claimed = await tabs.claimed();
        const found: Task[] = [];
        for (const id of await memory.keys()) {
          const kept = await memory.get(id);
          if (!isKept(kept) || now() - (kept.task.startedAt ?? 0) >= LIFE) await memory.remove(id);
          else if (kept.of === of && !claimed.includes(claimOf(id))) found.push(kept.task);
        }
        found.sort((one, other) => (other.startedAt ?? 0) - (one.startedAt ?? 0));
        for (const { id } of found.splice(MOST)) await memory.remove(id);
        return found;
      }, []),
  };
}
