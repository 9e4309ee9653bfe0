import { fsCopies } from "#contract/fs-copies";
import { fsJobs, type JobRecord } from "#contract/fs-jobs";
import { MAX_JOB_TASKS } from "#contract/limits";
import type { Call } from "../../../api/call.ts";
import { isFailure } from "../../../api/failure.ts";
import { t } from "../../../i18n/i18n.ts";
import { PATIENCE } from "./acts.ts";
import { type Moved, noOutcome, type Outcome, together, troubleAt } from "./outcome.ts";

/** One file or folder that is to be copied or moved by the server. */
export interface Transfer extends Moved {
  readonly replaces: boolean;
}

/** What following a job needs of the world. */
export interface JobPorts {
  readonly call: Call;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** How a job is watched and called off. */
interface Watching {
  readonly onProgress: (job: JobRecord) => void;
  readonly signal: AbortSignal;
}

/** Milliseconds between two questions how far a job is: often at first, since most are short. */
const SOON = 150;
const LATER = 1500;
/** How often in a row such a question may go unanswered. */
const FORGIVEN = 20;

const ends: readonly JobRecord["state"][] = ["completed", "failed", "cancelled", "partial_complete"];

/** Has the server copy or move, and follows it to its end; when the signal aborts, the job is cancelled. Never throws. */
export async function transfer(
  ports: JobPorts,
  kind: "copy" | "move",
  transfers: readonly Transfer[],
  watching: Watching,
): Promise<Outcome> {
  const outcomes: Outcome[] = [];
  for (let start = 0; start < transfers.length; start += MAX_JOB_TASKS) {
    const some = transfers.slice(start, start + MAX_JOB_TASKS);
    try {
      const tasks = some.map(({ from, to, replaces }) => ({ kind, source: from, target: to, skipExisting: !replaces }));
      const { id } = (await ports.call(fsJobs.create, { body: { tasks } })).data;
      outcomes.push(outcomeOf(some, await follow(ports, id, watching)));
    } catch (error) {
      outcomes.push({ ...noOutcome, failed: some.map(({ from }) => troubleAt(from, error)) });
    }
  }
  return together(outcomes);
}

/** Waits for the end of a job. Throws ApiFailure when the server does not answer any more. */
async function follow({ call, sleep }: JobPorts, id: string, { onProgress, signal }: Watching): Promise<JobRecord> {
  let cancelled = false;
  let silent = 0;
  for (let pause = SOON; ; pause = Math.min(pause * 1.5, LATER)) {
    if (signal.aborted && !cancelled) {
      cancelled = true;
      await call(fsJobs.cancel, { params: { id } });
    }
    try {
      const job = (await call(fsJobs.read, { params: { id } })).data;
      silent = 0;
      onProgress(job);
      if (ends.includes(job.state)) return job;
    } catch (error) {
      silent += 1;
      const passes = isFailure(error, "network") || isFailure(error, "timeout");
      if (!passes || silent > FORGIVEN) throw error;
    }
    await sleep(pause, signal);
  }
}

/** What a job came to, in terms of what was asked for. */
function outcomeOf(transfers: readonly Transfer[], job: JobRecord): Outcome {
  const states = new Map(job.tasks.map(({ source, state }) => [source, state]));
  const failed = job.failures.map(({ path, error, message }) => ({ path, reason: message, code: error }));
  const isDone = ({ from }: Transfer) => (states.get(from) ?? job.state) === "completed";
  const done = transfers.filter(isDone);
  const told = failed.map(({ path }) => path);
  const silent = transfers.filter((one) => !isDone(one) && !told.some((path) => path.startsWith(one.from)));
  const reason =
    job.message ?? t(job.state === "cancelled" ? "explorer.outcome.cancelled" : "explorer.outcome.unknown");
  return {
    done,
    skipped: job.skipped_files,
    failed: [...failed, ...silent.map(({ from }) => ({ path: from, reason, code: job.error ?? undefined }))],
  };
}

/** Copies in one call, for visitors, who have no jobs: only within a storage. Never throws. */
export async function copyAtOnce(call: Call, transfers: readonly Transfer[]): Promise<Outcome> {
  const outcomes: Outcome[] = [];
  for (const one of transfers) {
    const { from, to, replaces } = one;
    try {
      const items = [{ sourcePath: from, targetPath: to }];
      const { data } = await call(fsCopies.batchCopy, { body: { items, skipExisting: !replaces }, patience: PATIENCE });
      const elsewhere = data.requiresClientSideCopy === true;
      const reason = t("explorer.outcome.signInToCopy");
      outcomes.push(
        elsewhere
          ? { ...noOutcome, failed: [{ path: from, reason, code: undefined }] }
          : { done: data.skipped ? [] : [one], skipped: data.skipped ?? 0, failed: [] },
      );
    } catch (error) {
      outcomes.push({ ...noOutcome, failed: [troubleAt(from, error)] });
    }
  }
  return together(outcomes);
}
