import { useEffect, useState } from "react";
import { endingOf } from "#contract/file-kinds";

/** Longer code stays plain, in characters. */
const MAX_COLOURED = 1024 * 1024;

/** HTML of each line of a text in the colours of its language, as soon as a worker has made it; what takes too long stays plain. */
export function useColours(text: string, filename: string): readonly string[] | undefined {
  const [made, setMade] = useState<{ readonly text: string; readonly lines: readonly string[] }>();
  useEffect(() => {
    if (text.length > MAX_COLOURED || endingOf(filename) === "txt") return;
    const left = new AbortController();
    const colour = async () => {
      const { coloured } = await import("./coloured.ts");
      const lines = await coloured(text, filename, left.signal);
      if (lines) setMade({ text, lines });
    };
    colour().catch(() => setMade(undefined));
    return () => left.abort();
  }, [text, filename]);
  return made?.text === text ? made.lines : undefined;
}
