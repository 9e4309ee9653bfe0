import { type RefObject, useCallback, useMemo, useState } from "react";
import { useSettled } from "../../../../lib/use-settled.ts";
import { useCode } from "../../../../page/code.ts";
import type { Heading, WrittenHeading } from "../../../../preview/markdown/outline.ts";
import type { EditorSurface } from "../surface/surface.ts";
import type { View } from "../use-view-mode.ts";
import type { scrollTogether } from "./scroll-together.ts";

/** How long a text has to rest before its headings are looked for, in milliseconds. */
const REST = 300;

interface OutlineParts {
  readonly text: string;
  readonly view: View;
  readonly surface: RefObject<EditorSurface | null>;
  readonly preview: RefObject<HTMLElement | null>;
  readonly together: RefObject<ReturnType<typeof scrollTogether> | undefined>;
}

/** The headings of the text beside it, which lead to their places. */
export function useOutline({ text, view, surface, preview, together }: OutlineParts) {
  const { viewMode, isRendered, isMarkdown, long } = view;
  const [pressed, setPressed] = useState(false);
  const [rendered, setRendered] = useState<readonly WrittenHeading[]>([]);
  const possible = isMarkdown && !long;
  const own = useHeadings(text, pressed && possible && !isRendered);
  const headings = isRendered ? rendered : own;
  const onHeadings = useCallback(
    (next: readonly WrittenHeading[]) => {
      setRendered(next);
      together.current?.again();
    },
    [together],
  );

  return {
    possible,
    /** Its button is pressed. */
    pressed,
    toggle: () => setPressed(!pressed),
    headings,
    /** Takes the headings that the preview has rendered. */
    onHeadings,
    goTo({ id }: Heading) {
      const line = headings.find((one) => one.id === id)?.line;
      if (viewMode !== "read" && line !== undefined) {
        const at = endOfLine(text, line);
        surface.current?.focus({ anchor: at, head: at });
        surface.current?.lines?.()?.go(line);
      }
      preview.current?.querySelector(`#${id}`)?.scrollIntoView({ block: "start" });
    },
  };
}

export type Outline = ReturnType<typeof useOutline>;

/** The headings of a text that nothing renders, once it has rested for a while; none while they are not wanted. */
function useHeadings(text: string, wanted: boolean): readonly WrittenHeading[] {
  const rested = useSettled(wanted ? text : "", REST);
  const { data: headingsOf } = useCode(
    "headings of a text",
    async () => (await import("../../../../preview/markdown/render.ts")).headingsOf,
    wanted,
  );
  return useMemo(() => (wanted && headingsOf ? headingsOf(rested) : []), [rested, wanted, headingsOf]);
}

/** Where a line ends, counted from 0. */
function endOfLine(text: string, line: number): number {
  let at = -1;
  for (let passed = 0; passed <= line; passed += 1) {
    at = text.indexOf("\n", at + 1);
    if (at < 0) return text.length;
  }
  return at;
}
