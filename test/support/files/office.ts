import { utils, write } from "@e965/xlsx";
import { makeZip } from "./zip.ts";

/** Writes small office files. */

const xml = (body: string) => `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>${body}`;
const package2006 = "http://schemas.openxmlformats.org/package/2006";
const office2006 = "http://schemas.openxmlformats.org/officeDocument/2006";
const word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

interface DocxOptions {
  /** XML behind the paragraphs. */
  readonly body?: string;
  /** Relations of the document: XML. */
  readonly relations?: string;
}

/** A Word document of a heading and paragraphs. */
export function makeDocx(
  heading: string,
  paragraphs: readonly string[],
  { body = "", relations = "" }: DocxOptions = {},
) {
  const text = (content: string) => `<w:r><w:t xml:space="preserve">${Bun.escapeHTML(content)}</w:t></w:r>`;
  const document = `<w:document xmlns:w="${word}" xmlns:r="${office2006}/relationships"><w:body>
    <w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:rPr><w:b/><w:sz w:val="36"/></w:rPr><w:t>${Bun.escapeHTML(heading)}</w:t></w:r></w:p>
    ${paragraphs.map((paragraph) => `<w:p>${text(paragraph)}</w:p>`).join("")}${body}
    <w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440"/></w:sectPr>
  </w:body></w:document>`;
  return makeZip({
    "[Content_Types].xml": xml(
      `<Types xmlns="${package2006}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    ),
    "_rels/.rels": xml(
      `<Relationships xmlns="${package2006}/relationships"><Relationship Id="rId1" Type="${office2006}/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    ),
    "word/_rels/document.xml.rels": xml(
      `<Relationships xmlns="${package2006}/relationships">${relations}</Relationships>`,
    ),
    "word/document.xml": xml(document),
  });
}

/** A workbook with these sheets, as `.xlsx`, the older `.xls` or `.ods`. */
export function makeWorkbook(
  sheets: Readonly<Record<string, readonly (readonly (string | number)[])[]>>,
  bookType: "xlsx" | "biff8" | "ods" = "xlsx",
): Uint8Array<ArrayBuffer> {
  const book = utils.book_new();
  for (const [name, rows] of Object.entries(sheets)) {
    utils.book_append_sheet(book, utils.aoa_to_sheet(rows.map((row) => [...row])), name);
  }
  return new Uint8Array(write(book, { bookType, type: "array" }) as ArrayBuffer);
}
