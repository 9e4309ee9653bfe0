import { fsJobs, type JobRecord } from "#contract/fs/jobs";
import { MAX_JOB_TASKS } from "#contract/limits";
import type { Call } from "../../../api/call.ts";
import { forPeople } from "../../../api/failure.ts";
import { t } from "../../../i18n/i18n.ts";
import { isAtOrBelow } from "../../../lib/folder-path.ts";
import type { JobFeed, Watching } from "./job-feed.ts";
import { CANCELLED, type Moved, noOutcome, type Outcome, together, troubleAt } from "./outcome.ts";

/** A file or folder that the server is to copy or move. */
export interface Transfer extends Moved {
  readonly replaces: boolean;
}

/** What following a job needs. */
export interface JobPorts {
  readonly call: Call;
  readonly feed: Pick<JobFeed, "follow">;
}

/** Has the server copy or move, and follows the job to its end. The job is cancelled when the signal aborts. Never throws. */
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
      outcomes.push(outcomeOf(some, await ports.feed.follow(id, watching)));
    } catch (error) {
      outcomes.push({ ...noOutcome, failed: some.map(({ from }) => troubleAt(from, error)) });
    }
  }
  return together(outcomes);
}

/** Returns the outcome of a job in terms of what was asked for. */
function outcomeOf(transfers: readonly Transfer[], job: JobRecord): Outcome {
  const states = new Map(job.tasks.map(({ source, state }) => [source, state]));
  const failed = job.failures.map(({ path, error, message }) => ({ path, reason: forPeople(message), code: error }));
  const isDone = ({ from }: Transfer) => (states.get(from) ?? job.state) === "completed";
  const done = transfers.filter(isDone);
  const failedPaths = failed.map(({ path }) => path);
  const silent = transfers.filter((one) => !isDone(one) && !failedPaths.some((path) => isAtOrBelow(path, one.from)));
  const isCancelled = job.state === "cancelled" && job.message === null;
  const reason = job.message ?? t(isCancelled ? "explorer.outcome.cancelled" : "explorer.outcome.unknown");
  const code = isCancelled ? CANCELLED : (job.error ?? undefined);
  return {
    done,
    skipped: job.skipped_files,
    failed: [...failed, ...silent.map(({ from }) => ({ path: from, reason, code }))],
  };
}
