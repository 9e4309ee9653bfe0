import { expect, test } from "bun:test";
import { createWriter } from "../../../web/features/paste/editor/word/document.ts";

/** The paragraphs of a page, as their words. */
async function wordsOf(html: string): Promise<string[]> {
  const page = document.createElement("div");
  page.innerHTML = html;
  const blocks = await createWriter({ relations: [], media: [], starts: [] }).blocks(page);
  return [...blocks.matchAll(/<w:p>.*?<\/w:p>/gs)].map(([paragraph]) =>
    [...paragraph.matchAll(/<w:t [^>]*>([^<]*)</g)].map(([, words]) => words).join(""),
  );
}

test("a list item keeps the words behind code, a quote or a list in it", async () => {
  const item = (block: string) => `<ul><li>before${block}after <strong>bold</strong>\n</li></ul>`;
  for (const block of [
    '<div class="md-code"><pre><code>in it</code></pre></div>',
    "<blockquote><p>in it</p></blockquote>",
    "<ul><li>in it</li></ul>",
  ])
    expect(await wordsOf(item(block))).toEqual(["before", "in it", "after bold "]);
});
