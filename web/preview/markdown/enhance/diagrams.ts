import mermaid from "mermaid";
import { sanitizeSvg } from "../sanitize.ts";
import type { DiagramWords } from "../word-shapes.ts";
import { breakUrls } from "./break-urls.ts";

let drawn = 0;

/** Drawn diagrams by source: a preview is drawn again with every change of the text around them. */
const known = new Map<string, string>();
const KNOWN_MOST = 40;

/** What a Gantt chart is wide at least: on a phone it is moved sideways, because its names would be too small to be read. */
const LEAST_GANTT = 640;

/**
 * Draws the diagrams as SVG, on light paper in both themes: their authors choose colours for it. Labels are SVG text, because
 * HTML labels could load images from elsewhere.
 */
export async function drawDiagrams(places: readonly HTMLElement[], words: DiagramWords): Promise<void> {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    theme: "neutral",
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    // Left alone, it is as wide as the window, and its letters shrink with it into the column of the text.
    gantt: { useWidth: ganttWidth(places), fontSize: 12, sectionFontSize: 12 },
    fontFamily: getComputedStyle(document.body).fontFamily,
    suppressErrorRendering: true,
    // Options that a diagram may not set for itself, besides mermaid's own list.
    secure: ["secure", "securityLevel", "startOnLoad", "maxTextSize", "maxEdges", "htmlLabels", "themeCSS"],
  });
  for (const place of places) place.dataset.said = "";
  for (const place of places) {
    if (!place.isConnected) return;
    await draw(place, words);
  }
}

/** What there is room for beside the text, without the padding of the place. */
const ganttWidth = (places: readonly HTMLElement[]): number =>
  Math.max(LEAST_GANTT, ...places.map((place) => Math.floor(place.querySelector("pre")?.clientWidth ?? 0)));

async function draw(place: HTMLElement, words: DiagramWords): Promise<void> {
  const source = place.textContent;
  try {
    place.innerHTML = known.get(source) ?? (await drawing(source));
    place.dataset.drawn = "1";
    // What is moved sideways has to be within reach of the keyboard.
    if (place.scrollWidth > place.clientWidth) place.tabIndex = 0;
    thinOut(place.querySelectorAll(".grid .tick text"));
    place.setAttribute("role", "img");
    place.setAttribute("aria-label", words.diagram);
  } catch {
    // The source stays in place: it says more about the mistake than mermaid's bomb does.
    const note = document.createElement("figcaption");
    note.textContent = words.diagramFailed;
    place.append(note);
  }
}

/** Takes away the dates of an axis that stand upon the one before them. */
function thinOut(dates: Iterable<Element>): void {
  let end = Number.NEGATIVE_INFINITY;
  for (const date of dates) {
    const { left, right } = date.getBoundingClientRect();
    if (left < end) date.remove();
    else end = right + 4;
  }
}

async function drawing(source: string): Promise<string> {
  drawn += 1;
  const { svg } = await mermaid.render(`diagram-${drawn}`, breakUrls(source));
  const safe = sanitizeSvg(svg);
  if (known.size >= KNOWN_MOST) known.clear();
  known.set(source, safe);
  return safe;
}
