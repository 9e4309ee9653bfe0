import katex from "katex";
import { pathTo } from "../../../lib/base-path.ts";
import { yieldEvery } from "../../../lib/slices.ts";

/** A formula is set in one go on the page's own thread; one of more characters stays as it is written. */
const MAX_CHARACTERS = 5000;

/** Sets the formulas; one that KaTeX cannot read keeps its source, marked as wrong. */
export async function setFormulas(places: readonly HTMLElement[]): Promise<void> {
  linkMathStyle();
  const turn = yieldEvery();
  for (const place of places) {
    await turn();
    const source = place.textContent;
    if (source.length > MAX_CHARACTERS) continue;
    place.replaceChildren();
    katex.render(source, place, {
      displayMode: place.dataset.display === "1",
      throwOnError: false,
      trust: false,
      strict: "ignore",
      maxExpand: 500,
      maxSize: 50,
      output: "htmlAndMathml",
    });
  }
}

const STYLE_ID = "katex-style";

/** KaTeX's own style sheet: linked, because the bundler would write its fonts into everybody's first style sheet. */
function linkMathStyle(): void {
  if (document.getElementById(STYLE_ID)) return;
  const link = document.createElement("link");
  link.id = STYLE_ID;
  link.rel = "stylesheet";
  link.href = pathTo("/assets/katex/katex.min.css");
  document.head.append(link);
}
