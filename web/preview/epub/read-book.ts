import { BookFailure, type TakeFile } from "./epub.ts";

/** Bytes of a file that tells how a book is made up, and how many chapters and lines of contents are read of it. */
const MAX_XML = 4 * 1024 * 1024;
const MAX_CHAPTERS = 5000;
const MAX_LINES = 5000;
/** Letters, and nodes, that are read for a line of contents. */
const MAX_LABEL = 1000;
/** Ways to hide fonts from those who unpack a book; its text is open. */
const HIDDEN_FONTS = ["http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"];
const CONTAINER = "META-INF/container.xml";

interface ContentsLine {
  readonly label: string;
  readonly path: string;
  /** The id within the chapter; empty for its beginning. */
  readonly part: string;
  readonly depth: number;
}

/** How a book is made up. */
export interface Book {
  /** What tells it from other books, as far as it says. */
  readonly id: string;
  /** Paths of the chapters, in the order of reading. */
  readonly chapters: readonly string[];
  /** Media types of its files by their paths. */
  readonly types: ReadonlyMap<string, string>;
  readonly contents: readonly ContentsLine[];
  /** Whether its pages are turned from the right to the left. */
  readonly isFromRight: boolean;
}

/** The path that an address in a file of the book leads to, with the id in it; undefined when it leads out of the book. */
export function inBook(address: string, from: string): { readonly path: string; readonly part: string } | undefined {
  const base = `book://book/${from.split("/").map(encodeURIComponent).join("/")}`;
  const url = URL.parse(address, base);
  if (url?.protocol !== "book:" || url.host !== "book") return undefined;
  try {
    return { path: decodeURIComponent(url.pathname.slice(1)), part: decodeURIComponent(url.hash.slice(1)) };
  } catch {
    // A percent sign is not followed by two hex digits (RFC 3986 section 2.1).
    return undefined;
  }
}

/** Reads how a book is made up (EPUB 3.3 and 2). Throws BookFailure. */
export async function readBook(take: TakeFile): Promise<Book> {
  await refuseLocked(take);
  const container = await xmlOf(take, CONTAINER);
  const packagePath = named(container, "rootfile")[0]?.getAttribute("full-path") ?? "";
  const document = await xmlOf(take, packagePath);
  const items = new Map<string, Element>();
  const types = new Map<string, string>();
  const pathOf = (item: Element | undefined) => inBook(item?.getAttribute("href") ?? "book://none", packagePath)?.path;
  for (const item of named(document, "item")) {
    items.set(item.getAttribute("id") ?? "", item);
    const path = pathOf(item);
    if (path !== undefined) types.set(path, item.getAttribute("media-type") ?? "");
  }
  const [spine] = named(document, "spine");
  const chapters = named(document, "itemref")
    .map((reference) => pathOf(items.get(reference.getAttribute("idref") ?? "")))
    .filter((path) => path !== undefined)
    .slice(0, MAX_CHAPTERS);
  if (chapters.length === 0) throw new BookFailure("broken");
  const isContents = (item: Element) => /(?:^|\s)nav(?:\s|$)/.test(item.getAttribute("properties") ?? "");
  const navigation = pathOf([...items.values()].find(isContents));
  const older = pathOf(items.get(spine?.getAttribute("toc") ?? ""));
  return {
    id: ["identifier", "title"].map((name) => named(document, name)[0]?.textContent.trim().slice(0, 200)).join(" "),
    chapters,
    types,
    contents: await contentsOf(take, navigation, older),
    isFromRight: spine?.getAttribute("page-progression-direction") === "rtl",
  };
}

/** A book whose text is locked is not opened. */
async function refuseLocked(take: TakeFile): Promise<void> {
  if (!(await take("META-INF/encryption.xml", MAX_XML))) return;
  const methods = named(await xmlOf(take, "META-INF/encryption.xml"), "EncryptionMethod");
  if (methods.some((method) => !HIDDEN_FONTS.includes(method.getAttribute("Algorithm") ?? "")))
    throw new BookFailure("drm");
}

