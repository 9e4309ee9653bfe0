import { safeCss } from "../html/safe-css.ts";
import { lightPage, type PageParts } from "../html/sanitize-page.ts";
import { writtenAnew } from "../html/written-anew.ts";
import { isLight } from "../image/svg-complexity.ts";
import { BookFailure, type TakeFile } from "./epub.ts";
import { type Book, inBook, parsed, textOf } from "./read-book.ts";

/** Bytes of a chapter, of a style sheet or picture of it, and of all of those together. */
const MAX_CHAPTER = 8 * 1024 * 1024;
const MAX_PART = 20 * 1024 * 1024;
const MAX_PARTS = 80 * 1024 * 1024;
/** Levels of elements within each other. */
const MAX_DEPTH = 400;

/** A chapter that may stand in the frame of a book. */
export interface Chapter {
  readonly html: string;
  /** Frees its pictures. */
  close(): void;
}

const urls = /url\(\s*(?:"([^"\n]*)"|'([^'\n]*)'|([^"'()\s]+))\s*\)/gi;
const picture = /^image\/(?:png|jpe?g|gif|webp|avif|bmp)$/;
const font = /^(?:font\/|application\/(?:x-font|font|vnd\.ms-opentype))/;

/** Makes a chapter ready to be shown: without what runs or leads away, its pictures and fonts within it. Throws BookFailure. */
export async function readChapter(take: TakeFile, book: Book, path: string): Promise<Chapter> {
  const bytes = await take(path, MAX_CHAPTER);
  if (!bytes) throw new BookFailure("broken");
  const parts = createParts(take, book);
  try {
    const text = textOf(bytes);
    if (isDeep(text)) throw new BookFailure("tooLarge");
    const page = pageOf(text);
    for (const link of page.querySelectorAll('link[rel~="stylesheet" i]')) {
      const style = page.createElement("style");
      style.textContent = await parts.sheet(link.getAttribute("href") ?? "", path);
      link.replaceWith(style);
    }
    for (const style of page.querySelectorAll("style")) await parts.css(style.textContent, path);
    for (const element of page.querySelectorAll("[style]")) await parts.css(element.getAttribute("style") ?? "", path);
    for (const element of page.querySelectorAll("img, image"))
      for (const name of ["src", "href", "xlink:href"]) await parts.load(element.getAttribute(name), path);
    const html = lightPage(page.documentElement.outerHTML, parts.within(path));
    if (html === undefined) throw new BookFailure("tooLarge");
    return { html, close: parts.close };
  } catch (error) {
    parts.close();
    throw error;
  }
}

/** A chapter as HTML; one that is no XML after all is read as browsers read pages. */
function pageOf(text: string): Document {
  try {
    const page = document.implementation.createHTMLDocument("");
    const read = parsed(text, "application/xhtml+xml").documentElement;
    page.replaceChild(page.importNode(read, true), page.documentElement);
    return page;
  } catch (error) {
    if (!(error instanceof BookFailure) || /<!ENTITY/i.test(text)) throw error;
    const written = writtenAnew(text.replace(emptied, "<$1$2></$1>"));
    if (written === undefined) throw new BookFailure("tooLarge");
    return new DOMParser().parseFromString(written, "text/html");
  }
}

/**
 * Whether elements are more deeply within each other than people write. Parsers of pages take the square of the levels: the text is looked at
 * before them.
 */
function isDeep(text: string): boolean {
  let depth = 0;
  for (const [, tag = ""] of text.matchAll(/<([^<>]*)>/g)) {
    const [, closing, name] = /^(\/?)([a-z][\w:-]*)/i.exec(tag) ?? [];
    if (name === undefined || tag.endsWith("/") || unclosed.test(name)) continue;
    depth = closing === "/" ? Math.max(0, depth - 1) : depth + 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** Elements that pages need not close. */
const unclosed =
  /^(?:br|img|hr|meta|link|input|col|area|base|wbr|source|track|p|li|dt|dd|t[dhr]|thead|tbody|tfoot|option|rp|rt)$/i;

/** Elements that XML may close at once, and after which a parser of HTML takes all the rest for their text. */
const emptied = /<(title|style|script|textarea|iframe|noscript)\b([^<>]*)\/>/gi;

/** The pictures, fonts and style sheets of a chapter, by their paths in the book. */
function createParts(take: TakeFile, book: Book) {
  const addresses = new Map<string, string>();
  let left = MAX_PARTS;
  const bytesOf = async (path: string) => {
    const bytes = await take(path, Math.min(MAX_PART, left));
    left -= bytes?.length ?? 0;
    return bytes;
  };
  const load = async (address: string | null, from: string): Promise<void> => {
    const path = address === null ? undefined : inBook(address, from)?.path;
    if (path === undefined || addresses.has(path)) return;
    const type = book.types.get(path) ?? "";
    const isDrawing = type === "image/svg+xml";
    if (!isDrawing && !picture.test(type) && !font.test(type)) return;
    const bytes = await bytesOf(path);
    if (!bytes || (isDrawing && !isLight(textOf(bytes)))) return;
    // The policy of our own pages, which holds in the frame too, lets fonts be nothing but a part of the page.
    addresses.set(path, font.test(type) ? await dataAddress(bytes, type) : blobAddress(bytes, type));
  };
  const css = async (text: string, from: string): Promise<void> => {
    for (const [, double, single, bare] of text.matchAll(urls)) await load(double ?? single ?? bare ?? "", from);
  };
  const brought = (address: string, from: string) => addresses.get(inBook(address, from)?.path ?? "");
  /** A style sheet whose addresses are those of its parts. */
  const led = (text: string, from: string) =>
    text.replace(urls, (_, double?: string, single?: string, bare?: string) => {
      const address = brought(double ?? single ?? bare ?? "", from);
      return address === undefined ? "none" : `url("${address}")`;
    });
  return {
    load,
    css,
    /** A style sheet by its address, with its parts in it. */
    async sheet(address: string, from: string): Promise<string> {
      const path = inBook(address, from)?.path;
      const bytes = path === undefined ? undefined : await bytesOf(path);
      if (path === undefined || !bytes) return "";
      const text = textOf(bytes);
      await css(text, path);
      return led(text, path);
    },
    within: (from: string): PageParts => ({
      cssOf: (text) => safeCss(led(text, from), /^(?:blob:|data:font\/|data:application\/)/),
      addressOf: (address, isLink) => (isLink ? leadOf(address, from) : brought(address, from)),
    }),
    close() {
      for (const address of addresses.values()) if (address.startsWith("blob:")) URL.revokeObjectURL(address);
      addresses.clear();
    },
  };
}

/** The address of a link within the book: its place, which the reader goes to. */
function leadOf(address: string, from: string): string | undefined {
  const place = inBook(address, from);
  return place && `#${new URLSearchParams({ path: place.path, part: place.part })}`;
}

/** The place that such an address names. */
export function placeOf(address: string): { readonly path: string; readonly part: string } {
  const place = new URLSearchParams(address.slice(1));
  return { path: place.get("path") ?? "", part: place.get("part") ?? "" };
}

const blobAddress = (bytes: Uint8Array<ArrayBuffer>, type: string) => URL.createObjectURL(new Blob([bytes], { type }));

const dataAddress = async (bytes: Uint8Array<ArrayBuffer>, type: string): Promise<string> => {
  const reader = new FileReader();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  reader.onload = () => resolve();
  reader.onerror = () => reject(reader.error);
  reader.readAsDataURL(new Blob([bytes], { type }));
  await promise;
  return String(reader.result);
};
