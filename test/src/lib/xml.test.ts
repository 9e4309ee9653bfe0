import { describe, expect, test } from "bun:test";
import { XmlError } from "../../../src/lib/xml/shape.ts";
import { escapeXml, writeXml } from "../../../src/lib/xml/writer.ts";
import { parseXml } from "../../../src/lib/xml/xml.ts";

const parsed = (text: string) => parseXml(Buffer.from(text));
const again = (text: string) => writeXml(parsed(text));

describe("an XML document", () => {
  test("has its names resolved", () => {
    const root = parsed(
      '<?xml version="1.0" encoding="utf-8"?>\n<D:a xmlns:D="DAV:" xml:lang="de"><b xmlns="urn:x" D:c="1" d="2"/></D:a><!-- end -->',
    );
    expect(root).toMatchObject({ namespace: "DAV:", name: "a", prefix: "D" });
    expect(root.attributes).toEqual([
      { namespace: "http://www.w3.org/XML/1998/namespace", name: "lang", prefix: "xml", value: "de" },
    ]);
    expect(root.children).toMatchObject([
      {
        namespace: "urn:x",
        name: "b",
        attributes: [
          { namespace: "DAV:", name: "c" },
          { namespace: "", name: "d" },
        ],
      },
    ]);
  });

  test("has its references resolved, but not in CDATA", () => {
    expect(parsed("<a>&lt;&#65;&#x1F600;&amp;amp;<![CDATA[&lt;<b>]]></a>").children).toEqual(["<A😀&amp;&lt;<b>"]);
    expect(parsed('<a b="&quot;&#10;&apos;"/>').attributes[0]?.value).toBe("\"\n'");
  });

  test("may be in UTF-16", () => {
    const text = '<?xml version="1.0" encoding="utf-16"?><a>ü</a>';
    expect(parseXml(Buffer.from(`\ufeff${text}`, "utf16le")).children).toEqual(["ü"]);
    expect(parseXml(Buffer.from(`\ufeff${text}`, "utf16le").swap16()).children).toEqual(["ü"]);
    expect(parseXml(Buffer.from("\ufeff<a>ü</a>")).children).toEqual(["ü"]);
  });

  const same = [
    "<a/>",
    '<a xmlns="urn:x"/>',
    '<p:a xmlns:p="urn:x"><p:b p:c="1" d="2">text</p:b> &amp; &lt;</p:a>',
    '<a xmlns="urn:x"><b xmlns=""><c xmlns="urn:y"/></b></a>',
    '<p:a xmlns:p="urn:x"><p:b xmlns:p="urn:y"/></p:a>',
    '<a xml:lang="de" b="&quot;&#10;"/>',
    "<a>😀&#13;</a>",
  ];
  for (const text of same) test(`is written as it was read: ${text}`, () => expect(again(text)).toBe(text));

  const refused: Record<string, string> = {
    nothing: "",
    "no XML": "not xml",
    "an open element": "<a><b></a>",
    "two roots": "<a/><b/>",
    "text beside the root": "<a/>x",
    "a root in text": "x<a/>",
    "an unbound prefix": "<D:a/>",
    "an unbound prefix of an attribute": "<a D:b='1'/>",
    "a prefix bound to nothing": "<a xmlns:D=''/>",
    "two colons": "<a:b:c xmlns:a='x'/>",
    "no name behind a prefix": "<a: xmlns:a='x'/>",
    "the prefix xmlns": "<xmlns:a/>",
    "another xml": "<a xmlns:xml='urn:x'/>",
    "the namespace of xmlns": "<a xmlns:x='http://www.w3.org/2000/xmlns/'/>",
    "an attribute twice": "<a b='1' b='2'/>",
    "an attribute twice by two prefixes": "<a xmlns:x='u' xmlns:y='u' x:b='1' y:b='2'/>",
    "a DTD": "<!DOCTYPE a><a/>",
    "a DTD behind a comment": "<!----><!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
    "a DTD in other letters": "<!doctype a><a/>",
    "an entity": "<a>&b;</a>",
    "an entity of JavaScript": "<a>&constructor;</a>",
    "an open reference": "<a>&amp</a>",
    "a reference to no character": "<a>&#0;</a>",
    "a reference to half a character": "<a>&#xD800;</a>",
    "a reference beyond Unicode": "<a>&#x110000;</a>",
    "a control character": "<a>\u0001</a>",
    "bytes that are no UTF-8": "<a>\udcff</a>",
    "another encoding": "<?xml version='1.0' encoding='iso-8859-1'?><a/>",
    "< in an attribute": "<a b='<'/>",
    "a name of JavaScript": "<__proto__/>",
    "an open comment": "<a><!--</a>",
    "an open tag": "<a",
    "65 elements within each other": `${"<a>".repeat(65)}${"</a>".repeat(65)}`,
    "more than 2,000 attributes": `<a>${"<b c='' d=''/>".repeat(1001)}</a>`,
    "more than 20,000 references": `<a>${"&amp;".repeat(20_001)}</a>`,
    "more than 100 prefixes": `<a ${Array.from({ length: 101 }, (_, index) => `xmlns:a${index}='b'`).join(" ")}/>`,
    "more than 10,000 elements": `<a>${"<b/>".repeat(10_000)}</a>`,
  };
  for (const [what, text] of Object.entries(refused)) {
    const bytes = what === "bytes that are no UTF-8" ? Buffer.from("<a>\xff</a>", "latin1") : Buffer.from(text);
    test(`with ${what} is refused`, () => expect(() => parseXml(bytes)).toThrow(XmlError));
  }

  test("cannot make the server read it for long", () => {
    const size = 1024 * 1024;
    const hostile = [
      `<a${" ".repeat(size)}b='1'/>`,
      `<a ${"b ".repeat(size / 2)}/>`,
      `<a>${"<!--".repeat(size / 4)}</a>`,
      `<a>${"<![CDATA[".repeat(size / 9)}</a>`,
      `<a>${"&".repeat(size)}</a>`,
      `<a>${"&amp;".repeat(size / 5)}</a>`,
      "<a>".repeat(size / 3),
      `<a b='${"x".repeat(size)}'/>`,
      `${`<a${" ".repeat(190)}b='1'>`.repeat(60)}${"</a>".repeat(60)}`,
      `<a>${`<b${` ${"c".repeat(150)}`.repeat(400)}/>`.repeat(17)}</a>`,
      `<a>${`<b${Array.from({ length: 6000 }, (_, index) => ` b${index}=''`).join("")}/>`.repeat(17)}</a>`,
      `<?xml ${" ".repeat(size)}`,
      `<a ${Array.from({ length: 99 }, (_, index) => `xmlns:a${index}='b'`).join(" ")}>${"<b xmlns:c='d'/>".repeat(1900)}</a>`,
    ];
    for (const text of hostile) {
      const began = performance.now();
      try {
        parsed(text);
      } catch (error) {
        expect(error).toBeInstanceOf(XmlError);
      }
      // Generous: what must not be is a square of the size, which would be minutes.
      expect(performance.now() - began).toBeLessThan(30_000);
    }
  });
});

test("text is escaped, and what XML cannot say is replaced", () => {
  expect(escapeXml("a b_ü😀")).toBe("a b_ü😀");
  expect(escapeXml(`<a href="x">&'\r`)).toBe("&lt;a href=&quot;x&quot;&gt;&amp;'&#13;");
  expect(escapeXml("\u0000\ud800\uffff")).toBe("\ufffd\ufffd\ufffd");
});
