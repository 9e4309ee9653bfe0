import { createHash } from "node:crypto";

/** Writes small PDF files (ISO 32000), page by page and object by object. */

interface PdfPage {
  /** Lines of plain ASCII. */
  readonly lines: readonly string[];
  /** A line in Chinese, of a font that the file does not bring. */
  readonly chinese?: string;
  /** Where a press on the first line leads. */
  readonly link?: string;
}

interface PdfOptions {
  /** JavaScript that a reader would run on opening. */
  readonly script?: string;
}

const escaped = (text: string) => text.replace(/[\\()]/g, "\\$&");
const utf16 = (text: string) => Buffer.from(text, "utf16le").swap16().toString("hex");

/** A PDF with these pages of A6. */
export function makePdf(pages: readonly PdfPage[], { script }: PdfOptions = {}): Uint8Array<ArrayBuffer> {
  const objects: string[] = [];
  const add = (body: string) => objects.push(body);
  const first = script === undefined ? 6 : 7;
  const kids = pages.map((_, index) => `${first + index * 3} 0 R`).join(" ");
  add(`<< /Type /Catalog /Pages 2 0 R ${script === undefined ? "" : "/OpenAction 6 0 R"} >>`);
  add(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>");
  add("<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H /DescendantFonts [5 0 R] >>");
  add(
    "<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> /DW 1000 /FontDescriptor << /Type /FontDescriptor /FontName /STSong-Light /Flags 6 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 900 /Descent -200 /CapHeight 700 /StemV 80 >> >>",
  );
  if (script !== undefined) add(`<< /S /JavaScript /JS (${escaped(script)}) >>`);
  for (const [index, page] of pages.entries()) {
    const at = first + index * 3;
    const annotations = page.link ? `/Annots [${at + 2} 0 R]` : "";
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 298 420] /Contents ${at + 1} 0 R ${annotations} /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>`,
    );
    const written = page.lines.map((line) => `(${escaped(line)}) Tj 0 -22 Td`).join("\n");
    const chinese = page.chinese === undefined ? "" : `/F2 16 Tf <${utf16(page.chinese)}> Tj`;
    const stream = `BT /F1 14 Tf 30 370 Td\n${written}\n${chinese} ET`;
    add(`<< /Length ${Buffer.byteLength(stream)} >>\nstream\n${stream}\nendstream`);
    const action = `/A << /S /URI /URI (${escaped(page.link ?? "")}) >>`;
    add(`<< /Type /Annot /Subtype /Link /Rect [30 365 200 385] /Border [0 0 0] ${action} >>`);
  }
  return assemble(objects);
}

/** A PDF of one page that stands in its tree 10 to the power of `levels` times: each level holds the next one ten times. */
export function makeEndlessPdf(levels: number): Uint8Array<ArrayBuffer> {
  const trees = Array.from(
    { length: levels },
    (_, at) => `<< /Type /Pages /Kids [${`${at + 3} 0 R `.repeat(10)}] /Count ${10 ** (levels - at)} >>`,
  );
  const stream = "BT /F1 14 Tf 30 370 Td (The one page) Tj ET";
  const contents = levels + 3;
  const font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";
  return assemble([
    "<< /Type /Catalog /Pages 2 0 R >>",
    ...trees,
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 298 420] /Contents ${contents} 0 R /Resources << /Font << /F1 ${contents + 1} 0 R >> >> >>`,
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    font,
  ]);
}

/** A PDF of one line that opens with a password: RC4 of 40 bits, the oldest way (ISO 32000-1, 7.6). */
export function makeLockedPdf(line: string, password: string): Uint8Array<ArrayBuffer> {
  const id = md5(Buffer.from(line));
  const owner = rc4(md5(padded(password)).subarray(0, 5), padded(password));
  const rights = Buffer.from("fcffffff", "hex");
  const key = md5(Buffer.concat([padded(password), owner, rights, id])).subarray(0, 5);
  const user = rc4(key, PADDING);
  const stream = `BT /F1 14 Tf 30 370 Td (${escaped(line)}) Tj ET`;
  const sealed = rc4(md5(Buffer.concat([key, Buffer.from([4, 0, 0, 0, 0])])).subarray(0, 10), Buffer.from(stream));
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 298 420] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${sealed.length} >>\nstream\n${sealed.toString("latin1")}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    `<< /Filter /Standard /V 1 /R 2 /O <${owner.toString("hex")}> /U <${user.toString("hex")}> /P -4 >>`,
  ];
  return assemble(objects, `/Encrypt 6 0 R /ID [<${id.toString("hex")}> <${id.toString("hex")}>]`);
}

const PADDING = Buffer.from("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a", "hex");
const padded = (password: string) => Buffer.concat([Buffer.from(password), PADDING]).subarray(0, 32);
const md5 = (bytes: Uint8Array) => createHash("md5").update(bytes).digest();

function rc4(key: Uint8Array, bytes: Uint8Array): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  const at = (index: number) => state[index & 255] ?? 0;
  const swap = (one: number, other: number) => {
    [state[one & 255], state[other & 255]] = [at(other), at(one)];
  };
  for (let i = 0, j = 0; i < 256; i++) {
    j += at(i) + (key[i % key.length] ?? 0);
    swap(i, j);
  }
  let [i, j] = [0, 0];
  return Buffer.from(bytes).map((byte) => {
    i += 1;
    j += at(i);
    swap(i, j);
    return byte ^ at(at(i) + at(j));
  }) as Buffer;
}

/** The objects with their table; a character is a byte. */
function assemble(objects: readonly string[], more = ""): Uint8Array<ArrayBuffer> {
  let text = "%PDF-1.7\n";
  const places = objects.map((body, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return at;
  });
  const xref = text.length;
  const rows = places.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("");
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  text += `trailer << /Size ${objects.length + 1} /Root 1 0 R ${more} >>\nstartxref\n${xref}\n%%EOF\n`;
  return new Uint8Array(Buffer.from(text, "latin1"));
}
