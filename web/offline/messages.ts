import type { Replayed } from "./replay.ts";

/** The tag under which a browser wakes the worker when the connection returns. */
export const SYNC_TAG = "sync-offline-queue";

/** How long a page waits for the worker's answer, in milliseconds (SPEC section 9). */
export const WORKER_PATIENCE = 5000;

/** What a page asks of the worker. */
export type ToWorker =
  | { readonly type: "SKIP_WAITING" }
  | { readonly type: "GET_SYNC_STATUS" }
  | { readonly type: "REGISTER_BACKGROUND_SYNC" };

/** Answer to GET_SYNC_STATUS. */
export interface SyncStatus {
  readonly pending: number;
  readonly rejected: number;
  readonly version: string;
}

/** Answer to REGISTER_BACKGROUND_SYNC: whether the browser wakes the worker by itself, or the changes were sent at once. */
export interface Registered {
  readonly via: "sync" | "replay";
}

/** What the worker tells every page once it has sent changes. */
export interface SyncCompleted {
  readonly type: "SYNC_COMPLETED";
  readonly replayed: Replayed;
}
