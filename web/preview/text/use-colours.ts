import { useEffect, useState } from "react";
import { work } from "../file/work.ts";
import workerAddress from "./colour.worker.ts?worker";

/** Longer code stays plain, in characters. */
const MAX_COLOURED = 1024 * 1024;

/** HTML of each line of a text in the colours of a grammar, as soon as a worker has made it; code that takes it too long stays plain. */
export function useColours(text: string, grammar: string | undefined): readonly string[] | undefined {
  const [made, setMade] = useState<{ readonly text: string; readonly lines: readonly string[] }>();
  useEffect(() => {
    if (grammar === undefined || text.length > MAX_COLOURED) return;
    const left = new AbortController();
    work<string[]>(workerAddress, { text, grammar }, { signal: left.signal }).then(
      (lines) => setMade({ text, lines }),
      () => setMade(undefined),
    );
    return () => left.abort();
  }, [text, grammar]);
  return made?.text === text ? made.lines : undefined;
}
