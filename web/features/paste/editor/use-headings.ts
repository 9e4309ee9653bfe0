import { useEffect, useState } from "react";
import { useCode } from "../../../lib/code.ts";
import type { Heading } from "../../../preview/markdown/outline.ts";

/** How long a text has to rest before its headings are looked for, in milliseconds. */
const REST = 300;

/** The headings of a text that nothing renders, once it has rested for a while; none while they are not wanted. */
export function useHeadings(text: string, wanted: boolean): readonly Heading[] {
  const [headings, setHeadings] = useState<readonly Heading[]>([]);
  const { data: headingsOf } = useCode(
    "headings of a text",
    async () => (await import("../../../preview/markdown/render.ts")).headingsOf,
    wanted,
  );
  useEffect(() => {
    if (!wanted || !headingsOf) return;
    const timer = setTimeout(() => setHeadings(headingsOf(text)), REST);
    return () => clearTimeout(timer);
  }, [text, wanted, headingsOf]);
  return headings;
}
