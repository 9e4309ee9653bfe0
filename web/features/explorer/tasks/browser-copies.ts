import { type ApiFailure, failureText, isFailure } from "../../../api/failure.ts";
import { t } from "../../../i18n/i18n.ts";
import type { BrowserCopy, CrossCopy } from "../../../transfer/cross-copy.ts";
import { isStaleAddress } from "../../../transfer/failures.ts";
import type { Transfer } from "../model/jobs.ts";
import { type Moved, type Outcome, type Trouble, troubleAt } from "../model/outcome.ts";
import type { BrowserTasks, Running } from "./browser-tasks.ts";
import type { TaskPart } from "./task.ts";

interface BrowserCopyPorts {
  readonly cross: CrossCopy;
  readonly tasks: Pick<BrowserTasks, "start">;
}

/** Has the server copy what it can, and copies the rest through this browser, as a task. Never throws. */
type CopyInBrowser = (transfers: readonly Transfer[], signal: AbortSignal) => Promise<Outcome>;

/** How many files are transferred at once. */
const AT_ONCE = 3;

/** One file of a task, and its state. */
interface CopyTask {
  file: BrowserCopy;
  readonly of: Transfer;
  state: "pending" | "completed" | "failed";
  trouble: Trouble | undefined;
  /** Its upload was used or dropped, so the server has to begin another for the next attempt. */
  spent: boolean;
}

/** Has the server begin the upload of a file again; undefined if there is nothing left to do. Throws ApiFailure. */
async function renewed(
  cross: CrossCopy,
  { file: { from, to }, of }: CopyTask,
  signal: AbortSignal,
): Promise<BrowserCopy | undefined> {
  const { byBrowser, failed } = await cross.plan({ from, to, replaces: of.replaces }, signal);
  const [why] = failed;
  if (why) throw new Error(why.reason);
  return byBrowser[0];
}

/** Copies a file, once more from the beginning if its addresses have expired. Throws ApiFailure. */
async function copyFresh(cross: CrossCopy, task: CopyTask, running: Running): Promise<void> {
  const { signal } = running;
  const { from } = task.file;
  const go = (file: BrowserCopy) =>
    cross.copy(file, {
      signal,
      onState: (state) => running.stands(from, state),
      // Each byte is downloaded and uploaded.
      onMoved: (bytes) => running.moved(bytes / 2, from),
    });
  const again = async () => {
    const file = await renewed(cross, task, signal);
    if (!file) return;
    task.file = file;
    await go(file);
  };
  const { spent } = task;
  task.spent = true;
  if (spent) return again();
  try {
    await go(task.file);
  } catch (error) {
    // Its addresses have expired while the files before it were copied.
    if (!isStaleAddress(error)) throw error;
    await again();
  }
}

/** Copies a file and notes its state. Throws when the task is cancelled. */
async function copyOne(cross: CrossCopy, task: CopyTask, running: Running): Promise<void> {
  const { from: path } = task.file;
  try {
    await copyFresh(cross, task, running);
    task.state = "completed";
    task.trouble = undefined;
    running.ended(path, undefined);
  } catch (error) {
    running.signal.throwIfAborted();
    const reason = isFailure(error) ? transferText(error) : String(error instanceof Error ? error.message : error);
    task.state = "failed";
    task.trouble = { path, reason, code: isFailure(error) ? error.code : undefined };
    running.ended(path, task.trouble);
  }
}

/** Copies all files that are left, several at once. */
async function copyAll(cross: CrossCopy, copyTasks: readonly CopyTask[], running: Running): Promise<void> {
  for (const task of copyTasks) if (task.state === "failed") task.state = "pending";
  running.plan(
    copyTasks.map(partOf),
    copyTasks.filter(isLeft).reduce((sum, { file }) => sum + file.size, 0),
  );
  const line = copyTasks.filter(isLeft);
  const lane = async () => {
    for (let task = line.shift(); task && !running.signal.aborted; task = line.shift())
      await copyOne(cross, task, running);
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    running.signal.throwIfAborted();
  } finally {
    // After a cancellation, the uploads that were not used are dropped, too.
    for (const task of copyTasks.filter(({ state, spent }) => state === "pending" && !spent)) {
      task.spent = true;
      void cross.drop(task.file);
    }
  }
}

/** Makes the copying between storages for visitors, who have no jobs, and for storages that the server cannot reach. */
export function createBrowserCopies({ cross, tasks }: BrowserCopyPorts): CopyInBrowser {
  return async (transfers, signal) => {
    const copyTasks: CopyTask[] = [];
    const done: Moved[] = [];
    const failed: Trouble[] = [];
    let skipped = 0;
    for (const one of transfers) {
      try {
        const plan = await cross.plan(one, signal);
        skipped += plan.skipped;
        failed.push(...plan.failed.map((trouble) => ({ ...trouble, code: undefined })));
        if (plan.byBrowser.length === 0 && plan.failed.length === 0 && plan.done > 0) done.push(one);
        const task = { of: one, state: "pending", trouble: undefined, spent: false } as const;
        copyTasks.push(...plan.byBrowser.map((file): CopyTask => ({ ...task, file })));
      } catch (error) {
        failed.push(troubleAt(one.from, error));
      }
    }
    const act = (running: Running) => copyAll(cross, copyTasks, running);
    if (copyTasks.length > 0)
      await tasks.start({ kind: "copy", parts: copyTasks.map(partOf), totalBytes: undefined, act });
    for (const { file, state, trouble } of copyTasks) {
      if (state === "completed") continue;
      const cancelled = { path: file.from, reason: t("explorer.outcome.cancelled"), code: "aborted" };
      failed.push(trouble ?? cancelled);
    }
    const carried = new Set(copyTasks.map(({ of }) => of));
    const whole = [...carried].filter((one) => copyTasks.every(({ of, state }) => of !== one || state === "completed"));
    return { done: [...done, ...whole], skipped, failed };
  };
}

const isLeft = ({ state }: CopyTask): boolean => state !== "completed";

const partOf = ({ file: { from, to }, state }: CopyTask): TaskPart => ({ path: from, target: to, state });

/** Returns why a copy between storages failed, as a sentence; the server's if there is no other. */
function transferText(failure: ApiFailure): string {
  const { code, status } = failure;
  if (code === "network" || code === "timeout") return t(`tasks.trouble.${code}`);
  if (code === "getRefused")
    return status === 404 ? t("tasks.trouble.vanished") : t("tasks.trouble.unread", { status });
  if (code === "putRefused") return t("tasks.trouble.unwritten", { status });
  return failureText(failure);
}
