import { join } from "#contract/paths";
import { watchStates } from "../../../transfer/list/watch-states.ts";
import type { UploadItem, Uploads } from "../../../transfer/uploads.ts";
import { problemText } from "../../../ui/upload-row/problems.ts";
import type { BrowserTasks } from "../tasks/browser-tasks.ts";
import type { PartState, Task } from "../tasks/task.ts";

interface RecordPorts {
  readonly uploads: Uploads;
  readonly tasks: Pick<BrowserTasks, "note" | "remove">;
  readonly now: () => number;
  readonly newId: () => string;
}

/** Files of a record that are named one by one; those that are not there come first. */
const NAMED = 500;
/** How long changes are collected before they are kept, in milliseconds. */
const SETTLED = 400;

const states: Readonly<Record<UploadItem["state"], PartState>> = {
  idle: "pending",
  uploading: "running",
  paused: "pending",
  completed: "completed",
  failed: "failed",
  aborted: "cancelled",
};

const isUnderWay = ({ state }: UploadItem): boolean => state === "idle" || state === "uploading" || state === "paused";

/** The path at which a file is to arrive. */
const pathOf = ({ folder, name }: UploadItem): string => join(folder, name);

function stateOf(items: readonly UploadItem[]): Task["state"] {
  if (items.some(isUnderWay)) return "running";
  const completed = items.some(({ state }) => state === "completed");
  if (items.some(({ state }) => state === "failed")) return completed ? "partial_complete" : "failed";
  return completed ? "completed" : "cancelled";
}

function recordOf(id: string, items: readonly UploadItem[], startedAt: number, now: number): Task {
  const of = (...wanted: UploadItem["state"][]) => items.filter(({ state }) => wanted.includes(state));
  const [done, failed] = [of("completed"), of("failed")];
  const named = [...items.filter(isUnderWay), ...failed, ...done, ...of("aborted")].slice(0, NAMED);
  const bytes = (some: readonly UploadItem[]) => some.reduce((sum, { sent }) => sum + sent, 0);
  const state = stateOf(items);
  return {
    ...{ id, where: "browser", kind: "upload", state, count: items.length, skipped: of("aborted").length },
    parts: named.map((item) => ({ path: pathOf(item), target: undefined, state: states[item.state] })),
    ...{ done: done.length, failed: failed.length, total: items.length, doneBytes: bytes(done) },
    totalBytes: items.reduce((sum, { file }) => sum + file.size, 0),
    current: undefined,
    troubles: failed.slice(0, NAMED).flatMap((item) => {
      const { failure } = item;
      return failure ? { path: pathOf(item), reason: problemText(failure, item) } : [];
    }),
    ...{ message: undefined, startedAt, endedAt: state === "running" ? undefined : now },
  };
}

/**
 * Keeps among the tasks what becomes of the uploads of a visit, so that the next one knows which were cut off. Answers the id of
 * the record that is being written: the uploads themselves are shown in its place.
 */
export function createUploadRecord({ uploads, tasks, now, newId }: RecordPorts) {
  let id = newId();
  let startedAt: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const write = () => {
    timer = undefined;
    const items = uploads.items.get();
    if (items.length === 0 || startedAt === undefined) return;
    tasks.note(recordOf(id, items, startedAt, now()));
  };

  watchStates(uploads, (_, items) => {
    if (items.length === 0) {
      // What comes next is another task; this one was taken off the list, or belongs to somebody who has left.
      clearTimeout(timer);
      timer = undefined;
      startedAt = undefined;
      id = newId();
      return;
    }
    // What has begun is kept at once: the page may close at any time.
    if (startedAt === undefined) {
      startedAt = now();
      return write();
    }
    timer ??= setTimeout(write, SETTLED);
  });

  return {
    current: () => id,
    /** Takes the uploads that have ended off the list, and what is kept of them. */
    clear(): void {
      const before = id;
      uploads.clear();
      if (uploads.items.get().length === 0) tasks.remove(before);
    },
  };
}
