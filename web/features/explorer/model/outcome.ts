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

/** Returns where things are after these moves, which were made one after the other; something may have been moved several times. */
export function placesAfter(moves: readonly Moved[]): string[] {
  const places = new Set<string>();
  for (const { from, to } of moves) {
    places.delete(from);
    places.add(to);
  }
  return [...places];
}

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
