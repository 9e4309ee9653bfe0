import Papa from "papaparse";
import { decodeText } from "#contract/text/encodings";
import { answerQuestions, inTurns, tell } from "../file/worker-session.ts";
import type { CsvQuestion, CsvTold, OpenedCsv } from "./csv.ts";
import { CsvIndex } from "./csv-index.ts";

/** Characters that tell what separates values, and rows by which columns are measured. */
const HEAD = 64 * 1024;
const SAMPLE = 200;

let index: CsvIndex | undefined;

/** Reads a table of separated values; what separates them is found out. The first rows are there before the last ones are read. */
answerQuestions<CsvQuestion>((question): OpenedCsv | readonly (readonly string[])[] => {
  if (!("open" in question)) return index?.rows(question.from, question.to) ?? [];
  const text = decodeText(question.open.bytes, question.open.encoding);
  const guessed = Papa.parse(text.slice(0, HEAD), { preview: 20 }).meta.delimiter;
  const read = new CsvIndex(text, guessed || ",");
  index = read;
  const steps = read.scan();
  const first = steps.next();
  const say = (finished: boolean) => tell({ count: read.count, cut: read.cut, finished } satisfies CsvTold);
  say(first.done === true);
  if (first.done !== true) void readOn(steps, say);
  return { sample: read.rows(0, SAMPLE) };
});

async function readOn(steps: Generator<undefined, void>, say: (finished: boolean) => void): Promise<void> {
  await inTurns(told(steps, say));
  say(true);
}

function* told(steps: Generator<undefined, void>, say: (finished: boolean) => void): Generator<undefined, void> {
  for (const _ of steps) {
    say(false);
    yield;
  }
}
