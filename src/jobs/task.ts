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
  /** Lets a task that was broken off go on behind this step; without one it goes on where it would have before. */
  readonly cursor?: string;
}

/** What a task is about to move, copy or delete. */
export interface Intent {
  /** Where it is, as its step says it. */
  readonly path: string;
  /** Where it goes; null for what is deleted. */
  readonly target: string | null;
  /** How many files it stands for, and their bytes. */
  readonly files: number;
  readonly bytes: number;
  /** Whether it is all of the task, done at once. */
  readonly whole: boolean;
}

/**
 * The intents of a task. Each is recorded before its change and forgotten together with the record of its step, so that what was
 * changed is counted exactly once, whenever the process ends.
 */
export interface Intents {
  /** Those of a run that was broken off, by path. */
  readonly before: ReadonlyMap<string, Intent>;
  record(intents: readonly Intent[]): Promise<void>;
  /** Forgets one that came to nothing. */
  withdraw(path: string): Promise<void>;
}

/** A task that was begun elsewhere, and how far it is. */
export interface BegunTask {
  readonly task: Task;
  /** That of its last step; undefined when there was none. */
  readonly cursor?: string | undefined;
  /** Files. */
  readonly done: number;
  readonly skipped: number;
  readonly failed: number;
  /** Of the files that were done. */
  readonly bytes: number;
  /** The first of those that failed. */
  readonly failures: readonly { readonly path: string; readonly failure: Failure }[];
}

/** Under which conditions a task runs. */
export interface Conditions {
  /** Who it is done for, asked again before every file. Throws when they may no longer act. */
  readonly caller: () => Promise<Caller>;
  readonly door: Door;
  /** Tokens of locks that whoever began it named. */
  readonly tokens?: readonly string[];
  /** The cursor of the last step that was done before. */
  readonly after?: string | undefined;
  /**
   * Whether it was begun before and broken off, perhaps without a word of what was done last: a source that is gone has been
   * moved or deleted by then.
   */
  readonly again?: boolean;
  /** Without them a task that is broken off counts nothing that it did not tell. */
  readonly intents?: Intents;
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
