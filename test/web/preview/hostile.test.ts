import { expect, test } from "bun:test";
import { RICH_TEXT_CHARACTERS } from "#contract/limits";
import { markdownWords } from "../../../web/preview/markdown/words.ts";
import { markdownHtml } from "../../support/pages/markdown.ts";

/** Texts on which a parser that looks again and again takes minutes; each is as long as Markdown may be. */
const rows: Readonly<Record<string, string>> = {
  "open brackets": "[",
  "links in links": "[a](",
  "images in images": "![a](",
  quotes: "> ",
  "lists in lists": "- ",
  emphasis: "*a_ ",
  "nested emphasis": "**a *b ",
  strikes: "~~a",
  marks: "==a ",
  powers: "^a",
  formulas: "$a ",
  "displayed formulas": "$$\n",
  "escaped dollars": "\\$",
  backticks: "`a``",
  fences: "```\n",
  notes: "[^a]",
  "definitions of notes": "[^a]: b\n",
  references: "[a]: b\n",
  addresses: "http://",
  "addresses of mail": "a@",
  "long hosts": "http://a.",
  www: "www.a.",
  brackets: "http://a/((",
  entities: "&amp",
  tags: "<a",
  comments: "<!--",
  headings: "# a\n",
  tables: "|a",
  "rows of a table": "|a|b|\n|-|-|\n",
  tasks: "- [ ] ",
  "one quote": "> a\n",
  "a quote with lists": "> - a\n",
  "a quote that others go on": "> a\nb\n",
  "items of a list": "- a\n",
  "emphasis without an end": "**",
  "tables of contents": "[toc]\n# a\n",
  videos: "![a](/a.mp4)\n",
  "notes with notes": "[^a]\n\n[^a]: [^b] [^a]\n",
  "no space at all": "a",
};

test.each(Object.entries(rows))("%s do not hold up the page", (_, piece) => {
  const text = piece.repeat(Math.ceil(RICH_TEXT_CHARACTERS / piece.length)).slice(0, RICH_TEXT_CHARACTERS);
  const began = performance.now();
  const { html } = markdownHtml(text, { words: markdownWords(), origin: location.origin });
  expect(html).toBeString();
  // A reader waits a moment for two hundred thousand such characters; what is quadratic takes minutes.
  expect(performance.now() - began).toBeLessThan(30_000);
});
