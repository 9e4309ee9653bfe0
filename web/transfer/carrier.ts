import type { FileRecord } from "#contract/files";
import type { Call } from "../api/call.ts";
import type { Connection } from "./connection.ts";
import type { Insist } from "./insist.ts";
import type { Kept } from "./kept.ts";
import type { Payload } from "./payload.ts";
import type { UploadPorts } from "./ports.ts";
import type { Reach } from "./reach.ts";
import type { Send } from "./send.ts";
import type { Target } from "./target.ts";
import type { Turns, Waits } from "./turns.ts";
import type { UploadOptions } from "./uploads.ts";

/** What all uploads of a page share. */
export interface Surroundings extends Pick<UploadPorts, "account" | "tabs" | "digest" | "newKey"> {
  readonly call: Call;
  readonly send: Send;
  readonly connection: Connection;
  readonly reach: Reach;
  readonly insist: Insist;
  readonly turns: Turns;
  readonly kept: Kept;
  readonly target: Target;
  /** Bytes from which on a file goes up in parts. */
  readonly multipartFrom: () => number;
}

/** Something to send, and its listeners. */
export interface Load<What extends Payload = File> {
  readonly file: What;
  /** Its place among all. */
  readonly order: number;
  readonly options: () => UploadOptions;
  readonly waits: Waits;
  /** Told of bytes that have just left. */
  readonly onMoved: (bytes: number) => void;
  /** Told when something changed that a person should see at once. */
  readonly onChange: () => void;
}

/** What ends a transfer before it is through. */
export interface Signals {
  /** Nothing more begins; parts that are on their way may still arrive. */
  readonly signal: AbortSignal;
  /** Everything breaks off at once. Aborts no earlier than `signal`. */
  readonly dropped: AbortSignal;
}

/** How far it has got. */
interface Progress {
  readonly sent: number;
  readonly resumed: number;
  readonly slug: string | undefined;
  readonly continues: boolean;
  readonly finishing: boolean;
  /** The bytes pass through the server, because this browser cannot reach the storage. */
  readonly relayed: boolean;
}

/** Sends one file to the server, in one piece or in parts. One `carry` at a time; each continues where the last one ended. */
export interface Carrier {
  /**
   * Answers the share that it became, where it becomes one. Throws ApiFailure; `aborted` when a signal aborted, once nothing is on
   * its way any more.
   */
  carry(signals: Signals): Promise<FileRecord | undefined>;
  progress(): Progress;
  /** Deletes the upload on the server, if it can be reached; else the server sweeps it a day later. Never rejects. */
  undo(): Promise<void>;
  /** Drops the upload, so that no unfinished rest stays that nobody can continue. Never rejects. */
  leave(): Promise<void>;
}
