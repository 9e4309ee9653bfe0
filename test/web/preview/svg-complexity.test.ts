import { expect, test } from "bun:test";
import { isLight, isLightDrawing, withoutEntities } from "../../../web/preview/image/svg-complexity.ts";

const svg = (inside: string, before = "") => `${before}<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`;
/** Each group draws the one before it ten times. */
const tower = (levels: number, draw: (id: string) => string) =>
  Array.from({ length: levels }, (_, at) => `<g id="a${at + 1}">${draw(`a${at}`).repeat(10)}</g>`).join("");
const use = (id: string) => `<use href="#${id}"/>`;

/** As draw.io and mermaid write a label: as HTML. */
const drawioLabel = (text: string) =>
  `<g><foreignObject style="overflow: visible; text-align: left;" pointer-events="none" width="100%" height="100%"><div xmlns="http://www.w3.org/1999/xhtml" style="display: flex; align-items: unsafe center; width: 118px; height: 1px;"><div style="box-sizing: border-box; font-size: 0px;"><div style="display: inline-block; font-size: 12px;">${text}</div></div></div></foreignObject></g>`;
const mermaidLabel =
  '<g class="node default"><rect/><g class="label"><foreignObject width="30" height="24"><div xmlns="http://www.w3.org/1999/xhtml" style="display: table-cell; max-width: 200px;"><span class="nodeLabel"><p>A</p></span></div></foreignObject></g></g>';
/** A drawing within a drawing within a drawing. */
const levels = (count: number): string =>
  count === 0 ? svg("<rect/>") : svg(`<image href="data:image/svg+xml;base64,${btoa(levels(count - 1))}"/>`);

const base = '<g id="a0"><rect/></g>';

test.each([
  ["shapes", svg('<rect width="1"/><path d="M0 0L9 9"/>')],
  ["an icon that is used a thousand times", svg(`<symbol id="i"><path/></symbol>${use("i").repeat(1000)}`)],
  ["two levels of references", svg(`<g id="a0"><rect/></g>${tower(2, use)}`)],
  ["what refers to itself", svg('<g id="a"><use href="#a"/></g>')],
  ["a shadow", svg('<filter id="f"><feGaussianBlur/></filter><g filter="url(#f)"/>')],
  [
    "the type of the document",
    svg("<g/>", '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/1.1.dtd">'),
  ],
  ["a prefix", '<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:rect/></s:svg>'],
  ["signs by their numbers", svg('<style>i::before { content: "\\e900" }</style><text>C:\\a</text>')],
  ["labels of draw.io", svg(drawioLabel("Start").repeat(500))],
  [
    "a diagram of mermaid",
    svg(`<style>.node rect { filter: drop-shadow(1px 2px 2px red) }</style>${mermaidLabel.repeat(200)}`),
  ],
  [
    "fonts from elsewhere, which a picture does not load",
    svg("<style>@import url(https://fonts.example/css);</style>"),
  ],
  ["a drawing within it", svg(`<image href="data:image/svg+xml;base64,${btoa(svg("<rect/>"))}"/>`.repeat(50))],
  [
    "a drawing as a background",
    svg(`<style>rect { fill: url('data:image/svg+xml,${encodeURIComponent(svg("<rect/>"))}') }</style>`),
  ],
  ["references in a comment", svg(`<!-- ${tower(8, use)} -->`)],
] as const)("%s are little to draw", (_, drawing) => expect(isLightDrawing(drawing)).toBe(true));

