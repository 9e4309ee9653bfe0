import type { FileRecord } from "#contract/files";
import type { SourceFile } from "#contract/url-uploads";
import type { ApiFailure } from "../../api/failure.ts";
import type { UploadOptions } from "../uploads.ts";

/** The types of a file's transfer from the web into a share. run.ts implements it. */

type UrlStage =
  | "starting"
  | "downloading"
  | "proxyDownloading"
  | "preparing"
  | "initializing"
  | "uploading"
  | "finalizing"
  | "completed"
  | "cancelled"
  | "failed";

/** In one piece, or in parts that are uploaded while the file is still being downloaded. */
export type UrlMethod = "presigned" | "multipart";

/** A file on the web to share. */
export interface UrlTask {
  readonly source: SourceFile;
  /** The file's name in the share. */
  readonly name: string;
  readonly method: UrlMethod;
  readonly options: UploadOptions;
  /** The largest file that may be uploaded, in bytes; undefined if unknown. */
  readonly most: number | undefined;
}

/** The state of the transfer. Immutable: each change makes a new object. */
export interface UrlUpload {
  readonly task: UrlTask;
  readonly stage: UrlStage;
  /** 0 to 49 for the download and 50 to 99 for the upload; undefined if the size is unknown. */
  readonly percent: number | undefined;
  /** Bytes that were downloaded, and that were uploaded. */
  readonly received: number;
  readonly sent: number;
  /** Bytes of the file; null while unknown. */
  readonly size: number | null;
  /** Bytes per second in both directions together. */
  readonly speed: number;
  readonly secondsLeft: number | undefined;
  /** Whether it is uploaded through the server, because this browser cannot reach the storage. */
  readonly relayed: boolean;
  readonly waiting: boolean;
  readonly failure: ApiFailure | undefined;
  readonly result: FileRecord | undefined;
}
