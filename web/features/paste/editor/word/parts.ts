/** The parts of a Word document that are the same in each (ECMA-376-1), and how XML is written. */

const office = "http://schemas.openxmlformats.org/officeDocument/2006";
const packages = "http://schemas.openxmlformats.org/package/2006";
const word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Text within XML, without the characters that XML 1.0 has no place for. */
export const xmlText = (text: string): string =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is left out
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
    .replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign);

/** A link or picture of the document. */
export interface Relation {
  readonly id: string;
  readonly type: "hyperlink" | "image";
  readonly target: string;
}

export const relationsPart = (relations: readonly Relation[]): string => {
  const own = [
    `<Relationship Id="styles" Type="${office}/relationships/styles" Target="styles.xml"/>`,
    `<Relationship Id="numbering" Type="${office}/relationships/numbering" Target="numbering.xml"/>`,
  ];
  const others = relations.map(({ id, type, target }) => {
    const mode = type === "hyperlink" ? ' TargetMode="External"' : "";
    return `<Relationship Id="${id}" Type="${office}/relationships/${type}" Target="${xmlText(target)}"${mode}/>`;
  });
  return `${head}<Relationships xmlns="${packages}/relationships">${[...own, ...others].join("")}</Relationships>`;
};

/** The document around its blocks: A4, with margins of an inch. */
export const documentPart = (blocks: string): string =>
  `${head}<w:document xmlns:w="${word}" xmlns:r="${office}/relationships" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><w:body>${blocks}<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr></w:body></w:document>`;

const LEVELS = 9;
const levels = (mark: (level: number) => string): string =>
  Array.from(
    { length: LEVELS },
    (_, level) =>
      `<w:lvl w:ilvl="${level}"><w:start w:val="1"/>${mark(level)}<w:lvlJc w:val="left"/><w:pPr><w:ind w:left="${(level + 1) * 420}" w:hanging="420"/></w:pPr></w:lvl>`,
  ).join("");

/** Lists: the first has bullets, each other one counts from where its list begins. */
export const numberingPart = (starts: readonly number[]): string => {
  const bullets = levels((level) => `<w:numFmt w:val="bullet"/><w:lvlText w:val="${level % 2 === 0 ? "•" : "◦"}"/>`);
  const numbers = levels((level) => `<w:numFmt w:val="decimal"/><w:lvlText w:val="%${level + 1}."/>`);
  const lists = starts.map((start, at) => {
    const restart = Array.from(
      { length: LEVELS },
      (_, level) => `<w:lvlOverride w:ilvl="${level}"><w:startOverride w:val="${start}"/></w:lvlOverride>`,
    );
    return `<w:num w:numId="${at + 2}"><w:abstractNumId w:val="1"/>${restart.join("")}</w:num>`;
  });
  return `${head}<w:numbering xmlns:w="${word}"><w:abstractNum w:abstractNumId="0">${bullets}</w:abstractNum><w:abstractNum w:abstractNumId="1">${numbers}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>${lists.join("")}</w:numbering>`;
};

const style = (id: string, name: string, paragraph: string, letters: string): string =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/><w:basedOn w:val="Normal"/><w:qFormat/><w:pPr>${paragraph}</w:pPr><w:rPr>${letters}</w:rPr></w:style>`;

/** Half points of headings. */
const headings = [36, 30, 26, 24, 22, 22];
const mono = '<w:rFonts w:ascii="Consolas" w:hAnsi="Consolas" w:cs="Consolas"/>';
const shade = '<w:shd w:val="clear" w:color="auto" w:fill="F5F5F4"/>';

export const stylesPart = `${head}<w:styles xmlns:w="${word}"><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:eastAsia="Microsoft YaHei" w:cs="Calibri"/><w:sz w:val="22"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:after="120" w:line="300" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:qFormat/></w:style>${headings
  .map((size, at) =>
    style(
      `Heading${at + 1}`,
      `heading ${at + 1}`,
      `<w:keepNext/><w:spacing w:before="${320 - at * 30}" w:after="120"/><w:outlineLvl w:val="${at}"/>`,
      `<w:b/><w:sz w:val="${size}"/>`,
    ),
  )
  .join(
    "",
  )}${style("Quote", "Quote", '<w:pBdr><w:left w:val="single" w:sz="18" w:space="8" w:color="D6D3D1"/></w:pBdr>', '<w:color w:val="57534E"/>')}${style("Code", "Code", `${shade}<w:spacing w:line="260" w:lineRule="auto"/>`, `${mono}<w:sz w:val="19"/>`)}<w:style w:type="character" w:styleId="CodeWords"><w:name w:val="Code Words"/><w:rPr>${mono}<w:sz w:val="20"/>${shade}</w:rPr></w:style><w:style w:type="character" w:styleId="Hyperlink"><w:name w:val="Hyperlink"/><w:rPr><w:color w:val="C2410C"/><w:u w:val="single"/></w:rPr></w:style></w:styles>`;

export const packageRelations = `${head}<Relationships xmlns="${packages}/relationships"><Relationship Id="document" Type="${office}/relationships/officeDocument" Target="word/document.xml"/></Relationships>`;

const wordType = "application/vnd.openxmlformats-officedocument.wordprocessingml";
export const contentTypes = `${head}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/><Default Extension="jpeg" ContentType="image/jpeg"/><Default Extension="gif" ContentType="image/gif"/><Override PartName="/word/document.xml" ContentType="${wordType}.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="${wordType}.styles+xml"/><Override PartName="/word/numbering.xml" ContentType="${wordType}.numbering+xml"/></Types>`;
