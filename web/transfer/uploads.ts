import type { FileRecord } from "#contract/files";
import type { Call } from "../api/call.ts";
import type { ApiFailure } from "../api/failure.ts";
import type { Store } from "../lib/store.ts";

/** The types of a page's uploads. create-uploads.ts implements them. */

export type UploadState = "idle" | "uploading" | "paused" | "completed" | "failed" | "aborted";

/** One file's upload, as a row shows it. Immutable: each change makes a new object. */
export interface UploadItem {
  readonly id: string;
  readonly file: File;
  readonly state: UploadState;
  /** Bytes that have arrived, of file.size. */
  readonly sent: number;
  /** Bytes per second over the last seconds; 0 while nothing moves. */
  readonly speed: number;
  /** Seconds; undefined if unknown. */
  readonly secondsLeft: number | undefined;
  /** Bytes that an earlier visit had already sent. */
  readonly resumed: number;
  readonly multipart: boolean;
  /** What it waits for, if it waits. */
  readonly waiting: "turn" | "connection" | undefined;
  /** Every byte has arrived, and the server is finishing the upload. */
  readonly finishing: boolean;
  readonly failure: ApiFailure | undefined;
  readonly result: FileRecord | undefined;
  readonly canPause: boolean;
  readonly canRetry: boolean;
  /** Of one that is sealed: what its link needs. */
  readonly sealed: SealedLink | undefined;
  /** The share's slug, as soon as the server has assigned it. */
  readonly slug: string | undefined;
  /** The slug that was asked for; undefined for a random one. */
  readonly wanted: string | undefined;
  /** The folder and the name of the file in the tree. */
  readonly folder: string;
  readonly name: string;
  /** What an earlier visit left of an idle row's file: it is resumed if started with the same options or with none, else begun again. */
  readonly earlier: UnfinishedUpload | undefined;
  /** It resumes what an earlier visit began with the same options: an expiry counts from then. */
  readonly continues: boolean;
  /** It goes through the server, because this browser cannot reach the storage. */
  readonly relayed: boolean;
}

/** What the link of a sealed share has besides its slug. */
export interface SealedLink {
  /** Opens it; empty where a password does. */
  readonly key: string;
}

/** The sums of all rows that were started and not cancelled. */
export interface UploadTotals {
  readonly files: number;
  readonly completed: number;
  readonly failed: number;
  readonly sent: number;
  readonly size: number;
  /** Bytes per second over the last seconds. */
  readonly speed: number;
  /** Seconds until every file that is being sent has arrived; undefined if unknown. */
  readonly secondsLeft: number | undefined;
  /** Whether any row is uploading. */
  readonly active: boolean;
}

/** Where a file goes, and the properties of its share; the server has defaults for what is left out. */
export interface UploadOptions {
  readonly storageId?: string;
  readonly path?: string;
  /** A name in place of the file's own; only in the tree. */
  readonly name?: string;
  /** Send it through the server, even if this browser can reach the storage. */
  readonly relay?: boolean;
  readonly slug?: string;
  readonly remark?: string;
  readonly password?: string;
  /** An instant as ISO 8601; null is never. */
  readonly expiresAt?: string | null;
  /** Identifies a relative choice of expiry, such as a day from now, which is another instant at each start. */
  readonly expiryChoice?: string;
  readonly maxViews?: number;
  readonly useProxy?: boolean;
  /** Encrypt it in this browser before it is sent. */
  readonly seal?: Seal | undefined;
  /** What the server is told of a sealed file; made from `seal`. */
  readonly sealed?: SealedFacts;
  /** Nothing was chosen: what an earlier visit began goes on with the options that it began with, where they are known. */
  readonly asBegun?: boolean;
}

/** The options of an unfinished upload, as a later visit can go on with them. */
export interface BegunOptions
  extends Pick<
    UploadOptions,
    "storageId" | "path" | "slug" | "remark" | "expiresAt" | "expiryChoice" | "maxViews" | "useProxy"
  > {
  /** Of one that is sealed with a key of its own. */
  readonly seal?: Seal | undefined;
}

/** How a file is sealed. */
export interface Seal {
  /** What opens it; empty for a key of its own, in the link. */
  readonly password: string;
  /** Who alone opens it (`age1...`). Nothing is said of its name, because that stays with the file in the tree. */
  readonly recipient?: string;
  /** What it is shown as, unless that is a file or an archive of files. */
  readonly kind?: "text";
}

/** What the server and the memory of this browser know of a sealed file. */
export interface SealedFacts {
  /** Its name and type, sealed, in base64. */
  readonly names: string;
  /** Identifies this sealing: bytes that were sealed otherwise are never added to those that have arrived. */
  readonly id: string;
}

/**
 * A large upload that an earlier visit (or a removed row) left. It is resumed when the same file is picked again and started
 * with the same options, or with none; with others it is aborted and the file is sent from the beginning.
 */
export interface UnfinishedUpload {
  /** The file's relative path, size and date. */
  readonly key: string;
  readonly name: string;
  readonly size: number;
  /** Bytes that had arrived at the last progress. */
  readonly sent: number;
  readonly slug: string;
  /** Epoch milliseconds. */
  readonly savedAt: number;
  /** Absent with a password, which is kept nowhere and has to be chosen again, and where another version of the app began it. */
  readonly begun?: BegunOptions | undefined;
}

export interface Uploads {
  readonly items: Store<readonly UploadItem[]>;
  readonly totals: Store<UploadTotals>;
  /** Uploads without a row that this browser remembers for who is signed in; filled by recall(). */
  readonly unfinished: Store<readonly UnfinishedUpload[]>;
  /**
   * Adds files as idle rows. A file that has a row already (same relative path, size and date) is skipped, unless that row is
   * completed, or cancelled (then the new row replaces it). Returns how many were skipped.
   */
  add(files: readonly File[]): number;
  /** Starts every idle row with these options, or its own; several files with one slug get -1, -2, ... */
  start(options: UploadOptions | ((file: File) => UploadOptions)): void;
  /** Pauses a row that is uploading, after the parts that are being sent; not while it is `finishing`. */
  pause(id: string): void;
  /** Resumes a paused row. Throws ApiFailure notPaused for one that is neither paused nor uploading. */
  resume(id: string): void;
  /** Retries a failed row. What has arrived is not sent again, unless options are changed. */
  retry(id: string, changes?: UploadOptions): void;
  /**
   * Cancels a row that is not completed, here at once. Resolves when the upload is deleted on the server, or when that could
   * not be reached (then it sweeps the upload a day later). Never rejects.
   */
  cancel(id: string): Promise<void>;
  /** Removes a row that is not uploading. What has arrived of a large file stays in `unfinished`. */
  remove(id: string): void;
  pauseAll(): void;
  resumeAll(): void;
  cancelAll(): Promise<void>;
  /** Removes the rows that are completed, failed or aborted. */
  clear(): void;
  /** Reports whether leaving the page would interrupt something: a row is uploading or paused. */
  isBusy(): boolean;
  /** Fills `unfinished` with what earlier visits of this account left. Never rejects. */
  recall(): Promise<void>;
  /** Discards what an earlier visit left. Resolves when it is forgotten here; the server deletes it after that. Never rejects. */
  discard(key: string): Promise<void>;
  /** Tries unreachable storages again from now on, because storages were changed. */
  reconsider(): void;
  /**
   * Removes all rows at once because the person signs out, and deletes on the server what is not completed; `call` still has
   * the session that ends. Resolves when that is done. Never rejects.
   */
  forget(call: Call): Promise<void>;
}
