import type { FileRecord } from "#contract/files";
import type { Call } from "../api/call.ts";
import type { Connection } from "./network/connection.ts";
import type { PriorityQueue, WaitCounts } from "./network/priority-queue.ts";
import type { Reachability } from "./network/reachability.ts";
import type { Send } from "./network/send.ts";
import type { WithRetries } from "./network/with-retries.ts";
import type { Payload } from "./payload.ts";
import type { UploadPorts } from "./ports.ts";
import type { KeptSealing, UploadStore } from "./resume/upload-store.ts";
import type { Target } from "./targets/target.ts";
import type { UploadOptions } from "./uploads.ts";

/** What all uploads of a page share. */
export interface UploadContext extends Pick<UploadPorts, "account" | "tabs" | "digest" | "newKey"> {
  readonly call: Call;
  readonly send: Send;
  readonly connection: Connection;
  readonly reach: Reachability;
  readonly withRetries: WithRetries;
  readonly turns: PriorityQueue;
  readonly kept: UploadStore;
  readonly target: Target;
  /** Bytes from which on a file goes up in parts. */
  readonly multipartFrom: () => number;
}

/** A file to send, and its listeners. */
export interface UploadTask<What extends Payload = File> {
  readonly file: What;
  /** What a later visit needs to go on with a sealed file. */
  readonly sealing?: KeptSealing;
  /** Its place among all files: the lowest is sent first. */
  readonly order: number;
  readonly options: () => UploadOptions;
  readonly waits: WaitCounts;
  /** Called with the number of bytes that have just been sent. */
  readonly onMoved: (bytes: number) => void;
  /** Called when something changed that the person should see at once. */
  readonly onChange: () => void;
}

/** What stops a transfer early. */
export interface Signals {
  /** Starts nothing more; parts that are being sent may still arrive. */
  readonly signal: AbortSignal;
  /** Stops everything at once. Aborts no earlier than `signal`. */
  readonly dropped: AbortSignal;
}

/** How far a transfer is. */
interface Progress {
  readonly sent: number;
  readonly resumed: number;
  readonly slug: string | undefined;
  readonly continues: boolean;
  readonly finishing: boolean;
  /** The bytes go through the server, because this browser cannot reach the storage. */
  readonly relayed: boolean;
}

/** Sends one file to the server, in one piece or in parts. One `upload` at a time; each continues where the last one ended. */
export interface Uploader {
  /**
   * Sends the file. Returns the share that it became, if the target makes shares. Throws ApiFailure; `aborted` when a signal
   * aborted, once nothing is being sent any more.
   */
  upload(signals: Signals): Promise<FileRecord | undefined>;
  progress(): Progress;
  /** Deletes the upload on the server. If that cannot be reached, the server sweeps the upload a day later. Never rejects. */
  undo(): Promise<void>;
  /** Deletes the upload unless a later visit can continue it. Never rejects. */
  leave(): Promise<void>;
}
