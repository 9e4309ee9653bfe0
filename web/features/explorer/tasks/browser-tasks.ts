import { createStore } from "../../../lib/store.ts";
import { createStoredTasks, type StoredTasksPorts } from "./stored-tasks.ts";
import { hasEnded, type PartState, type Task, type TaskPart, type TaskTrouble } from "./task.ts";

/** How often progress is published, in milliseconds. */
const TICK = 250;

interface Ports extends StoredTasksPorts {
  readonly person: () => string;
}

/** How a running task reports its progress. */
export interface Running {
  readonly signal: AbortSignal;
  /** Sets the files of the task and their bytes, if those are known only now or have changed. */
  plan(parts: readonly TaskPart[], totalBytes: number | undefined): void;
  /** Sets the state of a file. */
  stands(path: string, state: PartState): void;
  /** Adds bytes that have just been transferred; negative if some have to be transferred again. */
  moved(bytes: number, path: string): void;
  /** Records that a file has succeeded, or failed with a trouble. */
  ended(path: string, trouble: TaskTrouble | undefined): void;
}

interface Start {
  readonly kind: Task["kind"];
  readonly parts: readonly TaskPart[];
  readonly totalBytes: number | undefined;
  readonly act: (running: Running) => Promise<void>;
}

/** Makes how a running task reports: files are published at once by `change`, bytes by `show`. */
function createProgress(change: (part: (task: Task) => Partial<Task>) => void) {
  let bytes = 0;
  let current: string | undefined;
  const report: Omit<Running, "signal"> = {
    plan(parts, totalBytes) {
      const done = parts.filter(({ state }) => state === "completed").length;
      change(() => ({ parts, totalBytes, done, count: parts.length, total: parts.length }));
    },
    stands: (path, state) => change(({ parts }) => ({ parts: withState(parts, path, state) })),
    moved(more, path) {
      bytes += more;
      current = path;
    },
    ended: (path, trouble) =>
      change(({ done, failed, parts, troubles }) => ({
        done: done + (trouble ? 0 : 1),
        failed: failed + (trouble ? 1 : 0),
        parts: withState(parts, path, trouble ? "failed" : "completed"),
        troubles: trouble ? [...troubles, trouble] : troubles,
      })),
  };
  return { report, bytes: () => bytes, show: () => change(() => ({ doneBytes: bytes, current })) };
}

/** Returns a task that has just begun. */
const begun = (id: string, { kind, parts, totalBytes }: Start, startedAt: number): Task => ({
  ...{ id, where: "browser", kind, state: "running", parts, count: parts.length },
  ...{ done: 0, failed: 0, skipped: 0, total: parts.length, doneBytes: 0, totalBytes },
  ...{ current: undefined, troubles: [], message: undefined, startedAt, endedAt: undefined },
});

/** Makes the list of the tasks of this page and of earlier visits, which are remembered. */
function createTaskList({ person, ...ports }: Ports) {
  const tasks = createStore<readonly Task[]>([]);
  const stored = createStoredTasks(ports);
  /** Those of this page. */
  const ownIds = new Set<string>();

  const keep = async (id: string): Promise<void> => {
    const task = tasks.get().find((one) => one.id === id);
    await (task ? stored.keep(person(), task) : stored.drop(id));
  };
  const change = (id: string, part: (task: Task) => Partial<Task>) =>
    tasks.set(tasks.get().map((task) => (task.id === id ? { ...task, ...part(task) } : task)));

  return {
    tasks,
    change,
    /** Remembers a task as it is now, unless it was forgotten. */
    async keepOwn(id: string): Promise<void> {
      if (ownIds.has(id)) await keep(id);
    },
    /** Lists and remembers a task in its present state. */
    put(task: Task): void {
      ownIds.add(task.id);
      tasks.set([task, ...tasks.get().filter(({ id }) => id !== task.id)]);
      void keep(task.id);
    },
    /** Loads the tasks of earlier visits. Those that were running have ended with their page. */
    async recall(interrupted: (task: Task) => string): Promise<void> {
      const of = person();
      const left = (await stored.recall(of)).filter(({ id }) => !ownIds.has(id));
      if (person() !== of) return;
      const earlier = left.map(
        (task): Task =>
          hasEnded(task) ? task : { ...task, ...broken(task), message: interrupted(task), endedAt: ports.now() },
      );
      tasks.set([...tasks.get().filter(({ id }) => ownIds.has(id)), ...earlier]);
    },
    /** Removes a part of a task that has ended, because it was done otherwise or is no longer wanted. */
    dropPart(id: string, path: string): void {
      change(id, (task) => without(task, path));
      tasks.set(tasks.get().filter((task) => task.id !== id || task.count > 0));
      void keep(id);
    },
    remove(id: string): void {
      tasks.set(tasks.get().filter((task) => task.id !== id));
      void keep(id);
    },
    clear(): void {
      ownIds.clear();
      tasks.set([]);
    },
  };
}

/** Makes the tasks that run in this page. They end with the page; their results are remembered for a week. */
export function createBrowserTasks(ports: Ports) {
  const { now } = ports;
  const { change, ...list } = createTaskList(ports);
  const controllers = new Map<string, AbortController>();
  /** What a retry starts again. It may hold files, so it is kept only as long as the task is listed. */
  const starts = new Map<string, Start>();

  const run = async (id: string, { act }: Start): Promise<void> => {
    const stop = new AbortController();
    controllers.set(id, stop);
    const progress = createProgress((part) => change(id, part));
    const ticking = setInterval(progress.show, TICK);
    try {
      await act({ signal: stop.signal, ...progress.report });
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
      controllers.delete(id);
      change(id, () => ({ doneBytes: progress.bytes(), current: undefined, endedAt: now() }));
      await list.keepOwn(id);
    }
  };

  const begin = (id: string, start: Start): Promise<void> => {
    starts.set(id, start);
    list.put(begun(id, start, now()));
    return run(id, start);
  };

  return {
    tasks: list.tasks,
    /** Starts a task; resolves when it has ended, even by failure. */
    start: (start: Start): Promise<void> => begin(crypto.randomUUID(), start),
    recall: list.recall,
    cancel: (id: string) => controllers.get(id)?.abort(),
    canRetry: (id: string) => starts.has(id) && !controllers.has(id),
    retry(id: string): void {
      const start = starts.get(id);
      if (start && !controllers.has(id)) void begin(id, start);
    },
    /** Lists and remembers a task that is run elsewhere in this page, in its present state. */
    note: list.put,
    dropPart: list.dropPart,
    remove(id: string): void {
      if (controllers.has(id)) return;
      starts.delete(id);
      list.remove(id);
    },
    /** Cancels and hides all tasks, because the person signs out. */
    forget(): void {
      for (const stop of controllers.values()) stop.abort();
      starts.clear();
      list.clear();
    },
  };
}

export type BrowserTasks = ReturnType<typeof createBrowserTasks>;

/** Returns the state of a task whose page was closed while it ran. */
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
