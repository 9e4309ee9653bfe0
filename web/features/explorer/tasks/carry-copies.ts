import { isFailure } from "../../../api/failure.ts";
import { t } from "../../../i18n/i18n.ts";
import type { CarriedFile, CrossCopy } from "../../../transfer/cross-copy.ts";
import { isStaleAddress } from "../../../transfer/failures.ts";
import type { Transfer } from "../model/jobs.ts";
import { type Moved, type Outcome, type Trouble, troubleAt } from "../model/outcome.ts";
import type { BrowserTasks, Running } from "./browser-tasks.ts";
import type { TaskPart } from "./task.ts";
import { transferText } from "./transfer-text.ts";

interface CarryPorts {
  readonly cross: CrossCopy;
  readonly tasks: Pick<BrowserTasks, "start">;
}

/** Has the server copy what it can, and copies the rest through this browser, as a task. Never throws. */
type Carry = (transfers: readonly Transfer[], signal: AbortSignal) => Promise<Outcome>;

/** How many files are transferred at once. */
const AT_ONCE = 3;

/** One file of a task, and its state. */
interface Load {
  file: CarriedFile;
  readonly of: Transfer;
  state: "pending" | "completed" | "failed";
  trouble: Trouble | undefined;
  /** Its upload was used or dropped, so the server has to begin another for the next attempt. */
  spent: boolean;
}

/** Makes the copying between storages for visitors, who have no jobs, and for storages that the server cannot reach. */
export function createCarry({ cross, tasks }: CarryPorts): Carry {
  /** Has the server begin the upload of a file again; undefined if there is nothing left to do. Throws ApiFailure. */
  const renewed = async ({ file: { from, to }, of }: Load, signal: AbortSignal): Promise<CarriedFile | undefined> => {
    const { carried, failed } = await cross.plan({ from, to, replaces: of.replaces }, signal);
    const [why] = failed;
    if (why) throw new Error(why.reason);
    return carried[0];
  };

  const carryFresh = async (load: Load, running: Running): Promise<void> => {
    const { signal } = running;
    const { from } = load.file;
    const go = (file: CarriedFile) =>
      cross.carry(file, {
        signal,
        onState: (state) => running.stands(from, state),
        // Each byte is downloaded and uploaded.
        onMoved: (bytes) => running.moved(bytes / 2, from),
      });
    const again = async () => {
      const file = await renewed(load, signal);
      if (!file) return;
      load.file = file;
      await go(file);
    };
    const { spent } = load;
    load.spent = true;
    if (spent) return again();
    try {
      await go(load.file);
    } catch (error) {
      // Its addresses have expired while the files before it were copied.
      if (!isStaleAddress(error)) throw error;
      await again();
    }
  };

  const carryOne = async (load: Load, running: Running): Promise<void> => {
    const { from: path } = load.file;
    try {
      await carryFresh(load, running);
      load.state = "completed";
      load.trouble = undefined;
      running.ended(path, undefined);
    } catch (error) {
      running.signal.throwIfAborted();
      const reason = isFailure(error) ? transferText(error) : String(error instanceof Error ? error.message : error);
      load.state = "failed";
      load.trouble = { path, reason, code: isFailure(error) ? error.code : undefined };
      running.ended(path, load.trouble);
    }
  };

  const carryAll = (loads: readonly Load[]) => async (running: Running) => {
    for (const load of loads) if (load.state === "failed") load.state = "pending";
    running.plan(
      loads.map(partOf),
      loads.filter(isLeft).reduce((sum, { file }) => sum + file.size, 0),
    );
    const line = loads.filter(isLeft);
    const lane = async () => {
      for (let load = line.shift(); load && !running.signal.aborted; load = line.shift()) await carryOne(load, running);
    };
    try {
      await Promise.all(Array.from({ length: AT_ONCE }, lane));
      running.signal.throwIfAborted();
    } finally {
      // After a cancellation, the uploads that were not used are dropped, too.
      for (const load of loads.filter(({ state, spent }) => state === "pending" && !spent)) {
        load.spent = true;
        void cross.drop(load.file);
      }
    }
  };

  return async (transfers, signal) => {
    const loads: Load[] = [];
    const done: Moved[] = [];
    const failed: Trouble[] = [];
    let skipped = 0;
    for (const one of transfers) {
      try {
        const plan = await cross.plan(one, signal);
        skipped += plan.skipped;
        failed.push(...plan.failed.map((trouble) => ({ ...trouble, code: undefined })));
        if (plan.carried.length === 0 && plan.failed.length === 0 && plan.done > 0) done.push(one);
        const load = { of: one, state: "pending", trouble: undefined, spent: false } as const;
        loads.push(...plan.carried.map((file): Load => ({ ...load, file })));
      } catch (error) {
        failed.push(troubleAt(one.from, error));
      }
    }
    if (loads.length > 0)
      await tasks.start({ kind: "copy", parts: loads.map(partOf), totalBytes: undefined, act: carryAll(loads) });
    for (const { file, state, trouble } of loads) {
      if (state === "completed") continue;
      const cancelled = { path: file.from, reason: t("explorer.outcome.cancelled"), code: "aborted" };
      failed.push(trouble ?? cancelled);
    }
    const carried = new Set(loads.map(({ of }) => of));
    const whole = [...carried].filter((one) => loads.every(({ of, state }) => of !== one || state === "completed"));
    return { done: [...done, ...whole], skipped, failed };
  };
}

const isLeft = ({ state }: Load): boolean => state !== "completed";

const partOf = ({ file: { from, to }, state }: Load): TaskPart => ({ path: from, target: to, state });
