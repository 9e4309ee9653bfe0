import { type Relation, xmlText } from "./parts.ts";
import { pictureOf, type WordPicture } from "./pictures.ts";

/** Of the page between its margins, in CSS pixels. */
const PAGE_WIDTH = 600;
const PAGE_HEIGHT = 900;
/** English metric units of one CSS pixel. */
const EMU = 9525;

/** What a document has beside its text. */
export interface PackageParts {
  readonly relations: Relation[];
  readonly media: { readonly name: string; readonly blob: Blob }[];
  /** Where each numbered list begins to count. */
  readonly starts: number[];
}

/** How letters look, as elements of `w:rPr` in the order of its schema. */
interface Letters {
  readonly style?: "CodeWords" | "Hyperlink";
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly strike?: boolean;
  readonly mark?: boolean;
  readonly place?: "subscript" | "superscript";
}

/** Writes a text that looks the same throughout. */
export function run(text: string, { style, bold, italic, strike, mark, place }: Letters): string {
  if (text === "") return "";
  const look = [
    style ? `<w:rStyle w:val="${style}"/>` : "",
    bold ? "<w:b/>" : "",
    italic ? "<w:i/>" : "",
    strike ? "<w:strike/>" : "",
    mark ? '<w:highlight w:val="yellow"/>' : "",
    place ? `<w:vertAlign w:val="${place}"/>` : "",
  ].join("");
  const piece = (words: string) => `<w:t xml:space="preserve">${xmlText(words)}</w:t>`;
  const lines = text.split("\n").map((line) => line.split("\t").map(piece).join("<w:tab/>"));
  return `<w:r>${look === "" ? "" : `<w:rPr>${look}</w:rPr>`}${lines.join("<w:br/>")}</w:r>`;
}

const looks: Readonly<Record<string, Letters>> = {
  STRONG: { bold: true },
  EM: { italic: true },
  S: { strike: true },
  MARK: { mark: true },
  CODE: { style: "CodeWords" },
  SUB: { place: "subscript" },
  SUP: { place: "superscript" },
};

const blockTags = new Set(["P", "UL", "OL", "BLOCKQUOTE", "FIGURE", "DIV", "SECTION", "NAV", "TABLE", "HR"]);
export const isBlock = (node: Node): boolean =>
  node instanceof Element && (blockTags.has(node.tagName) || /^H[1-6]$/.test(node.tagName));

/** The words of a text as a browser draws them: blanks around its line ends are none at the edge of a line. */
function wordsOf({ data, previousSibling, nextSibling }: Text): string {
  const words = data.replace(/\s*\n\s*/g, " ");
  const begins = previousSibling instanceof HTMLBRElement || previousSibling instanceof HTMLInputElement;
  const ends = /\n\s*$/.test(data) && (nextSibling === null || isBlock(nextSibling));
  const begun = begins ? words.trimStart() : words;
  return ends ? begun.trimEnd() : begun;
}

/** The TeX of a formula. */
export const texOf = (formula: Element): string =>
  formula.querySelector("annotation")?.textContent ?? formula.textContent;

function relate(parts: PackageParts, type: Relation["type"], target: string): string {
  const id = `r${parts.relations.length + 1}`;
  parts.relations.push({ id, type, target });
  return id;
}

/** Writes a picture with its description. */
export function picture(parts: PackageParts, { blob, ending, width, height }: WordPicture, words: string): string {
  const name = `picture${parts.media.length + 1}.${ending}`;
  parts.media.push({ name, blob });
  const id = relate(parts, "image", `media/${name}`);
  const scale = Math.min(1, PAGE_WIDTH / width, PAGE_HEIGHT / height) * EMU;
  const size = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))] as const;
  const called = `id="${parts.media.length}" name="${name}" descr="${xmlText(words)}"`;
  return `<w:r><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent cx="${size[0]}" cy="${size[1]}"/><wp:docPr ${called}/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr ${called}/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="${id}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="${size[0]}" cy="${size[1]}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`;
}

async function image(parts: PackageParts, element: HTMLImageElement, letters: Letters): Promise<string> {
  try {
    return picture(parts, await pictureOf(element), element.alt);
  } catch {
    // One that is gone, or that the browser does not know, leaves its words.
    return run(element.alt, letters);
  }
}

const linked = (parts: PackageParts, address: string, words: string): string =>
  /^(?:https?:|mailto:)/i.test(address) && words !== ""
    ? `<w:hyperlink r:id="${relate(parts, "hyperlink", address)}">${words}</w:hyperlink>`
    : words;

/** Writes what stands in a line. */
export async function runs(parts: PackageParts, nodes: Iterable<Node>, letters: Letters = {}): Promise<string> {
  let all = "";
  for (const node of nodes) all += await inline(parts, node, letters);
  return all;
}

async function inline(parts: PackageParts, node: Node, letters: Letters): Promise<string> {
  if (node instanceof Text) return run(wordsOf(node), letters);
  if (!(node instanceof HTMLElement)) return "";
  if (node instanceof HTMLBRElement) return "<w:r><w:br/></w:r>";
  if (node instanceof HTMLImageElement) return await image(parts, node, letters);
  if (node instanceof HTMLInputElement) return run(node.checked ? "☑ " : "☐ ", letters);
  if (node.matches(".katex, .md-math")) return run(texOf(node), { ...letters, style: "CodeWords" });
  if (node.matches("button.md-image")) {
    const { alt = "", src = "" } = node.dataset;
    return linked(parts, src, run(alt || src, { ...letters, style: "Hyperlink" }));
  }
  if (node instanceof HTMLAnchorElement) {
    const address = node.getAttribute("href") ?? "";
    // The way back from a footnote leads nowhere here.
    if (address.startsWith("#ref-")) return "";
    const leads = /^(?:https?:|mailto:)/i.test(address);
    return linked(
      parts,
      address,
      await runs(parts, node.childNodes, leads ? { ...letters, style: "Hyperlink" } : letters),
    );
  }
  return await runs(parts, node.childNodes, { ...letters, ...looks[node.tagName] });
}