test.each([
  ["references to references", svg(base + tower(8, use))],
  ["with the older name", svg(base + tower(8, (id) => `<use xlink:href='#${id}'/>`))],
  ["masks in masks", svg(base + tower(8, (id) => `<rect mask="url(#${id})"/>`))],
  ["clips by style", svg(base + tower(8, (id) => `<rect style="clip-path: url( '#${id}' )"/>`))],
  ["a style sheet", svg(`${base + tower(3, use)}<style>rect { mask: url(#a3) }</style>${"<rect/>".repeat(100)}`)],
  ["markers", svg(`${base + tower(3, use)}<path marker-mid="url(#a3)" d="${"M0 0L9 9".repeat(1000)}"/>`)],
  ["a chain without end", svg(Array.from({ length: 5000 }, (_, at) => `<g id="a${at}">${use(`a${at + 1}`)}`).join(""))],
  ["more shapes than anybody sees", svg("<rect/>".repeat(200_000))],
  ["what is no drawing in an address", svg('<image href="data:image/svg+xml,%3Csvg"/>')],
  ["much in a drawing within it", svg(`<image href="data:image/svg+xml;base64,${btoa(svg(base + tower(8, use)))}"/>`)],
  [
    "a drawing within it, drawn again and again",
    svg(
      `<g id="a0"><image href="data:image/svg+xml,${encodeURIComponent(svg("<rect/>".repeat(5000)))}"/></g>${tower(2, use)}`,
    ),
  ],
  ["a drawing that holds itself by levels", levels(6)],
  [
    "a drawing in each shape's style",
    svg(
      `<style>* { mask: url("data:image/svg+xml,${encodeURIComponent(svg("<rect/>".repeat(500)))}") }</style>${"<rect/>".repeat(500)}`,
    ),
  ],
  ["an address in pieces", svg('<image href="data:image/svg+xml;x=&quot;,%3Csvg"/>')],
  ["style sheets in an address", svg("<style>@import url(data:text/css,rect{mask:url(#a)});</style>")],
  [
    "columns in columns",
    svg(`<foreignObject>${'<div style="columns: 2">'.repeat(20)}${"</div>".repeat(20)}</foreignObject>`),
  ],
  ["blurs in blurs", svg(`<foreignObject>${'<div style="filter: blur(40px)">'.repeat(20)}</foreignObject>`)],
  ["columns by a style sheet", svg(`<style>p, .a &gt; div { column-count: 2 }</style>${"<div>".repeat(20)}`)],
  ["columns of everything", svg(`<style>* { columns: 2 }</style>${"<div>".repeat(20)}`)],
  ["columns with escapes", svg('<div style="c\\6flumns: 2">'.repeat(20))],
  ["markup in entities", svg("&u;", "<!DOCTYPE svg [<!ENTITY u \"<use href='#a'/>\">]>")],
  ["entities in entities", svg("&b;", '<!DOCTYPE svg [<!ENTITY a "x"><!ENTITY b "&a;&a;">]>')],
  [
    "texts that a document type names",
    svg(base + tower(8, (id) => `<use href="&h;${id}"/>`), '<!DOCTYPE svg [<!ENTITY h "#">]>'),
  ],
  ["attributes that it adds", svg("<use/>", '<!DOCTYPE svg [<!ATTLIST use href CDATA "#a0">]>')],
  ["a comment in its address", svg(base + tower(8, use), '<!DOCTYPE svg SYSTEM "<!--">')],
  ["a comment in a second one", svg(base + tower(8, use), '<!DOCTYPE svg><!DOCTYPE svg SYSTEM "<!--">')],
  ["letters as numbers", svg(base + tower(8, (id) => `<use href="&#35;${id}"/>`))],
  ["letters as numbers of sixteen", svg(base + tower(8, (id) => `<rect mask="url(&#x23;${id})"/>`))],
  ["breaks in an address", svg('<image href="da&#10;ta:image&#47;svg+xml,%3Csvg"/>')],
  ["escapes in a style", svg(base + tower(8, (id) => `<rect style="mask: \\75rl(#${id})"/>`))],
  [
    "escapes in a style sheet",
    svg(`${base + tower(3, use)}<style>rect { mask: \\75 rl(#\\61 3) }</style>${"<rect/>".repeat(100)}`),
  ],
  ["capitals in a style", svg(base + tower(8, (id) => `<rect style="mask: URL(#${id})"/>`))],
  ["another prefix", svg(base + tower(8, (id) => `<use xmlns:x="http://www.w3.org/1999/xlink" x:href="#${id}"/>`))],
  ["two addresses", svg(base + tower(8, (id) => `<use xlink:href="#none" href="#${id}"/>`))],
  ["addresses by animation", svg(base + tower(8, (id) => `<use><set attributeName="href" to="#${id}"/></use>`))],
  ["what is no drawing", "%PDF-1.7"],
] as const)("%s are not", (_, drawing) => expect(isLightDrawing(drawing)).toBe(false));

test.each([
  ["comments", "<!--"],
  ["quotes", '<a b="'],
  ["attributes", "<a b=c d='"],
  ["names", '<g id="a">'],
  ["blanks", "<a           "],
  ["a name", "a"],
  ["blanks of an address", " "],
  ["entities", "<!ENTITY "],
] as const)("megabytes of %s without an end are read once", (_, piece) => {
  // Read again and again they would take minutes.
  const long = piece.repeat(Math.floor(4_000_000 / piece.length));
  for (const text of [long, `<${long}`, `<style>url(${long}</style>`, `<a b="url(${long}">`])
    expect([isLight(text), isLightDrawing(`<svg>${text}`)].map((one) => typeof one)).toEqual(["boolean", "boolean"]);
});

test("texts that a document type names are put in, and nothing that grows", () => {
  const drawing = (list: string, inside: string) =>
    svg(inside, `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/svg11.dtd" [${list}]>`);
  const illustrator = drawing('\n\t<!ENTITY ns_svg "http://www.w3.org/2000/svg">\n', '<g xmlns:s="&ns_svg;">&lt;</g>');
  expect(withoutEntities(illustrator)).toBe(svg('<g xmlns:s="http://www.w3.org/2000/svg">&lt;</g>'));
  expect(isLightDrawing(withoutEntities(illustrator))).toBe(true);
  const long = "x".repeat(1000);
  for (const [list, inside] of [
    ['<!ENTITY a "x"><!ENTITY b "&a;&a;">', "&b;"],
    ['<!ENTITY a SYSTEM "file:///etc/passwd">', "&a;"],
    ['<!ENTITY % a "x">', "&a;"],
    [`<!ENTITY a "${long}">`, "&a;".repeat(100_000)],
  ] as const)
    expect(isLightDrawing(withoutEntities(drawing(list, inside)))).toBe(false);
});
