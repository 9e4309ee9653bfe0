import type { Replayed } from "./replay.ts";

/** The tag of the background sync, which wakes the worker when the connection is back. */
export const SYNC_TAG = "sync-offline-queue";

/** How long a page waits for the worker's answer, in milliseconds (SPEC section 9). */
export const WORKER_PATIENCE = 5000;

/** Messages of a page to the worker. */
export type ToWorker =
  | { readonly type: "SKIP_WAITING" }
  | { readonly type: "TAKE_OVER_ALONE" }
  | IsOfBuild
  | KeepWords
  | { readonly type: "GET_SYNC_STATUS" }
  | { readonly type: "REGISTER_BACKGROUND_SYNC" };

/** Asks a worker whether it is of the build whose pages begin with this script. */
export interface IsOfBuild {
  readonly type: "IS_OF_BUILD";
  readonly script: string | undefined;
}

/** Has the worker keep the words of the language that the page speaks. */
export interface KeepWords {
  readonly type: "KEEP_WORDS";
  readonly language: string;
}

/** Answer to GET_SYNC_STATUS. */
export interface SyncStatus {
  readonly pending: number;
  readonly rejected: number;
  readonly version: string;
}

/** Answer to REGISTER_BACKGROUND_SYNC: the browser wakes the worker later (`sync`), or the changes were sent at once (`replay`). */
export interface Registered {
  readonly via: "sync" | "replay";
}

/** Sent to every page after the worker has sent changes. */
export interface SyncCompleted {
  readonly type: "SYNC_COMPLETED";
  readonly replayed: Replayed;
}
