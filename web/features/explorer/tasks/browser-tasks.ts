import { createStore } from "../../../lib/store.ts";
import { createKeptTasks, type KeptPorts } from "./kept-tasks.ts";
import { hasEnded, type PartState, type Task, type TaskPart, type TaskTrouble } from "./task.ts";

/** How often what moves is shown and kept, in milliseconds. */
const TICK = 250;

interface Ports extends KeptPorts {
  readonly person: () => string;
}

/** What a running task says of itself. */
export interface Running {
  readonly signal: AbortSignal;
  /** What it is about, when that was not known or has become less; undefined bytes are not known. */
  plan(parts: readonly TaskPart[], totalBytes: number | undefined): void;
  /** A file has come into another state. */
  stands(path: string, state: PartState): void;
  /** Bytes that have just come; below zero when some have to come again. */
  moved(bytes: number, path: string): void;
  /** A file is there, or is not. */
  ended(path: string, trouble: TaskTrouble | undefined): void;
}

interface Start {
  readonly kind: Task["kind"];
  readonly parts: readonly TaskPart[];
  readonly totalBytes: number | undefined;
  readonly act: (running: Running) => Promise<void>;
}

/** Tasks that this page does itself. They end with the page; what became of them is remembered for a week. */
export function createBrowserTasks({ person, ...ports }: Ports) {
  const { now } = ports;
  const tasks = createStore<readonly Task[]>([]);
  const kept = createKeptTasks(ports);
  const stops = new Map<string, AbortController>();
  /** What a retry begins again, as long as the task is listed: it holds files. */
  const acts = new Map<string, Start>();
  const mine = new Set<string>();

  const keep = async (id: string): Promise<void> => {
    const task = tasks.get().find((one) => one.id === id);
    await (task ? kept.keep(person(), task) : kept.drop(id));
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
        plan: (parts, totalBytes) => {
          const done = parts.filter(({ state }) => state === "completed").length;
          change(id, () => ({ parts, totalBytes, done, count: parts.length, total: parts.length }));
        },
        stands: (path, state) => change(id, ({ parts }) => ({ parts: withState(parts, path, state) })),
        moved(more, path) {
          bytes += more;
          current = path;
        },
        ended: (path, trouble) =>
          change(id, ({ done, failed, parts, troubles }) => ({
            done: done + (trouble ? 0 : 1),
            failed: failed + (trouble ? 1 : 0),
            parts: withState(parts, path, trouble ? "failed" : "completed"),
            troubles: trouble ? [...troubles, trouble] : troubles,
          })),
      });
      change(id, ({ failed, done }) => ({
        state: failed === 0 ? "completed" : done > 0 ? "partial_complete" : "failed",
      }));
    } catch (error) {
      const state = stop.signal.aborted ? "cancelled" : "failed";
      const message = stop.signal.aborted || !(error instanceof Error) ? undefined : error.message;
      change(id, ({ parts }) => ({
        state,
        message,
        parts: parts.map((part) => (isOpen(part) ? { ...part, state } : part)),
      }));
    } finally {
      clearInterval(ticking);
      stops.delete(id);
      change(id, () => ({ doneBytes: bytes, current: undefined, endedAt: now() }));
      if (mine.has(id)) await keep(id);
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
    void keep(id);
    return run(id, start);
  };

  return {
    tasks,
    /** Begins a task; resolves when it has ended, however. */
    start: (start: Start): Promise<void> => begin(crypto.randomUUID(), start),
    /** Reads what earlier visits left; what was under way then has ended with them. */
    async recall(interrupted: (task: Task) => string): Promise<void> {
      const of = person();
      const left = (await kept.recall(of)).filter(({ id }) => !mine.has(id));
      if (person() !== of) return;
      const earlier = left.map(
        (task): Task =>
          hasEnded(task) ? task : { ...task, ...broken(task), message: interrupted(task), endedAt: now() },
      );
      tasks.set([...tasks.get().filter(({ id }) => mine.has(id)), ...earlier]);
    },
    cancel: (id: string) => stops.get(id)?.abort(),
    canRetry: (id: string) => acts.has(id) && !stops.has(id),
    retry(id: string): void {
      const start = acts.get(id);
      if (start && !stops.has(id)) void begin(id, start);
    },
    /** Shows and keeps a task that something else does, as it stands now; it is no longer under way after a reload. */
    note(task: Task): void {
      mine.add(task.id);
      tasks.set([task, ...tasks.get().filter(({ id }) => id !== task.id)]);
      void keep(task.id);
    },
    /** Takes a part out of a task that has ended: it is done otherwise, or not wanted any more. */
    dropPart(id: string, path: string): void {
      change(id, (task) => without(task, path));
      tasks.set(tasks.get().filter((task) => task.id !== id || task.count > 0));
      void keep(id);
    },
    remove(id: string): void {
      if (stops.has(id)) return;
      acts.delete(id);
      tasks.set(tasks.get().filter((task) => task.id !== id));
      void keep(id);
    },
    /** Somebody signs out: what runs is broken off, and nothing of it is shown to the next one. */
    forget(): void {
      for (const stop of stops.values()) stop.abort();
      acts.clear();
      mine.clear();
      tasks.set([]);
    },
  };
}

export type BrowserTasks = ReturnType<typeof createBrowserTasks>;

/** What is left of a task that its page has ended. */
const broken = ({ done }: Task): Pick<Task, "state"> => ({ state: done > 0 ? "partial_complete" : "failed" });

function without(task: Task, path: string): Partial<Task> {
  const part = task.parts.find((one) => one.path === path);
  if (!part) return {};
  const parts = task.parts.filter((one) => one !== part);
  const done = parts.every(({ state }) => state === "completed");
  return {
    ...{ parts, count: task.count - 1, total: task.count - 1 },
    failed: task.failed - (part.state === "failed" ? 1 : 0),
    troubles: task.troubles.filter((trouble) => trouble.path !== path),
    ...(done ? { state: "completed", message: undefined } : {}),
  };
}

const isOpen = ({ state }: TaskPart): boolean => !["completed", "failed"].includes(state);

const withState = (parts: readonly TaskPart[], path: string, state: PartState): TaskPart[] =>
  parts.map((part) => (part.path === path ? { ...part, state } : part));
