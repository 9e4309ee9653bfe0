import { PIXEL } from "../browser/journey.ts";
import { makeZip } from "./zip.ts";

interface BookParts {
  /** Bodies of the chapters, by their names. */
  readonly chapters: Readonly<Record<string, string>>;
  readonly css?: string;
  /** Attributes of the spine. */
  readonly spine?: string;
  /** Further files, or others in place of these. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
}

/** A book with a chapter for each body, a style sheet, a picture and contents. */
export function makeEpub({ chapters, css = "", spine = "", files = {} }: BookParts): Uint8Array<ArrayBuffer> {
  const names = Object.keys(chapters);
  const page = (body: string) =>
    `<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title/><link rel="stylesheet" href="../style.css"/></head><body>${body}</body></html>`;
  const items = names.map(
    (name) => `<item id="${name}" href="text/${name}.xhtml" media-type="application/xhtml+xml"/>`,
  );
  const lines = names.map((name) => `<li><a href="text/${name}.xhtml">Chapter ${name}</a></li>`);
  return makeZip({
    mimetype: "application/epub+zip",
    "META-INF/container.xml":
      '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
    "OEBPS/book.opf": `<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier>${names.join()}</dc:identifier><dc:title>A book</dc:title></metadata><manifest>${items.join("")}<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/><item id="css" href="style.css" media-type="text/css"/><item id="picture" href="images/pixel 1.png" media-type="image/png"/></manifest><spine ${spine}>${names.map((name) => `<itemref idref="${name}"/>`).join("")}</spine></package>`,
    "OEBPS/nav.xhtml": page(`<nav epub:type="toc"><ol>${lines.join("")}</ol></nav>`),
    "OEBPS/style.css": css,
    "OEBPS/images/pixel 1.png": new Uint8Array(PIXEL),
    ...Object.fromEntries(names.map((name) => [`OEBPS/text/${name}.xhtml`, page(chapters[name] ?? "")])),
    ...files,
  });
}
