import { decodeText } from "#contract/text/encodings";
import { WorkerFailure } from "../file/run-worker.ts";
import { answerQuestions, inTurns, tell } from "../file/worker-session.ts";
import type { JsonQuestion, OpenedJson } from "./json.ts";
import { JsonIndex, type JsonValue } from "./json-index.ts";

let index: JsonIndex | undefined;

/** Reads a JSON text and keeps it; the page asks for what it shows. */
answerQuestions<JsonQuestion>(async (question): Promise<OpenedJson | readonly JsonValue[]> => {
  if (!("open" in question)) return index?.children(question.at, question.from, question.to) ?? [];
  const read = new JsonIndex(decodeText(question.open.bytes, question.open.encoding));
  index = read;
  await inTurns(heard(read.scan()));
  if (read.isTooLarge) throw new WorkerFailure("tooLarge");
  return read.problem ? { problem: read.problem } : { root: read.root(), depth: read.depth };
});

/** Says with each step that it still reads. */
function* heard(steps: Generator<undefined, void>): Generator<undefined, void> {
  for (const _ of steps) {
    tell(null);
    yield;
  }
}
