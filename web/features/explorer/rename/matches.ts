import { runWorker } from "../../../preview/file/run-worker.ts";
import workerAddress from "./matches.worker.ts?worker";

/** Texts in which what matches a regular expression is replaced. */
export interface Matching {
  readonly expression: string;
  readonly instead: string;
  readonly parts: readonly string[];
}

/** Milliseconds that an expression may work, and its worker may be on its way. */
const PATIENCE = 5000;

/** Replaces in each text. Throws a WorkerFailure: `expression` where it is none, `late` where it takes too long. */
export const replaced = (matching: Matching, signal: AbortSignal): Promise<string[]> =>
  runWorker<string[]>(workerAddress, matching, { signal, patience: PATIENCE });
