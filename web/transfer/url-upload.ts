import type { FileRecord } from "#contract/files";
import type { SourceFile } from "#contract/url-uploads";
import type { ApiFailure } from "../api/failure.ts";
import type { UploadOptions } from "./uploads.ts";

/** What a page sees of a file from the web on its way, and asks of it. url-to-storage.ts makes the machine. */

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

/** In one piece, or in parts that go up while the file still comes down. */
export type UrlMethod = "presigned" | "multipart";

/** A file on the web that is to become a share. */
export interface UrlTask {
  readonly source: SourceFile;
  /** The name that the share gives it. */
  readonly name: string;
  readonly method: UrlMethod;
  readonly options: UploadOptions;
  /** Bytes of the largest file that may be uploaded; undefined when nobody said. */
  readonly most: number | undefined;
}

/** How it stands with the file. A new object at each change. */
export interface UrlUpload {
  readonly task: UrlTask;
  readonly stage: UrlStage;
  /** 0 to 49 for what has come down and 50 to 99 for what has gone up; undefined when nobody knows of how much. */
  readonly percent: number | undefined;
  /** Bytes that have come down, and that have gone up. */
  readonly received: number;
  readonly sent: number;
  /** Bytes of the file; null as long as nobody knows. */
  readonly size: number | null;
  /** Bytes per second in both directions together. */
  readonly speed: number;
  readonly secondsLeft: number | undefined;
  /** Whether it goes up through the server, because this browser cannot reach the storage. */
  readonly relayed: boolean;
  readonly waiting: boolean;
  readonly failure: ApiFailure | undefined;
  readonly result: FileRecord | undefined;
}
