import { runWorker } from "../file/run-worker.ts";
import workerAddress from "./colour.worker.ts?worker";
import { grammarFor } from "./languages.ts";

/** The lines of a text in the colours of the language that its name tells, as HTML; undefined for prose. Throws a WorkerFailure. */
export async function coloured(text: string, filename: string, signal: AbortSignal): Promise<string[] | undefined> {
  const grammar = grammarFor(filename);
  return grammar === undefined ? undefined : await runWorker<string[]>(workerAddress, { text, grammar }, { signal });
}
