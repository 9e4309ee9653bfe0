import { type Relation, xmlText } from "./parts.ts";
import { diagramOf, pictureOf, type WordPicture } from "./pictures.ts";

/** Of the page between its margins, in CSS pixels. */
const PAGE_WIDTH = 600;
const PAGE_HEIGHT = 900;
/** English metric units of one CSS pixel. */
const EMU = 9525;
const DEEPEST_LIST = 8;
/** What a list stands further to the right than what is around it, in twentieths of a point. */
const LIST_INDENT = 420;
/** Of the page between its margins, in twentieths of a point. */
const LINE = 9026;

/** What a document has beside its text. */
export interface Beside {
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

/** What all paragraphs of a part have, as elements of `w:pPr` in the order of its schema. */
interface Paragraph {
  readonly style?: string;
  readonly list?: { readonly id: number; readonly level: number };
  readonly line?: boolean;
  /** Twentieths of a point. */
  readonly indent?: number;
  /** What the first line stands further to the left, in twentieths of a point. */
  readonly hanging?: number;
  readonly align?: "center" | "right";
}

const properties = ({ style, list, line, indent, hanging = 0, align }: Paragraph): string => {
  const all = [
    style ? `<w:pStyle w:val="${style}"/>` : "",
    list ? `<w:numPr><w:ilvl w:val="${list.level}"/><w:numId w:val="${list.id}"/></w:numPr>` : "",
    line ? '<w:pBdr><w:bottom w:val="single" w:sz="6" w:space="1" w:color="D6D3D1"/></w:pBdr>' : "",
    indent ? `<w:ind w:left="${indent}"${hanging > 0 ? ` w:hanging="${hanging}"` : ""}/>` : "",
    align ? `<w:jc w:val="${align}"/>` : "",
  ].join("");
  return all === "" ? "" : `<w:pPr>${all}</w:pPr>`;
};

const paragraph = (runs: string, as: Paragraph = {}): string => `<w:p>${properties(as)}${runs}</w:p>`;

function run(text: string, { style, bold, italic, strike, mark, place }: Letters): string {
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
const isBlock = (node: Node): boolean =>
  node instanceof Element && (blockTags.has(node.tagName) || /^H[1-6]$/.test(node.tagName));

/** The words of a text as a browser draws them: blanks around its line ends are none at the edge of a line. */
function wordsOf({ data, previousSibling, nextSibling }: Text): string {
  const words = data.replace(/\s*\n\s*/g, " ");
  const begins = previousSibling instanceof HTMLBRElement || previousSibling instanceof HTMLInputElement;
  const ends = /\n\s*$/.test(data) && (nextSibling === null || isBlock(nextSibling));
  const begun = begins ? words.trimStart() : words;
  return ends ? begun.trimEnd() : begun;
}

const isList = (node: Node): node is HTMLUListElement | HTMLOListElement =>
  node instanceof HTMLUListElement || node instanceof HTMLOListElement;

const texOf = (formula: Element): string => formula.querySelector("annotation")?.textContent ?? formula.textContent;

/** Writes a rendered page as blocks of a Word document. */
export function createWriter(beside: Beside) {
  const relate = (type: Relation["type"], target: string): string => {
    const id = `r${beside.relations.length + 1}`;
    beside.relations.push({ id, type, target });
    return id;
  };

  const picture = ({ blob, ending, width, height }: WordPicture, words: string): string => {
    const name = `picture${beside.media.length + 1}.${ending}`;
    beside.media.push({ name, blob });
    const id = relate("image", `media/${name}`);
    const scale = Math.min(1, PAGE_WIDTH / width, PAGE_HEIGHT / height) * EMU;
    const size = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))] as const;
    const called = `id="${beside.media.length}" name="${name}" descr="${xmlText(words)}"`;
    return `<w:r><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent cx="${size[0]}" cy="${size[1]}"/><wp:docPr ${called}/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr ${called}/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="${id}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="${size[0]}" cy="${size[1]}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`;
  };

  const image = async (element: HTMLImageElement, letters: Letters): Promise<string> => {
    try {
      return picture(await pictureOf(element), element.alt);
    } catch {
      // One that is gone, or that the browser does not know, leaves its words.
      return run(element.alt, letters);
    }
  };

  const linked = (address: string, words: string): string =>
    /^(?:https?:|mailto:)/i.test(address) && words !== ""
      ? `<w:hyperlink r:id="${relate("hyperlink", address)}">${words}</w:hyperlink>`
      : words;

  async function runs(nodes: Iterable<Node>, letters: Letters = {}): Promise<string> {
    let all = "";
    for (const node of nodes) all += await inline(node, letters);
    return all;
  }

  async function inline(node: Node, letters: Letters): Promise<string> {
    if (node instanceof Text) return run(wordsOf(node), letters);
    if (!(node instanceof HTMLElement)) return "";
    if (node instanceof HTMLBRElement) return "<w:r><w:br/></w:r>";
    if (node instanceof HTMLImageElement) return await image(node, letters);
    if (node instanceof HTMLInputElement) return run(node.checked ? "☑ " : "☐ ", letters);
    if (node.matches(".katex, .md-math")) return run(texOf(node), { ...letters, style: "CodeWords" });
    if (node.matches("button.md-image")) {
      const { alt = "", src = "" } = node.dataset;
      return linked(src, run(alt || src, { ...letters, style: "Hyperlink" }));
    }
    if (node instanceof HTMLAnchorElement) {
      const address = node.getAttribute("href") ?? "";
      // The way back from a footnote leads nowhere here.
      if (address.startsWith("#ref-")) return "";
      const leads = /^(?:https?:|mailto:)/i.test(address);
      return linked(address, await runs(node.childNodes, leads ? { ...letters, style: "Hyperlink" } : letters));
    }
    return await runs(node.childNodes, { ...letters, ...looks[node.tagName] });
  }

  /** Blocks of a part. */
  const blocks = (parent: Element, as: Paragraph = {}): Promise<string> => each(parent.childNodes, as);

  /** Blocks one by one, where lists may be like others; text that stands among them is a paragraph of its own. */
  async function each(nodes: Iterable<Node>, as: Paragraph, lists: Paragraph = as): Promise<string> {
    let all = "";
    let words: Node[] = [];
    const flush = async () => {
      if (words.some((node) => node instanceof Element || node.textContent?.trim()))
        all += paragraph(await runs(words), as);
      words = [];
    };
    for (const node of nodes) {
      if (!isBlock(node)) {
        words.push(node);
        continue;
      }
      await flush();
      all += await block(node as HTMLElement, isList(node) ? lists : as);
    }
    await flush();
    return all;
  }

  async function block(element: HTMLElement, as: Paragraph): Promise<string> {
    const level = /^H([1-6])$/.exec(element.tagName)?.[1];
    if (level) return paragraph(await runs(element.childNodes), { ...as, style: `Heading${level}` });
    if (element.tagName === "P") return paragraph(await runs(element.childNodes), as);
    if (element.tagName === "HR") return paragraph("", { ...as, line: true });
    if (element.tagName === "BLOCKQUOTE") {
      const indent = (as.indent ?? 0) + 300;
      return await blocks(element, { ...as, style: "Quote", indent });
    }
    if (isList(element)) return await list(element, as);
    if (element.matches(".md-math")) {
      return paragraph(run(texOf(element), { style: "CodeWords" }), { ...as, align: "center" });
    }
    if (element.matches(".md-diagram")) return await diagram(element, as);
    if (element.matches(".md-code")) {
      const source = element.querySelector("code")?.textContent ?? "";
      return paragraph(run(source.replace(/\n$/, ""), {}), { ...as, style: "Code" });
    }
    if (element instanceof HTMLTableElement) return await table(element, as);
    return await blocks(element, as);
  }

  async function diagram(element: HTMLElement, as: Paragraph): Promise<string> {
    const svg = element.querySelector("svg");
    if (!svg) return paragraph(run(element.querySelector("pre")?.textContent ?? "", {}), { ...as, style: "Code" });
    return paragraph(picture(await diagramOf(svg), element.getAttribute("aria-label") ?? ""), as);
  }

  async function list(element: HTMLUListElement | HTMLOListElement, as: Paragraph): Promise<string> {
    const level = as.list ? Math.min(DEEPEST_LIST, as.list.level + 1) : 0;
    let id = 1;
    if (element instanceof HTMLOListElement) {
      beside.starts.push(element.start);
      id = beside.starts.length + 1;
    }
    let all = "";
    for (const item of element.children) {
      const indent = (as.indent ?? 0) + LIST_INDENT;
      const at = { ...as, list: { id, level }, indent, hanging: LIST_INDENT };
      // Only the first paragraph of an item has its number; lists in it are a level deeper.
      const first = [...item.childNodes].findIndex((node) => isBlock(node) && (node as Element).tagName !== "P");
      const nodes = [...item.childNodes];
      const own = first < 0 ? nodes : nodes.slice(0, first);
      const lines = own.filter((node) => node instanceof HTMLParagraphElement);
      const [head, ...more] = lines;
      all += paragraph(await runs(head ? head.childNodes : own), at);
      const { list: _, hanging: __, ...within } = at;
      for (const line of more) all += paragraph(await runs(line.childNodes), within);
      if (first >= 0) all += await each(nodes.slice(first), within, at);
    }
    return all;
  }

  async function table(element: HTMLTableElement, { indent = 0 }: Paragraph): Promise<string> {
    const columns = Math.max(1, ...Array.from(element.rows, ({ cells }) => cells.length));
    const width = Math.floor((LINE - indent) / columns);
    let rows = "";
    for (const row of element.rows) {
      let cells = "";
      for (const cell of row.cells) {
        const align = /^(?:center|right)$/.exec(cell.getAttribute("align") ?? "")?.[0] as Paragraph["align"];
        const words = await runs(cell.childNodes, cell.tagName === "TH" ? { bold: true } : {});
        const content = paragraph(words, align ? { align } : {});
        cells += `<w:tc><w:tcPr><w:tcW w:w="${width}" w:type="dxa"/></w:tcPr>${content}</w:tc>`;
      }
      // The names of the columns stand at the top of each page again.
      const head = row.parentElement?.tagName === "THEAD" ? "<w:trPr><w:tblHeader/></w:trPr>" : "";
      rows += `<w:tr>${head}${cells}</w:tr>`;
    }
    const sides = ["top", "left", "bottom", "right", "insideH", "insideV"];
    const borders = sides.map((side) => `<w:${side} w:val="single" w:sz="4" w:space="0" w:color="D6D3D1"/>`).join("");
    const grid = `<w:gridCol w:w="${width}"/>`.repeat(columns);
    // Two tables in a row would become one without a paragraph between them.
    return `<w:tbl><w:tblPr><w:tblW w:w="${width * columns}" w:type="dxa"/>${indent ? `<w:tblInd w:w="${indent}" w:type="dxa"/>` : ""}<w:tblBorders>${borders}</w:tblBorders></w:tblPr><w:tblGrid>${grid}</w:tblGrid>${rows}</w:tbl>${paragraph("")}`;
  }

  return { blocks };
}
