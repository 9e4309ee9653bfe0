import { failureText, isFailure } from "../../../api/failure.ts";

/** A file or folder with which something could not be done, and why in the person's language. */
export interface Trouble {
  readonly path: string;
  readonly reason: string;
  /** The stable code, where there is one. */
  readonly code: string | undefined;
}

/** What became of several files and folders. */
export interface Outcome {
  readonly done: readonly Moved[];
  /** Left as they were, on purpose. */
  readonly skipped: number;
  readonly failed: readonly Trouble[];
}

/** From where to where; for what only appears or disappears both are the same. */
export interface Moved {
  readonly from: string;
  readonly to: string;
}

export const noOutcome: Outcome = { done: [], skipped: 0, failed: [] };

/** Several outcomes as one. */
export const together = (outcomes: readonly Outcome[]): Outcome => ({
  done: outcomes.flatMap(({ done }) => done),
  skipped: outcomes.reduce((sum, { skipped }) => sum + skipped, 0),
  failed: outcomes.flatMap(({ failed }) => failed),
});

/** Why something could not be done with a path. */
export const troubleAt = (path: string, error: unknown): Trouble => ({
  path,
  reason: failureText(error),
  code: isFailure(error) ? error.code : undefined,
});
