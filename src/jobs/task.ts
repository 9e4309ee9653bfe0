import type { Failure } from "#contract/failures";
import type { ConflictChoice } from "#contract/fs/jobs";
import type { Caller } from "../access/principal.ts";
import type { Protocol } from "../access/rights.ts";

/** One thing to do to a file, or to a folder with all below it. */
export type TreeTask =
  | { readonly kind: "copy"; readonly source: string; readonly target: string; readonly skipExisting: boolean }
  | { readonly kind: "move"; readonly source: string; readonly target: string; readonly skipExisting: boolean }
  | { readonly kind: "delete"; readonly source: string };

/** An archive whose content is put into the folder `target`. */
export interface Unpacking {
  readonly kind: "unpack";
  readonly source: string;
  readonly target: string;
  readonly onConflict: ConflictChoice;
}

export type Task = TreeTask | Unpacking;

/** What became of one file of a task. */
export interface Step {
  /** Where it was. */
  readonly path: string;
  readonly outcome: "done" | "skipped" | "failed";
  readonly bytes: number;
  /** The number of files: all of a folder that was done at once, none for an empty one; 1 by default. */
  readonly files?: number;
  readonly failure?: Failure;
  /** Of the version of a file that was copied. */
  readonly etag?: string;
  /** Where an interrupted task continues after this step; without one, it continues where it would have before. */
  readonly cursor?: string;
}

/** A move, copy or removal that is about to happen. */
export interface Intent {
  /** Where it is, as its step says it. */
  readonly path: string;
  /** The target path; null for a removal. */
  readonly target: string | null;
  /** The number of files and their bytes. */
  readonly files: number;
  readonly bytes: number;
  /** Whether it is all of the task, done at once. */
  readonly whole: boolean;
}

/**
 * The intents of a task. Each is recorded before its change and removed together with the record of its step, so that
 * each change is counted exactly once, whenever the process ends.
 */
export interface Intents {
  /** Those of a run that was broken off, by path. */
  readonly before: ReadonlyMap<string, Intent>;
  record(intents: readonly Intent[]): Promise<void>;
  /** Removes an intent whose change did not happen. */
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
  /** Returns the caller; called again before every file. Throws if the caller may no longer act. */
  readonly caller: () => Promise<Caller>;
  readonly protocol: Protocol;
  /** Tokens of locks that the request names. */
  readonly tokens?: readonly string[];
  /** The name of something that nobody else sees until it is complete. */
  readonly staging?: string | undefined;
  /** The cursor of the last step that was done before. */
  readonly after?: string | undefined;
  /**
   * Whether the task was interrupted, perhaps without a report of its last change: a missing source was moved or
   * deleted by then.
   */
  readonly again?: boolean;
  /** Without intents, an interrupted task counts only what it reported. */
  readonly intents?: Intents;
  readonly signal: AbortSignal;
}

/** The size of a task; for a large folder the index's figure, which may lag behind the storage. */
export interface Amount {
  /** Folders do not count. */
  readonly files: number;
  /** Bytes. */
  readonly bytes: number;
  /** Whether that is all as far as known, or only the part that was counted. */
  readonly exact: boolean;
}

/**
 * Does a task step by step, in the order of the source's keys, several files at once inside. A Failure of one file is a step;
 * one that is thrown ends the task.
 */
export type RunTask = (task: Task, conditions: Conditions) => AsyncGenerator<Step>;

export type CountTask = (task: Task, caller: Caller) => Promise<Amount>;
