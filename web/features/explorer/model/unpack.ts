import { type ConflictChoice, fsJobs, type JobRecord } from "#contract/fs/jobs";
import { parentOf } from "#contract/paths";
import type { Call } from "../../../api/call.ts";
import { forPeople } from "../../../api/failure.ts";
import { t } from "../../../i18n/i18n.ts";
import { asFolder, bare } from "../../../lib/folder-path.ts";
import type { JobPorts } from "./jobs.ts";
import type { RunningOperation } from "./notes.ts";
import { noOutcome, type Outcome, troubleAt } from "./outcome.ts";

/** How an archive is unpacked. */
export interface Unpacked {
  /** A folder; undefined is a new one beside the archive. */
  readonly target: string | undefined;
  readonly onConflict: ConflictChoice;
}

interface UnpackPorts extends JobPorts {
  readonly call: Call;
  /** Reloads folders that have changed. */
  readonly renew: (...folders: string[]) => Promise<void>;
}

/** Has the server unpack an archive, and follows the job to its end. Never throws. */
export async function unpack(
  { call, feed, renew }: UnpackPorts,
  path: string,
  { target, onConflict }: Unpacked,
  running: RunningOperation,
): Promise<Outcome> {
  try {
    const job = (await call(fsJobs.unpack, { body: { path, target, onConflict } })).data;
    const folder = job.tasks[0]?.target ?? parentOf(path);
    const ended = await feed.follow(job.id, running);
    await renew(folder, parentOf(bare(path)));
    return outcomeOf(ended, path, folder);
  } catch (error) {
    return { ...noOutcome, failed: [troubleAt(path, error)] };
  }
}

/** What was left out is told as well, although it is no failure of the job. */
function outcomeOf(job: JobRecord, path: string, folder: string): Outcome {
  const troubles = job.failures.map(({ path, error, message }) => ({ path, reason: forPeople(message), code: error }));
  const reason =
    job.message ?? t(job.state === "cancelled" ? "explorer.outcome.cancelled" : "explorer.outcome.unknown");
  const isOver = job.state === "completed" || troubles.length > 0;
  return {
    done: job.done_files > 0 || job.state === "completed" ? [{ from: path, to: asFolder(folder) }] : [],
    skipped: job.skipped_files,
    failed: isOver ? troubles : [{ path, reason, code: job.error ?? undefined }],
  };
}
