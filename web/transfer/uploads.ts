import type { FileRecord } from "#contract/files";
import type { ApiFailure } from "../api/failure.ts";
import type { Store } from "../lib/store.ts";

/** The shapes of the upload machine: what a page sees of it and asks of it. create-uploads.ts makes one. */

export type UploadState = "idle" | "uploading" | "paused" | "completed" | "failed" | "aborted";

/** One file on its way, as a row shows it. A new object at each change. */
export interface UploadItem {
  readonly id: string;
  readonly file: File;
  readonly state: UploadState;
  /** Bytes that have arrived, of file.size. */
  readonly sent: number;
  /** Bytes per second over the last seconds; 0 while it stands. */
  readonly speed: number;
  /** Seconds; undefined when nobody can tell. */
  readonly secondsLeft: number | undefined;
  /** Bytes that an earlier visit had brought there already. */
  readonly resumed: number;
  readonly multipart: boolean;
  /** Waits for the connection or for its turn. */
  readonly waiting: "turn" | "connection" | undefined;
  /** Every byte is there and the server is making the share of it. */
  readonly finishing: boolean;
  readonly failure: ApiFailure | undefined;
  readonly result: FileRecord | undefined;
  readonly canPause: boolean;
  /** Paused, or failed with parts that are there and need not be sent again: resume() is for the first, retry() for the second. */
  readonly canResume: boolean;
  readonly canRetry: boolean;
  /** The last part of the share's link, as soon as the server has said it. */
  readonly slug: string | undefined;
  /** Goes on with what an earlier visit began: its slug, password, expiry and limit are those of then. */
  readonly continues: boolean;
}

/** All rows that were started and not given up, as one. */
export interface UploadTotals {
  readonly files: number;
  readonly completed: number;
  readonly failed: number;
  readonly sent: number;
  readonly size: number;
  /** Bytes per second over the last seconds. */
  readonly speed: number;
  /** Seconds until everything that moves is there; undefined when nobody can tell. */
  readonly secondsLeft: number | undefined;
  /** Whether any row is uploading. */
  readonly active: boolean;
}

/** What a share shall be; what is left out is the server's default. */
export interface UploadOptions {
  readonly storageId?: string;
  readonly path?: string;
  readonly slug?: string;
  readonly remark?: string;
  readonly password?: string;
  /** An instant as ISO 8601; null is never. */
  readonly expiresAt?: string | null;
  readonly maxViews?: number;
  readonly useProxy?: boolean;
}

/** A large upload that an earlier visit (or a removed row) left: the same file, picked again and started, goes on with it. */
export interface UnfinishedUpload {
  readonly key: string;
  readonly name: string;
  readonly size: number;
  /** Bytes that had arrived when it was last seen. */
  readonly sent: number;
  readonly slug: string;
  /** Epoch milliseconds. */
  readonly savedAt: number;
}

export interface Uploads {
  readonly items: Store<readonly UploadItem[]>;
  readonly totals: Store<UploadTotals>;
  /** What the browser remembers beside the rows; filled by recall(). */
  readonly unfinished: Store<readonly UnfinishedUpload[]>;
  /**
   * Adds files as idle rows; one with the name, size and date of a row that is there is passed over (unless that one was
   * given up: then the new row takes its place). Answers how many were passed over.
   */
  add(files: readonly File[]): number;
  /** Starts every idle row with these options; several files with one slug get -1, -2, ... */
  start(options: UploadOptions): void;
  /** Stops a row that is uploading; not while it is `finishing`. */
  pause(id: string): void;
  /** Goes on with a paused row. Throws ApiFailure notPaused for one that stands for another reason. */
  resume(id: string): void;
  /** Tries a failed row again; what has arrived is not sent again. Changed options count while the server has nothing of it. */
  retry(id: string, changes?: UploadOptions): void;
  /** Gives up: aborts what is in flight and deletes on the server what was begun. Never rejects. */
  cancel(id: string): Promise<void>;
  /** Takes a row that does not move out of the list. What has arrived of a large one stays in `unfinished`. */
  remove(id: string): void;
  pauseAll(): void;
  resumeAll(): void;
  cancelAll(): Promise<void>;
  /** Removes the rows that are completed, failed or aborted. */
  clear(): void;
  /** Whether leaving the page would break something off: a row is uploading or paused. */
  isBusy(): boolean;
  /** Reads what earlier visits left into `unfinished`. Never rejects. */
  recall(): Promise<void>;
  /** Gives up what an earlier visit left, here and on the server. Never rejects. */
  discard(key: string): Promise<void>;
}
