import { downloadZip } from "client-zip";
import { blocks } from "./document.ts";
import { contentTypes, documentPart, numberingPart, packageRelations, relationsPart, stylesPart } from "./parts.ts";
import type { PackageParts } from "./runs.ts";

const TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

/** A rendered page as a Word document. Formulas are their TeX, pictures of other sites are links: nothing is fetched for them. */
export async function docxOf(page: Element): Promise<Blob> {
  const parts: PackageParts = { relations: [], media: [], starts: [] };
  const text = await blocks(parts, page);
  const files = [
    { name: "[Content_Types].xml", input: contentTypes },
    { name: "_rels/.rels", input: packageRelations },
    { name: "word/document.xml", input: documentPart(text) },
    { name: "word/_rels/document.xml.rels", input: relationsPart(parts.relations) },
    { name: "word/styles.xml", input: stylesPart },
    { name: "word/numbering.xml", input: numberingPart(parts.starts) },
    ...parts.media.map(({ name, blob }) => ({ name: `word/media/${name}`, input: blob })),
  ];
  return new Blob([await downloadZip(files).arrayBuffer()], { type: TYPE });
}
