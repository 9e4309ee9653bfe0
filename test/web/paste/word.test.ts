import { expect, test } from "bun:test";
import { blocks as blocksOf } from "../../../web/features/paste/editor/word/document.ts";

/** The paragraphs of a page, as their words. */
async function wordsOf(html: string): Promise<string[]> {
  const page = document.createElement("div");
  page.innerHTML = html;
  const blocks = await blocksOf({ relations: [], media: [], starts: [] }, page);
  return [...blocks.matchAll(/<w:p>.*?<\/w:p>/gs)].map(([paragraph]) =>
    [...paragraph.matchAll(/<w:t [^>]*>([^<]*)</g)].map(([, words]) => words).join(""),
  );
}

test("blanks at the edges of lines are none, and those of code stay", async () => {
  const html =
    '<p>one<br>\ntwo</p><ul><li><input type="checkbox"> done</li><li>outer\n<ul><li>inner</li></ul></li></ul>';
  expect(await wordsOf(html)).toEqual(["onetwo", "☐ done", "outer", "inner"]);
  const page = document.createElement("div");
  page.innerHTML = '<div class="md-code"><pre><code>\ta\n  b</code></pre></div>';
  const code = await blocksOf({ relations: [], media: [], starts: [] }, page);
  expect(code).toContain('<w:tab/><w:t xml:space="preserve">a</w:t><w:br/><w:t xml:space="preserve">  b</w:t>');
});

test("lists and tables stand as far in as what they are in", async () => {
  const page = document.createElement("div");
  page.innerHTML =
    "<blockquote><ul><li>a<table><thead><tr><th>head</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table></li></ul></blockquote>";
  const blocks = await blocksOf({ relations: [], media: [], starts: [] }, page);
  expect(blocks).toContain('<w:ind w:left="720" w:hanging="420"/>');
  expect(blocks).toContain('<w:tblW w:w="8306" w:type="dxa"/><w:tblInd w:w="720" w:type="dxa"/>');
  expect(blocks.match(/<w:tblHeader\/>/g)).toHaveLength(1);
});

test("a list item keeps the words behind code, a quote or a list in it", async () => {
  const item = (block: string) => `<ul><li>before${block}after <strong>bold</strong>\n</li></ul>`;
  for (const block of [
    '<div class="md-code"><pre><code>in it</code></pre></div>',
    "<blockquote><p>in it</p></blockquote>",
    "<ul><li>in it</li></ul>",
  ])
    expect(await wordsOf(item(block))).toEqual(["before", "in it", "after bold"]);
});
