import type { Call } from "../api/call.ts";
import type { Tabs } from "../lib/tabs.ts";
import type { Digest } from "./resume/options-key.ts";
import type { Target } from "./targets/target.ts";

/** The dependencies of the upload machine on its environment; browser.ts has the browser's, tests bring their own. */

export interface PutRequest {
  readonly url: string;
  readonly body: Blob;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Called with the number of bytes of the body sent so far. */
  readonly onProgress: (sent: number) => void;
}

interface PutAnswer {
  readonly status: number;
  /** The header's value; null if there is none or pages may not read it. */
  readonly etag: string | null;
}

/** Sends bytes to an address. Resolves with any answer, even a 500; throws ApiFailure network or aborted without one. */
export type Put = (request: PutRequest) => Promise<PutAnswer>;

/** Waits so many milliseconds, or until the signal aborts. Never rejects. */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

/** Storage that survives a reload. Its functions may reject: browsers forbid or lose storage. */
export interface Memory {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<void>;
  remove(key: string): Promise<void>;
  keys(): Promise<string[]>;
}

export interface UploadPorts {
  readonly call: Call;
  /** Where the files go: into shares or into the tree. */
  readonly target: Target;
  /** Returns the size in bytes from which on a file is uploaded in parts; MULTIPART_FROM by default. */
  readonly multipartFrom?: () => number;
  readonly put: Put;
  readonly sleep: Sleep;
  /** Repeats an action at an interval of so many milliseconds. Returns a function that stops it. */
  readonly every: (milliseconds: number, act: () => void) => () => void;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Returns the origin of our own server. */
  readonly home: () => string;
  /** Reports whether the page was loaded by https, and so may not send anything by http. */
  readonly secure: () => boolean;
  readonly memory: Memory;
  /** Identifies who is signed in; undefined for visitors, whose uploads are not remembered. */
  readonly account: () => string | undefined;
  readonly tabs: Pick<Tabs, "claim" | "claimed" | "share">;
  readonly digest: Digest;
  /** Makes the Idempotency-Key of a request. */
  readonly newKey: () => string;
  /** Calls the listener when the browser believes that it has lost the network (false) or has it again (true). */
  readonly onNetwork: (listener: (online: boolean) => void) => void;
}
