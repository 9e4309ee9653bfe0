import katex from "katex";
import { linkMathStyle } from "./math-style.ts";

/** Sets the formulas; one that KaTeX cannot read keeps its source, marked as wrong. */
export function setFormulas(places: readonly HTMLElement[]): void {
  linkMathStyle();
  for (const place of places) {
    const source = place.textContent;
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
