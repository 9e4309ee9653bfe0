import { work } from "../file/work.ts";
import workerAddress from "./colour.worker.ts?worker";
import { grammarFor } from "./languages.ts";

/** The lines of a text in the colours of the language that its name tells, as HTML; undefined for prose. Throws a WorkFailure. */
export async function coloured(text: string, filename: string, signal: AbortSignal): Promise<string[] | undefined> {
  const grammar = grammarFor(filename);
  return grammar === undefined ? undefined : await work<string[]>(workerAddress, { text, grammar }, { signal });
}
