import type { Failure } from "#contract/failures";
import type { Caller } from "../access/principal.ts";
import type { Door } from "../access/rights.ts";

/** One thing to do to a file, or to a folder with all below it. */
export type Task =
  | { readonly kind: "copy"; readonly source: string; readonly target: string; readonly skipExisting: boolean }
  | { readonly kind: "move"; readonly source: string; readonly target: string; readonly skipExisting: boolean }
  | { readonly kind: "delete"; readonly source: string };

/** What became of one file of a task. */
export interface Step {
  /** Where it was. */
  readonly path: string;
  readonly outcome: "done" | "skipped" | "failed";
  readonly bytes: number;
  /** How many files it stands for: all of a folder that was done at once, none for one that is empty; one unless said. */
  readonly files?: number;
  readonly failure?: Failure;
  /** Lets a task that was broken off go on behind this step. */
  readonly cursor: string;
}

/** Under which conditions a task runs. */
export interface Conditions {
  /** Who it is done for, asked again before every file. Throws when they may no longer act. */
  readonly caller: () => Promise<Caller>;
  readonly door: Door;
  /** The cursor of the last step that was done before. */
  readonly after?: string | undefined;
  /**
   * Whether it was begun before and broken off, perhaps without a word of what was done last: a source that is gone has been
   * moved or deleted by then.
   */
  readonly again?: boolean;
  readonly signal: AbortSignal;
}

/** How much a task has before it; of a large folder what the index knows, which may be behind what lies in the storage. */
export interface Amount {
  /** Folders do not count. */
  readonly files: number;
  /** Bytes. */
  readonly bytes: number;
  /** Whether that is all, as far as anybody knows, or only as far as was counted. */
  readonly exact: boolean;
}

/**
 * Does a task step by step, in the order of the source's keys, several files at once inside. A Failure of one file is a step;
 * one that is thrown ends the task.
 */
export type RunTask = (task: Task, conditions: Conditions) => AsyncGenerator<Step>;

export type CountTask = (task: Task, caller: Caller) => Promise<Amount>;
