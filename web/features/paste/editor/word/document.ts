import { diagramOf } from "./pictures.ts";
import { isBlock, type PackageParts, picture, run, runs, texOf } from "./runs.ts";

const DEEPEST_LIST = 8;
/** What a list stands further to the right than what is around it, in twentieths of a point. */
const LIST_INDENT = 420;
/** Of the page between its margins, in twentieths of a point. */
const LINE = 9026;

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

const isList = (node: Node): node is HTMLUListElement | HTMLOListElement =>
  node instanceof HTMLUListElement || node instanceof HTMLOListElement;

/** Writes a rendered page, or a part of it, as blocks of a Word document. */
export const blocks = (parts: PackageParts, parent: Element, as: Paragraph = {}): Promise<string> =>
  each(parts, parent.childNodes, as);

/** Blocks one by one, where lists may be like others; text that stands among them is a paragraph of its own. */
async function each(parts: PackageParts, nodes: Iterable<Node>, as: Paragraph, lists: Paragraph = as): Promise<string> {
  let all = "";
  let words: Node[] = [];
  const flush = async () => {
    if (words.some((node) => node instanceof Element || node.textContent?.trim()))
      all += paragraph(await runs(parts, words), as);
    words = [];
  };
  for (const node of nodes) {
    if (!isBlock(node)) {
      words.push(node);
      continue;
    }
    await flush();
    all += await block(parts, node as HTMLElement, isList(node) ? lists : as);
  }
  await flush();
  return all;
}

async function block(parts: PackageParts, element: HTMLElement, as: Paragraph): Promise<string> {
  const level = /^H([1-6])$/.exec(element.tagName)?.[1];
  if (level) return paragraph(await runs(parts, element.childNodes), { ...as, style: `Heading${level}` });
  if (element.tagName === "P") return paragraph(await runs(parts, element.childNodes), as);
  if (element.tagName === "HR") return paragraph("", { ...as, line: true });
  if (element.tagName === "BLOCKQUOTE") {
    const indent = (as.indent ?? 0) + 300;
    return await blocks(parts, element, { ...as, style: "Quote", indent });
  }
  if (isList(element)) return await list(parts, element, as);
  if (element.matches(".md-math")) {
    return paragraph(run(texOf(element), { style: "CodeWords" }), { ...as, align: "center" });
  }
  if (element.matches(".md-diagram")) return await diagram(parts, element, as);
  if (element.matches(".md-code")) {
    const source = element.querySelector("code")?.textContent ?? "";
    return paragraph(run(source.replace(/\n$/, ""), {}), { ...as, style: "Code" });
  }
  if (element instanceof HTMLTableElement) return await table(parts, element, as);
  return await blocks(parts, element, as);
}

async function diagram(parts: PackageParts, element: HTMLElement, as: Paragraph): Promise<string> {
  const svg = element.querySelector("svg");
  if (!svg) return paragraph(run(element.querySelector("pre")?.textContent ?? "", {}), { ...as, style: "Code" });
  return paragraph(picture(parts, await diagramOf(svg), element.getAttribute("aria-label") ?? ""), as);
}

async function list(parts: PackageParts, element: HTMLUListElement | HTMLOListElement, as: Paragraph): Promise<string> {
  const level = as.list ? Math.min(DEEPEST_LIST, as.list.level + 1) : 0;
  let id = 1;
  if (element instanceof HTMLOListElement) {
    parts.starts.push(element.start);
    id = parts.starts.length + 1;
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
    all += paragraph(await runs(parts, head ? head.childNodes : own), at);
    const { list: _, hanging: __, ...within } = at;
    for (const line of more) all += paragraph(await runs(parts, line.childNodes), within);
    if (first >= 0) all += await each(parts, nodes.slice(first), within, at);
  }
  return all;
}

async function table(parts: PackageParts, element: HTMLTableElement, { indent = 0 }: Paragraph): Promise<string> {
  const columns = Math.max(1, ...Array.from(element.rows, ({ cells }) => cells.length));
  const width = Math.floor((LINE - indent) / columns);
  let rows = "";
  for (const row of element.rows) {
    let cells = "";
    for (const cell of row.cells) {
      const align = /^(?:center|right)$/.exec(cell.getAttribute("align") ?? "")?.[0] as Paragraph["align"];
      const words = await runs(parts, cell.childNodes, cell.tagName === "TH" ? { bold: true } : {});
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