/** A book without contents, or with some that cannot be read, is read all the same. */
async function contentsOf(take: TakeFile, navigation: string | undefined, older: string | undefined) {
  try {
    if (navigation !== undefined) return linesOf(await xmlOf(take, navigation), navigation);
    if (older !== undefined) return olderLinesOf(await xmlOf(take, older), older);
    return [];
  } catch (error) {
    if (error instanceof BookFailure) return [];
    throw error;
  }
}

function linesOf(document: Document, from: string): ContentsLine[] {
  const lists = named(document, "nav");
  const list = lists.find((one) => /\btoc\b/.test(one.getAttribute("epub:type") ?? "")) ?? lists[0];
  const links = list ? [...list.getElementsByTagName("a")] : [];
  return links.slice(0, MAX_LINES).flatMap((link) => {
    const depth = depthOf(link, list, "ol") - 1;
    return lineOf(link, link.getAttribute("href"), depth, from);
  });
}

function olderLinesOf(document: Document, from: string): ContentsLine[] {
  return named(document, "navPoint")
    .slice(0, MAX_LINES)
    .flatMap((point) => {
      const of = (name: string) => [...point.children].find(({ localName }) => localName === name);
      const address = of("content")?.getAttribute("src") ?? null;
      return lineOf(of("navLabel"), address, depthOf(point, undefined, "navPoint"), from);
    });
}

function lineOf(labelled: Element | undefined, address: string | null, depth: number, from: string): ContentsLine[] {
  const label = (labelled ? beginningOf(labelled) : "").replace(/\s+/g, " ").trim().slice(0, 300);
  const place = address === null ? undefined : inBook(address, from);
  return place && label !== "" ? [{ label, ...place, depth: Math.max(0, Math.min(4, depth)) }] : [];
}

/** How the text of an element begins: lines may be within each other, each with all of the text in it. */
function beginningOf(element: Element): string {
  const walker = document.createTreeWalker(
    element,
    NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT | NodeFilter.SHOW_CDATA_SECTION,
  );
  let text = "";
  for (let seen = 0; seen < MAX_LABEL && text.length < MAX_LABEL && walker.nextNode(); seen += 1)
    text += walker.currentNode.nodeValue?.slice(0, MAX_LABEL) ?? "";
  return text;
}

/** How many elements of a name are around one, up to another. */
function depthOf(element: Element, end: Element | undefined, name: string): number {
  let depth = 0;
  for (let at = element.parentElement; at && at !== end && depth < 6; at = at.parentElement)
    if (at.localName === name) depth += 1;
  return depth;
}

const named = (document: Document, name: string): Element[] => [...document.getElementsByTagNameNS("*", name)];

/** A file as XML, without its document type: entities could grow. Throws BookFailure. */
async function xmlOf(take: TakeFile, path: string): Promise<Document> {
  const bytes = await take(path, MAX_XML);
  if (!bytes) throw new BookFailure("broken");
  return parsed(textOf(bytes), "application/xml");
}

/** A text of a book: UTF-8, or UTF-16 by its mark (EPUB 3.3 section 3.9). */
export const textOf = (bytes: Uint8Array): string =>
  new TextDecoder(
    bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe ? "utf-16be" : "utf-8",
  ).decode(bytes);

/** The document of a text. Its own document type is left out, because entities could grow; names of letters in XHTML stay known. */
export function parsed(text: string, type: "application/xml" | "application/xhtml+xml"): Document {
  if (/<!ENTITY/i.test(text)) throw new BookFailure("broken");
  const bare = withoutDoctype(text).replace(/^\s*<\?xml[^>]*\?>/, "");
  const known =
    type === "application/xml"
      ? ""
      : '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd">';
  const document = new DOMParser().parseFromString(known + bare, type);
  if (document.getElementsByTagName("parsererror").length > 0) throw new BookFailure("broken");
  return document;
}

/** Looks at the first one alone: tried at every place, many that do not end take the square of their number. */
function withoutDoctype(text: string): string {
  const at = text.search(/<!DOCTYPE/i);
  return at < 0 ? text : text.slice(0, at) + text.slice(at).replace(/^<!DOCTYPE[^>[]*(?:\[[^\]]*\]\s*)?>/i, "");
}
