import { useMemo } from "react";
import { rowsOf, textBlocks } from "./blocks.ts";

/** Pixels of one line: 14 px at 1.6, as the class below sets it. */
const LINE_HEIGHT = 22.4;

/**
 * Plain text of any size as it was written. The browser lays out only the blocks near the window (content-visibility), so 10 MB
 * open at once and its own search still finds everything.
 */
export function TextView({ text, label }: { text: string; label: string }) {
  const blocks = useMemo(() => textBlocks(text), [text]);
  let offset = 0;
  return (
    <section aria-label={label} className="font-mono text-[14px] leading-[1.6]" data-testid="text-view">
      {blocks.map((block) => {
        const at = offset;
        offset += block.text.length;
        return (
          <pre
            key={at}
            className="m-0 whitespace-pre-wrap [overflow-wrap:anywhere] [font:inherit]"
            style={{ contentVisibility: "auto", containIntrinsicSize: `auto ${rowsOf(block, true) * LINE_HEIGHT}px` }}
          >
            {block.text}
          </pre>
        );
      })}
    </section>
  );
}
