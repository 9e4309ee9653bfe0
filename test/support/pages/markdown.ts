import type { WrittenHeading } from "../../../web/preview/markdown/outline.ts";
import { type Rendering, render } from "../../../web/preview/markdown/render.ts";

/** Markdown as HTML before the second wall, whole: for texts that are not cut within a block. */
export function markdownHtml(
  text: string,
  rendering: Rendering,
): { html: string; headings: readonly WrittenHeading[] } {
  let html = "";
  let headings: readonly WrittenHeading[] = [];
  for (const step of render(text, rendering)) {
    if (!step) continue;
    if ("headings" in step) ({ headings } = step);
    else html += step.html;
  }
  return { html, headings };
}
