import type { WorkerAnswer } from "../../../preview/file/run-worker.ts";
import type { Matching } from "./matches.ts";
import { cut } from "./new-names.ts";

/** Replaces by regular expression off the page's thread: one that is made for it needs for ever for a single name. */
addEventListener("message", ({ data }: MessageEvent<Matching>) => postMessage(answerTo(data)));

function answerTo({ expression, instead, parts }: Matching): WorkerAnswer<string[]> {
  const pattern = compiled(expression);
  if (!pattern) return { failed: "expression" };
  return { result: parts.map((part) => cut(part.replace(pattern, instead))) };
}

/** With whole letters where that reads it; that refuses backslashes which change nothing. */
function compiled(expression: string): RegExp | undefined {
  for (const flags of ["gu", "g"]) {
    try {
      return new RegExp(expression, flags);
    } catch {
      // The next flags may read it; where none does, the answer says so.
    }
  }
  return undefined;
}
