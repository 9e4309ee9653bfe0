import type { Tabs } from "../../../lib/tabs.ts";
import type { Memory } from "../../../transfer/ports.ts";
import type { Task } from "./task.ts";

/** How long tasks are remembered, in milliseconds: as long as the server remembers its own. */
const LIFE = 7 * 24 * 60 * 60_000;
/** How many tasks are remembered; the oldest are deleted first. */
const MOST = 200;

export interface StoredTasksPorts {
  readonly memory: Memory;
  readonly now: () => number;
  readonly tabs: Pick<Tabs, "claim" | "claimed">;
}

interface StoredTask {
  /** The person it belongs to. */
  readonly of: string;
  readonly task: Task;
}

// Another version of the app may have written it.
const isKept = (value: unknown): value is StoredTask => {
  if (typeof value !== "object" || value === null || !("of" in value) || !("task" in value)) return false;
  const { task } = value;
  return typeof task === "object" && task !== null && "id" in task && "parts" in task && Array.isArray(task.parts);
};

const claimOf = (id: string): string => `satchel task ${id}`;

/** Stores the tasks of this browser, each in its own entry because all tabs store theirs. If storage fails, nothing is remembered. */
export function createStoredTasks({ memory, now, tabs }: StoredTasksPorts) {
  const claims = new Set<string>();
  // One after the other, so that a pending write cannot restore what was deleted after it.
  let line: Promise<unknown> = Promise.resolve();
  const inLine = <T>(act: () => Promise<T>, otherwise: T): Promise<T> => {
    const done = line.then(act).catch(() => otherwise);
    line = done;
    return done;
  };

  return {
    /** Stores a task of this page in its present state. Other tabs ignore it as long as this page is open. */
    keep: (of: string, task: Task): Promise<void> =>
      inLine(async () => {
        if (!claims.has(task.id)) {
          claims.add(task.id);
          await tabs.claim(claimOf(task.id));
        }
        await memory.set(task.id, { of, task });
      }, undefined),
    drop: (id: string): Promise<void> => inLine(() => memory.remove(id), undefined),
    /** Returns a person's tasks of earlier visits, newest first. */
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
