import { failureText, isFailure } from "../../../api/failure.ts";
import { t } from "../../../i18n/i18n.ts";

/** A file or folder for which an operation failed, and why, in the person's language. */
export interface Trouble {
  readonly path: string;
  readonly reason: string;
  /** The stable code, where there is one. */
  readonly code: string | undefined;
}

/** The code of what was left because somebody cancelled. */
export const CANCELLED = "cancelled";

/** The outcome of an operation on several files and folders. */
export interface Outcome {
  readonly done: readonly Moved[];
  /** Left as they were, on purpose. */
  readonly skipped: number;
  readonly failed: readonly Trouble[];
}

/** The paths before and after; both are the same for what was created or deleted. */
export interface Moved {
  readonly from: string;
  readonly to: string;
  /** The id in the trash of what was deleted and can come back. */
  readonly trash?: string;
}

/** Returns where what was at a path is after these moves, which were made one after the other; something may have been moved several times. */
export function placesByStart(moves: readonly Moved[]): ReadonlyMap<string, string> {
  const starts = new Map<string, string>();
  for (const { from, to } of moves) {
    const start = starts.get(from) ?? from;
    starts.delete(from);
    starts.set(to, start);
  }
  return new Map([...starts].map(([place, start]) => [start, place]));
}

/** Returns where things are after these moves. */
export const placesAfter = (moves: readonly Moved[]): string[] => [...placesByStart(moves).values()];

export const noOutcome: Outcome = { done: [], skipped: 0, failed: [] };

/** Combines several outcomes into one. */
export const together = (outcomes: readonly Outcome[]): Outcome => ({
  done: outcomes.flatMap(({ done }) => done),
  skipped: outcomes.reduce((sum, { skipped }) => sum + skipped, 0),
  failed: outcomes.flatMap(({ failed }) => failed),
});

/** Makes the trouble of a path from a caught error. */
export const troubleAt = (path: string, error: unknown): Trouble => ({
  path,
  reason: failureText(error),
  code: isFailure(error) ? error.code : undefined,
});

/** Makes the trouble of a path that was left because somebody cancelled. */
export const cancelledAt = (path: string): Trouble => ({
  path,
  reason: t("explorer.outcome.cancelled"),
  code: CANCELLED,
});
