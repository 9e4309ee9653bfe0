import { describe, expect, test } from "bun:test";
import { readXmlItems } from "../../../src/lib/xml/items.ts";
import { XmlError } from "../../../src/lib/xml/shape.ts";

const wanted = { root: "Delete", item: "Object", most: 3 } as const;
const read = async (text: string) => {
  const { texts, items } = await readXmlItems(Buffer.from(text), wanted);
  return [Object.fromEntries(texts), items.map((item) => Object.fromEntries(item))];
};
const row = (inside: string) => `<Delete>${inside}</Delete>`;

describe("a row of items", () => {
  test("is read with its texts, whatever else its sender writes", async () => {
    const sent = `\ufeff<?xml version="1.0" encoding="UTF-8"?>
      <!-- a > b --><s:Delete xmlns:s="http://s3.amazonaws.com/doc/2006-03-01/" >
        <Object><Key> a &amp; b&#x20;&#233; </Key><Key>second</Key><Owner><ID>x</ID></Owner></Object>
        <Object a="1"><Key><![CDATA[<&amp;>]]> 数<!-- - -->据\r\n</Key><ETag/></Object><Object/>
        <Quiet>true</Quiet>
      </s:Delete> `;
    expect(await read(sent)).toEqual([
      { Quiet: "true" },
      [{ Key: " a & b é " }, { Key: "<&amp;> 数据\n", ETag: "" }, {}],
    ]);
  });

  test.each([
    ["nothing", ""],
    ["no root", "text"],
    ["another root", "<Object/>"],
    ["two roots", "<Delete/><Delete/>"],
    ["text beside the root", "x<Delete/>"],
    ["text behind the root", "<Delete/>x"],
    ["text beside elements", row("x<Object/>")],
    ["text behind elements", row("<Object><Key>a</Key>x</Object>")],
    ["an end that is missing", "<Delete><Object>"],
    ["an end too many", "<Delete/></Delete>"],
    ["ends that cross", "<Delete><Object></Delete></Object>"],
    ["a tag that does not end", "<Delete><Object"],
    ["a tag within a tag", "<Delete><Object <Key>"],
    ["a declaration", `<!DOCTYPE a [<!ENTITY b "c">]>${row("<Object/>")}`],
    ["an instruction", row("<?php ?>")],
    ["a comment without an end", row("<!-- ")],
    ["a reference to nothing", row("<Object><Key>&b;</Key></Object>")],
    ["a character that XML has not", row("<Object><Key>\u0001</Key></Object>")],
    ["a reference to a character that XML has not", row("<Object><Key>&#1;</Key></Object>")],
    ["more items than allowed", row("<Object/>".repeat(4))],
    ["a long text", row(`<Quiet>${"x".repeat(20_000)}</Quiet>`)],
    ["long blanks", row(" ".repeat(3_000_000))],
    ["many comments", row("<!---->".repeat(1000))],
    ["a long tag", row(`<Object ${"a".repeat(2000)}/>`)],
    ["deep elements", row(`<Object>${"<a>".repeat(20)}${"</a>".repeat(20)}</Object>`)],
  ])("is not read when it has %s", async (_, text) => {
    await expect(read(text)).rejects.toThrow(XmlError);
  });

  test("is UTF-8", async () => {
    await expect(readXmlItems(Buffer.from(row("é"), "latin1"), wanted)).rejects.toThrow(XmlError);
    await expect(readXmlItems(Buffer.from(row(""), "utf16le"), wanted)).rejects.toThrow(XmlError);
  });
});
