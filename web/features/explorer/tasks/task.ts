import type { JobRecord, JobState } from "#contract/fs/jobs";
import { parentOf } from "#contract/paths";
import { forPeople } from "../../../api/failure.ts";
import { t } from "../../../i18n/i18n.ts";
import { bare } from "../../../lib/folder-path.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { named } from "../model/tree-calls.ts";

/** The state of a file. This browser's copies are also `downloading`, `preparing` (being uploaded) or `waiting` for a lost connection. */
export type PartState = JobState | "downloading" | "preparing" | "waiting";

/** A file that failed, and why. */
export interface TaskTrouble {
  readonly path: string;
  readonly reason: string;
}

/** One file or folder that a task is about. */
export interface TaskPart {
  readonly path: string;
  readonly target: string | undefined;
  readonly state: PartState;
}

/** A background task, on the server or in this browser, as the list shows it. */
export interface Task {
  readonly id: string;
  readonly where: "server" | "browser";
  readonly kind: "copy" | "move" | "delete" | "unpack" | "zip" | "upload";
  readonly state: JobState;
  readonly parts: readonly TaskPart[];
  /** Number of files and folders that were asked for; `parts` may not have all. */
  readonly count: number;
  /** Files. */
  readonly done: number;
  readonly failed: number;
  readonly skipped: number;
  readonly total: number | undefined;
  readonly doneBytes: number;
  readonly totalBytes: number | undefined;
  readonly current: string | undefined;
  readonly troubles: readonly TaskTrouble[];
  /** Why the whole task ended early. */
  readonly message: string | undefined;
  /** Why it waits for its storage, and until when it does at least. */
  readonly away?: { readonly reason: string; readonly until: string } | undefined;
  /** Epoch milliseconds. */
  readonly startedAt: number | undefined;
  readonly endedAt: number | undefined;
}

const ends: readonly JobState[] = ["completed", "failed", "cancelled", "partial_complete"];

/** Reports whether a task has ended, successfully or not. */
export const hasEnded = ({ state }: Pick<Task, "state">): boolean => ends.includes(state);

/** Returns the progress, 0 to 100; undefined if unknown. */
export function percentDone({ done, failed, skipped, total, doneBytes, totalBytes, state }: Task): number | undefined {
  if (state === "completed") return 100;
  const share = totalBytes ? doneBytes / totalBytes : total ? (done + failed + skipped) / total : undefined;
  return share === undefined ? undefined : Math.min(100, Math.floor(share * 100));
}

/** Returns bytes per second since the start; 0 if unknown. */
export function speedOf({ doneBytes, startedAt, endedAt }: Task, now: number): number {
  const seconds = startedAt === undefined ? 0 : ((endedAt ?? now) - startedAt) / 1000;
  return seconds < 1 ? 0 : doneBytes / seconds;
}

/** Names a task: one thing by its name, several by their number. */
export function titleOf({ kind, count, parts }: Task): string {
  const [part] = parts;
  if (count !== 1 || !part) return t(`tasks.kind.${kind}`, { count });
  return t(`tasks.named.${kind}`, { name: shownName(named(part.path)) });
}

/** Returns the folder that all known parts of a copy or move go into; undefined if there is none. */
export function folderOf({ kind, parts }: Task): string | undefined {
  if (kind !== "copy" && kind !== "move") return;
  const [folder, ...others] = new Set(parts.map(({ target }) => target && parentOf(bare(target))));
  return others.length > 0 ? undefined : folder;
}

const instant = (text: string | null): number | undefined => (text === null ? undefined : Date.parse(text));

/** Makes the task that shows a job of the server. */
export const taskOf = (job: JobRecord): Task => ({
  id: job.id,
  where: "server",
  kind: job.tasks[0]?.kind ?? "copy",
  state: job.state,
  parts: job.tasks.map(({ source, target, state }) => ({ path: source, target: target ?? undefined, state })),
  count: job.task_count,
  done: job.done_files,
  failed: job.failed_files,
  skipped: job.skipped_files,
  total: job.total_files ?? undefined,
  doneBytes: job.done_bytes,
  totalBytes: job.total_bytes ?? undefined,
  current: job.current ?? undefined,
  troubles: job.failures.map(({ path, message }) => ({ path, reason: forPeople(message) })),
  message: job.message === null ? undefined : forPeople(job.message),
  // A server of the version before does not say it.
  away: job.waiting ? { reason: forPeople(job.waiting.message), until: job.waiting.until } : undefined,
  startedAt: instant(job.started_at),
  endedAt: instant(job.finished_at),
});
