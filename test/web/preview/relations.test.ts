import { describe, expect, test } from "bun:test";
import { safeRelations } from "../../../web/preview/office/relations.ts";

const types = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n';
const around = (relations: string) =>
  `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relations}</Relationships>`;
const relation = (type: string, target: string, more = "") =>
  `<Relationship Id="a" Type="${types}/${type}" Target="${target}"${more}/>`;
const external = ' TargetMode="External"';

/** The targets that are left. */
function targetsOf(xml: string): string[] | undefined {
  const text = safeRelations(xml);
  if (text === undefined) return undefined;
  const read = new DOMParser().parseFromString(text, "application/xml");
  return [...read.querySelectorAll("Relationship")].map((one) => one.getAttribute("Target") ?? "");
}

describe("relations of office files", () => {
  test.each([
    ["a part", relation("image", "media/a.png"), ["media/a.png"]],
    ["a part from the root", relation("styles", "/word/styles.xml", ' TargetMode="Internal"'), ["/word/styles.xml"]],
    ["a link", relation("hyperlink", "https://a.example/?a=1&amp;b=2", external), ["https://a.example/?a=1&b=2"]],
    ["a link to mail", relation("hyperlink", "mailto:a@b.example", external), ["mailto:a@b.example"]],
    ["what stands among comments", `<!-- a --> ${relation("image", "a.png")}<?b c?>`, ["a.png"]],
  ])("%s stays", (_, xml, targets) => expect(targetsOf(around(xml))).toEqual(targets));

  test.each([
    ["a picture elsewhere", relation("image", "https://evil.example/a.png", external)],
    ["in single quotes", relation("image", "https://evil.example/a.png", external).replaceAll('"', "'")],
    ["whose mode is written otherwise", relation("image", "https://evil.example", ' TargetMode="&#69;xternal"')],
    ["whose mode is none", relation("image", "a.png", ' TargetMode="Other"')],
    [
      "behind a sign that ends tags",
      `<Relationship Id=">" Type="${types}/image" Target="https://evil.example"${external}/>`,
    ],
    ["with a prefix", relation("image", "https://evil.example", external).replace("<R", "<p:R")],
    ["that says it is within", relation("image", "https://evil.example/a.png")],
    ["that says so without a scheme", relation("image", "//evil.example/a.png")],
    ["or with backslashes", relation("image", "\\\\evil.example\\a.png")],
    ["or with a scheme that is written otherwise", relation("image", "&#x68;ttps://evil.example")],
    ["a template", relation("attachedTemplate", "file:///a.dotm", external)],
    ["a link that runs", relation("hyperlink", "javascript:alert(1)", external)],
    ["a link that runs, in another way", relation("hyperlink", " java&#10;script:alert(1)", external)],
    ["in a comment that is none to others", `<!-- ${relation("image", "https://evil.example", external)} -->`],
  ])("%s goes", (_, xml) => expect(targetsOf(around(xml))).toEqual([]));

  test.each([
    ["text between them", `${relation("image", "a")}text`],
    ["a section of text", `<![CDATA[${relation("image", "a")}]]>`],
    ["attributes twice", relation("image", "a", ' Target="b"')],
    ["an entity of its own", relation("image", "&evil;")],
    ["an attribute without quotes", "<Relationship Id=a/>"],
    ["a tag that does not end", "<Relationship"],
    ["a comment that does not end", "<!-- a"],
  ])("%s makes the file none", (_, xml) => expect(safeRelations(around(xml))).toBeUndefined());

  test("names and targets cannot break out of what is written", () => {
    const written = safeRelations(around(relation("image", "a.png&quot;/&gt;&lt;x b=&quot;")));
    expect(targetsOf(written ?? "")).toEqual(['a.png"/><x b="']);
  });

  test("a long one is read in one go", () => {
    expect(targetsOf(around(relation("image", "a.png").repeat(20_000)))).toHaveLength(20_000);
    expect(safeRelations(`<a${" b='c'".repeat(100_000)}`)).toBeUndefined();
    expect(safeRelations("<!--".repeat(100_000))).toBeUndefined();
  });
});
