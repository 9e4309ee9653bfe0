import katex from "katex";
import { turns } from "../../../lib/slices.ts";
import { linkMathStyle } from "./math-style.ts";

/** A formula is set in one go on the page's own thread; one of more characters stays as it is written. */
const MAX_CHARACTERS = 5000;

/** Sets the formulas; one that KaTeX cannot read keeps its source, marked as wrong. */
export async function setFormulas(places: readonly HTMLElement[]): Promise<void> {
  linkMathStyle();
  const turn = turns();
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
