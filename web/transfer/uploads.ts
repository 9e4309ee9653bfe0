import type { FileRecord } from "#contract/files";
import type { Call } from "../api/call.ts";
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
  readonly canRetry: boolean;
  /** The last part of the share's link, as soon as the server has said it. */
  readonly slug: string | undefined;
  /** The last part of the link that was asked for; undefined for a random one. */
  readonly wanted: string | undefined;
  /** Where it goes, and what it is called there. */
  readonly folder: string;
  readonly name: string;
  /** What an earlier visit left of an idle row's file: started with the options of then it goes on, with others anew. */
  readonly earlier: UnfinishedUpload | undefined;
  /** Goes on with what an earlier visit began, with the same options: an expiry counts from then. */
  readonly continues: boolean;
  /** Passes through the server, because this browser cannot reach the storage. */
  readonly relayed: boolean;
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

/** Where a file goes, and what a share of it shall be; what is left out is the server's default. */
export interface UploadOptions {
  readonly storageId?: string;
  readonly path?: string;
  /** The name that it gets, in place of its own; only in the tree. */
  readonly name?: string;
  /** Through the server from the start, whatever this browser can reach. */
  readonly relay?: boolean;
  readonly slug?: string;
  readonly remark?: string;
  readonly password?: string;
  /** An instant as ISO 8601; null is never. */
  readonly expiresAt?: string | null;
  /** Tells choices of expiry apart that become another instant at each start, such as a day from now. */
  readonly expiryChoice?: string;
  readonly maxViews?: number;
  readonly useProxy?: boolean;
}

/**
 * A large upload that an earlier visit (or a removed row) left: the same file, picked again and started with the same
 * options, goes on with it. Started with others it is given up and the file begins anew.
 */
export interface UnfinishedUpload {
  /** Name with folders, size and date of the file. */
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
  /** What the browser remembers beside the rows, of who is signed in; filled by recall(). */
  readonly unfinished: Store<readonly UnfinishedUpload[]>;
  /**
   * Adds files as idle rows; one with the folder, name, size and date of a row that is there is passed over, unless that one
   * is completed or was given up (then the new row takes its place). Answers how many were passed over.
   */
  add(files: readonly File[]): number;
  /** Starts every idle row with these options, or its own; several files with one slug get -1, -2, ... */
  start(options: UploadOptions | ((file: File) => UploadOptions)): void;
  /** Stops a row that is uploading, behind the parts that are on their way; not while it is `finishing`. */
  pause(id: string): void;
  /** Goes on with a paused row. Throws ApiFailure notPaused for one that stands for another reason. */
  resume(id: string): void;
  /** Tries a failed row again; what has arrived is not sent again, unless options are changed: then it begins anew. */
  retry(id: string, changes?: UploadOptions): void;
  /**
   * Gives up a row that is not completed: at once here; resolves when what was begun is deleted on the server, or when that
   * could not be reached (then it sweeps a day later). Never rejects.
   */
  cancel(id: string): Promise<void>;
  /** Takes a row that does not move out of the list. What has arrived of a large one stays in `unfinished`. */
  remove(id: string): void;
  pauseAll(): void;
  resumeAll(): void;
  cancelAll(): Promise<void>;
  /** Removes the rows that are completed, failed or aborted. */
  clear(): void;
  /** Reports whether leaving the page would break something off: a row is uploading or paused. */
  isBusy(): boolean;
  /** Reads what earlier visits of this account left into `unfinished`. Never rejects. */
  recall(): Promise<void>;
  /** Gives up what an earlier visit left: resolves when it is forgotten here; the server is told after. Never rejects. */
  discard(key: string): Promise<void>;
  /** Storages were changed: those that this browser could not reach are tried anew by what is sent from now on. */
  reconsider(): void;
  /**
   * Somebody signs out: all rows go at once, and what is not completed is deleted on the server by `call`, which keeps the
   * session that ends. Resolves when that is done. Never rejects.
   */
  forget(call: Call): Promise<void>;
}
