import type { Call } from "../api/call.ts";
import type { Tabs } from "../lib/tabs.ts";
import type { Digest } from "./options-key.ts";
import type { Target } from "./target.ts";

/** The dependencies of the upload machine on its environment; browser.ts has the browser's, tests bring their own. */

export interface PutRequest {
  readonly url: string;
  readonly body: Blob;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Told now and then how many bytes of the body have left. */
  readonly onProgress: (sent: number) => void;
}

interface PutAnswer {
  readonly status: number;
  /** As the header has it, null when there is none or when it may not be read. */
  readonly etag: string | null;
}

/** Sends bytes to an address. Returns any answer, 500 too; throws ApiFailure network or aborted without one. */
export type Put = (request: PutRequest) => Promise<PutAnswer>;

/** Waits so many milliseconds, or until the signal aborts. Never rejects. */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

/** What survives a reload. May reject: browsers forbid or lose storage. */
export interface Memory {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<void>;
  remove(key: string): Promise<void>;
  keys(): Promise<string[]>;
}

export interface UploadPorts {
  readonly call: Call;
  /** Where the files go. */
  readonly target: Target;
  /** Bytes from which on a file goes up in parts; MULTIPART_FROM unless said. */
  readonly multipartFrom?: () => number;
  readonly put: Put;
  readonly sleep: Sleep;
  /** Repeats an action at an interval of so many milliseconds. Returns a function that stops it. */
  readonly every: (milliseconds: number, act: () => void) => () => void;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Where our own server is: scheme and host. */
  readonly home: () => string;
  /** Reports whether the page came by https, and may send nothing by http. */
  readonly secure: () => boolean;
  readonly memory: Memory;
  /** Tells who is signed in from others; what visitors upload is not remembered. */
  readonly account: () => string | undefined;
  readonly tabs: Pick<Tabs, "claim" | "claimed" | "share">;
  readonly digest: Digest;
  /** Makes a name for one request, under which it may be repeated. */
  readonly newKey: () => string;
  /** Tells when the browser believes to have lost the network (false) or to have it again (true). */
  readonly onNetwork: (listener: (online: boolean) => void) => void;
}
