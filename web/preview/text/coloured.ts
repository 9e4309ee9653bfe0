import { runWorker } from "../file/run-worker.ts";
import workerAddress from "./colour.worker.ts?worker";

/** The lines of a text in the colours of a grammar of highlight.js, as HTML. Throws a WorkerFailure. */
export const coloured = (text: string, grammar: string, signal: AbortSignal): Promise<string[]> =>
  runWorker<string[]>(workerAddress, { text, grammar }, { signal });
