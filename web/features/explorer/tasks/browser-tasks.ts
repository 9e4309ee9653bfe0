import { createStore } from "../../../lib/store.ts";
import type { Memory } from "../../../transfer/ports.ts";
import { hasEnded, type Task, type TaskPart, type TaskTrouble } from "./task.ts";

/** How long tasks are remembered, in milliseconds: as long as the server remembers its own. */
const LIFE = 7 * 24 * 60 * 60_000;
const KEY = "cloudpaste_tasks";
/** How often what moves is shown and kept, in milliseconds. */
const TICK = 250;

interface Ports {
  readonly memory: Memory;
  readonly now: () => number;
  readonly person: () => string;
}

interface Kept {
  readonly of: string;
  readonly tasks: readonly Task[];
}

const isKept = (value: unknown): value is Kept =>
  typeof value === "object" && value !== null && "of" in value && "tasks" in value && Array.isArray(value.tasks);

/** What a running task says of itself. */
interface Running {
  readonly signal: AbortSignal;
  /** Bytes that have just come. */
  moved(bytes: number, path: string): void;
  /** A file is there, or is not. */
  ended(path: string, trouble: TaskTrouble | undefined): void;
}

interface Start {
  readonly kind: Task["kind"];
  readonly parts: readonly TaskPart[];
  readonly totalBytes: number;
  readonly act: (running: Running) => Promise<void>;
}

/** Tasks that this page does itself. They end with the page; what became of them is remembered for a week. */
export function createBrowserTasks({ memory, now, person }: Ports) {
  const tasks = createStore<readonly Task[]>([]);
  const stops = new Map<string, AbortController>();
  const acts = new Map<string, Start>();
  const mine = new Set<string>();

  const keep = async () => {
    try {
      await memory.set(KEY, { of: person(), tasks: tasks.get() });
    } catch {
      // A browser that remembers nothing still does the task.
      return;
    }
  };
  const change = (id: string, part: (task: Task) => Partial<Task>) =>
    tasks.set(tasks.get().map((task) => (task.id === id ? { ...task, ...part(task) } : task)));

  const run = async (id: string, { act }: Start): Promise<void> => {
    const stop = new AbortController();
    stops.set(id, stop);
    let bytes = 0;
    let current: string | undefined;
    const show = () => change(id, () => ({ doneBytes: bytes, current }));
    const ticking = setInterval(show, TICK);
    try {
      await act({
        signal: stop.signal,
        moved(more, path) {
          bytes += more;
          current = path;
        },
        ended: (path, trouble) =>
          change(id, ({ done, failed, parts, troubles }) => ({
            done: done + (trouble ? 0 : 1),
            failed: failed + (trouble ? 1 : 0),
            parts: parts.map((part) =>
              part.path === path ? { ...part, state: trouble ? "failed" : "completed" } : part,
            ),
            troubles: trouble ? [...troubles, trouble] : troubles,
          })),
      });
      change(id, ({ failed, done }) => ({
        state: failed === 0 ? "completed" : done > 0 ? "partial_complete" : "failed",
      }));
    } catch (error) {
      const state = stop.signal.aborted ? "cancelled" : "failed";
      const message = stop.signal.aborted || !(error instanceof Error) ? undefined : error.message;
      change(id, () => ({ state, message }));
    } finally {
      clearInterval(ticking);
      stops.delete(id);
      change(id, () => ({ doneBytes: bytes, current: undefined, endedAt: now() }));
      await keep();
    }
  };

  const begin = (id: string, start: Start): Promise<void> => {
    const { kind, parts, totalBytes } = start;
    const task: Task = {
      ...{ id, where: "browser", kind, state: "running", parts, count: parts.length },
      ...{ done: 0, failed: 0, skipped: 0, total: parts.length, doneBytes: 0, totalBytes },
      ...{ current: undefined, troubles: [], message: undefined, startedAt: now(), endedAt: undefined },
    };
    acts.set(id, start);
    mine.add(id);
    tasks.set([task, ...tasks.get().filter((one) => one.id !== id)]);
    void keep();
    return run(id, start);
  };

  return {
    tasks,
    /** Begins a task; resolves when it has ended, however. */
    start: (start: Start): Promise<void> => begin(crypto.randomUUID(), start),
    /** Reads what earlier visits left; what was under way then has ended with them. */
    async recall(interrupted: string): Promise<void> {
      const kept = await memory.get(KEY).catch(() => undefined);
      const young = isKept(kept) && kept.of === person() ? kept.tasks : [];
      const earlier = young
        .filter(({ id, startedAt = 0 }) => !mine.has(id) && now() - startedAt < LIFE)
        .map(
          (task): Task => (hasEnded(task) ? task : { ...task, state: "failed", message: interrupted, endedAt: now() }),
        );
      tasks.set([...tasks.get().filter(({ id }) => mine.has(id)), ...earlier]);
    },
    cancel: (id: string) => stops.get(id)?.abort(),
    canRetry: (id: string) => acts.has(id) && !stops.has(id),
    retry(id: string): void {
      const start = acts.get(id);
      if (start && !stops.has(id)) void begin(id, start);
    },
    remove(id: string): void {
      if (stops.has(id)) return;
      tasks.set(tasks.get().filter((task) => task.id !== id));
      void keep();
    },
    /** Somebody signs out: what runs is broken off, and nothing of it is shown to the next one. */
    forget(): void {
      for (const stop of stops.values()) stop.abort();
      mine.clear();
      tasks.set([]);
    },
  };
}
