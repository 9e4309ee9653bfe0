import { Failure } from "#contract/failures";
import type { ClientCopy } from "#contract/fs/copies";
import { MAX_CLIENT_COPY } from "#contract/limits";
import type { Caller } from "../../../access/principal.ts";
import type { House } from "../../../house.ts";
import { runBatch } from "../../../jobs/batch.ts";
import type { Task } from "../../../jobs/task.ts";
import { createYielder } from "../../../lib/turns.ts";
import type { CopyRequest } from "../../../vfs/view.ts";
import { createClientCopies } from "./client-copies.ts";

/** How far the copy of one item is. */
interface Progress {
  readonly paths: Paths;
  done: number;
  skipped: number;
  failed: number;
  /** Of the files that were done. */
  bytes: number;
  /** The first of the failures. */
  readonly failures: { readonly path: string; readonly failure: Failure }[];
  crossing?: ClientCopy;
  /** The items that a storage copies, and their progress. */
  task?: Task & { readonly kind: "copy" };
  cursor?: string;
  /** Whether nothing of it is left to do. */
  ended: boolean;
}

/** Who requests the copies. */
interface Requester {
  readonly caller: Caller;
  /** The URL under which the caller reaches this server. */
  readonly base: string;
  readonly signal: AbortSignal;
}

export type Paths = Pick<CopyRequest, "source" | "target">;

interface Bounds {
  readonly skipExisting: boolean;
  /** Files that the caller may be given to copy itself. */
  readonly most: number;
}

/** The most failures of one item that an answer names. */
const MAX_FAILURES = 100;

/** Whether the caller carries the bytes between two paths itself. */
async function needsClient(vfs: House["vfs"], { caller }: Requester, paths: Paths): Promise<boolean> {
  try {
    return (await vfs.as(caller, "mount")).isClientCopy(paths);
  } catch (error) {
    // Forbidden paths are refused in their turn.
    if (!(error instanceof Failure)) throw error;
    return false;
  }
}

/** Copies items, each within a storage at once or, to another storage, by the caller. */
export function createBatchCopy({
  vfs,
  jobs,
  transfers,
  access,
}: Pick<House, "vfs" | "jobs" | "transfers" | "access">) {
  const shown = createClientCopies({ vfs, transfers });

  /** Copies within a storage. */
  const within = async ({ caller, signal }: Requester, copyRequest: CopyRequest, progress: Progress): Promise<void> => {
    const conditions = { caller: () => access.callers.now(caller), protocol: "mount", signal } as const;
    const task = { kind: "copy", ...copyRequest } as const;
    progress.task = task;
    for await (const { outcome, path, bytes, failure, cursor } of jobs.run(task, conditions)) {
      progress[outcome] += 1;
      progress.bytes += outcome === "done" ? bytes : 0;
      progress.cursor = cursor;
      if (failure && progress.failures.length < MAX_FAILURES) progress.failures.push({ path, failure });
    }
    progress.ended = !signal.aborted;
  };

  /** A copy onto itself gets a name of its own. */
  const requestOf = async (
    { caller }: Requester,
    { source, target }: Paths,
    skipExisting: boolean,
  ): Promise<CopyRequest> => {
    if (source !== target) return { source, target, skipExisting };
    const view = await vfs.as(caller, "mount");
    return { source, target: await view.at(target).numberedPath(), skipExisting };
  };

  /** Copies one item, and returns how many files the client has to copy itself. */
  const copy = async (requester: Requester, progress: Progress, { skipExisting, most }: Bounds): Promise<number> => {
    const { paths } = progress;
    if (requester.signal.aborted) return 0;
    try {
      const copyRequest = await requestOf(requester, paths, skipExisting);
      const view = await vfs.as(requester.caller, "mount");
      const crossing = await view.clientCopy(copyRequest, most);
      if (!crossing) {
        await within(requester, copyRequest, progress);
        return 0;
      }
      if (crossing.files.length > 0) progress.crossing = await shown(crossing, requester);
      Object.assign(progress, { done: crossing.made, skipped: crossing.skipped, ended: true });
      return crossing.files.length;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      fail(progress, error);
      return 0;
    }
  };

  /** Copies as much as there is time for, several items at once. */
  const copyAll = async (requester: Requester, all: readonly Progress[], skipExisting: boolean): Promise<void> => {
    let most = MAX_CLIENT_COPY;
    const crossing: boolean[] = [];
    const yielder = createYielder();
    for (const { paths } of all) {
      crossing.push(await needsClient(vfs, requester, paths));
      await yielder.yieldIfDue();
    }
    const items = all.map(({ paths }) => paths);
    // Counts the items that the caller copies itself, one after the other.
    await runBatch(
      items,
      (_, index) => crossing[index] === true,
      async (index) => {
        const progress = all[index];
        if (progress) most -= await copy(requester, progress, { skipExisting, most });
      },
    );
  };

  /** Creates a job for the copies that are not done, and returns its id; without a job, each copy fails with the reason. */
  const continueAsJob = async ({ caller }: Requester, left: readonly Progress[], skipExisting: boolean) => {
    try {
      const tasks = left.map(({ paths, task, ...progress }) => ({
        ...progress,
        task: task ?? ({ kind: "copy", ...paths, skipExisting } as const),
      }));
      return tasks.length === 0 ? undefined : await jobs.createBegun(caller, tasks);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      for (const progress of left) fail(progress, error);
      return undefined;
    }
  };

  return { copyAll, continueAsJob };
}

/** Notes that an item is not copied. */
function fail(progress: Progress, failure: Failure): void {
  progress.failed += 1;
  progress.failures.push({ path: progress.paths.source, failure });
  progress.ended = true;
}

/** How far a copy is now. Only a request finds a free name, so a copy onto itself that is not done fails as busy. */
export function stateOf(progress: Progress): Progress {
  const state = { ...progress, failures: [...progress.failures] };
  const { paths, task, ended } = state;
  if (!ended && !task && paths.source === paths.target) fail(state, new Failure("storage.busy"));
  return state;
}

export const begun = (paths: Paths): Progress => ({
  ...{ paths, done: 0, skipped: 0, failed: 0, bytes: 0, failures: [], ended: false },
});
