import mermaid from "mermaid";
import { sanitizeSvg } from "../sanitize.ts";
import type { DiagramWords } from "../word-shapes.ts";
import { breakUrls } from "./break-urls.ts";

let drawn = 0;

/** Drawn diagrams by source: a preview is drawn again with every change of the text around them. */
const known = new Map<string, string>();
const KNOWN_MOST = 40;

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

async function draw(place: HTMLElement, words: DiagramWords): Promise<void> {
  const source = place.textContent;
  try {
    place.innerHTML = known.get(source) ?? (await drawing(source));
    place.dataset.drawn = "1";
    place.setAttribute("role", "img");
    place.setAttribute("aria-label", words.diagram);
  } catch {
    // The source stays in place: it says more about the mistake than mermaid's bomb does.
    const note = document.createElement("figcaption");
    note.textContent = words.diagramFailed;
    place.append(note);
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
