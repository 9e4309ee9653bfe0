import { useEffect, useState } from "react";

/** Longer code stays plain, in characters. */
const MAX_COLOURED = 1024 * 1024;

/** HTML of each line of a text in the colours of its language, as soon as a worker has made it; what takes too long stays plain. */
export function useColours(text: string, grammar: string | undefined): readonly string[] | undefined {
  const [made, setMade] = useState<{ readonly text: string; readonly lines: readonly string[] }>();
  useEffect(() => {
    if (text.length > MAX_COLOURED || grammar === undefined) return;
    const left = new AbortController();
    const colour = async () => {
      const { coloured } = await import("./coloured.ts");
      const lines = await coloured(text, grammar, left.signal);
      setMade({ text, lines });
    };
    colour().catch(() => setMade(undefined));
    return () => left.abort();
  }, [text, grammar]);
  return made?.text === text ? made.lines : undefined;
}
