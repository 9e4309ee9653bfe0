import { describe, expect, test } from "bun:test";
import { headingsOf, markdownHtml } from "../../../web/preview/markdown/render.ts";
import type { MarkdownWords } from "../../../web/preview/markdown/word-shapes.ts";
import { attacks } from "../../support/attacks.ts";

const words: MarkdownWords = {
  code: "Code",
  copy: "Copy",
  preview: "Preview",
  enlarge: (alt) => `Enlarge ${alt}`,
  unfold: "Show all",
  table: "Table",
  notes: "Footnotes",
  lines: (count) => `${count} lines`,
  loadImage: (host) => `Load image from ${host}`,
};
const here = { words, origin: "http://localhost:8787" };
const html = (text: string) => markdownHtml(text, here).html;

describe("Markdown for reading", () => {
  test("headings get ids that no text can choose, and their text without markup", () => {
    const page = markdownHtml("# One `two` **three**\n\n### Four $x$", here);
    expect(page.headings).toEqual([
      { id: "h-0", text: "One two three", level: 1, line: 0 },
      { id: "h-1", text: "Four x", level: 3, line: 2 },
    ]);
    expect(page.html).toContain('<h1 id="h-0">');
  });

  test("hand-written tables of contents lead to the headings", () => {
    expect(html("[x](#second-one)\n\n# First\n\n# Second One!")).toContain('<a href="#h-1">x</a>');
    expect(html("[x](#%E7%9B%AE%E5%BD%95)\n\n# 目录")).toContain('<a href="#h-0">x</a>');
    expect(html("[x](#nowhere)\n\n# First")).toContain('<a href="#nowhere">x</a>');
  });

  test("[toc] is the table of contents, where a paragraph is nothing else and a text has headings", () => {
    const text = "# One\n\n## <b>Two</b> & more\n\n# Three";
    const list =
      '<ul><li><a href="#h-0">One</a><ul><li><a href="#h-1">&lt;b&gt;Two&lt;/b&gt; &amp; more</a></li></ul></li><li><a href="#h-2">Three</a></li></ul>';
    expect(html(`[toc]\n\n${text}`)).toStartWith(`${list}<h1`);
    expect(html(`${text}\n\n[[TOC]]`)).toEndWith(list);
    for (const other of ["see [toc]", "- [toc]", "> [toc]", "`[toc]`", "[toc]\n==="])
      expect(html(`${other}\n\n# One`)).not.toContain('<a href="#h-0">');
    expect(html("[toc]")).toBe("<p>[toc]</p>\n");
    expect(html("[toc]\n\n# One\n\n[toc]: https://example.org")).toContain('href="https://example.org"');
  });

  test("the headings of a text are the same without rendering it", () => {
    const text =
      "# One `two` **three** ==four==\n\n> ## in a quote[^n]\n\nSet\n===\n\n```\n# code\n```\n\n- ### $x^2$ ![alt](/a.png)\n\n# https://example.org\n\n[^n]: note";
    expect(headingsOf(text)).toEqual(markdownHtml(text, here).headings);
    expect(headingsOf(text).length).toBe(5);
    expect(headingsOf("none")).toEqual([]);
  });

  test("links open outside and tell nothing", () => {
    const safe = 'target="_blank" rel="noopener noreferrer nofollow"';
    expect(html("[a](https://example.org/)")).toContain(`<a href="https://example.org/" ${safe}>a</a>`);
    expect(html("https://example.org")).toContain(safe);
  });

  test("task lists are labelled checkboxes", () => {
    expect(html("- [ ] milk **now**")).toContain(
      '<li class="md-task"><label><input type="checkbox"> milk <strong>now</strong></label></li>',
    );
    expect(html("- [X] done")).toContain('<input type="checkbox" checked>');
    expect(html("[ ] no list")).not.toContain("checkbox");
  });

  test("mark, sub and sup; prose with the same signs stays prose", () => {
    expect(html("==so **much**== H~2~O x^2^")).toContain(
      "<mark>so <strong>much</strong></mark> H<sub>2</sub>O x<sup>2</sup>",
    );
    expect(html("a == b and c == d")).toBe("<p>a == b and c == d</p>\n");
    expect(html("about ~5 to ~6 and 2^3 to 4^5")).toBe("<p>about ~5 to ~6 and 2^3 to 4^5</p>\n");
    expect(html("~~gone~~")).toContain("<s>gone</s>");
  });

  test("formulas keep their source, prices stay prices", () => {
    expect(html("$a_1+b_1$")).toContain('<span class="md-math">a_1+b_1</span>');
    expect(html("$$\nx < y\n$$")).toContain('<div class="md-math" data-display="1">x &lt; y</div>');
    expect(html("$$x$$ inline")).toContain('<span class="md-math" data-display="1">x</span>');
    expect(html("costs $5 and $10")).not.toContain("md-math");
    expect(html("\\$5$")).not.toContain("md-math");
  });

  test("footnotes are numbered in reading order and lead back", () => {
    const page = html("a[^b] c[^a] d[^b] e[^missing]\n\n[^a]: second *note*\n[^b]: first");
    expect(page).toContain('<a class="md-note-ref" href="#note-1" id="ref-1">1</a>');
    expect(page.match(/id="ref-1"/g)).toHaveLength(1);
    expect(page).toContain('<li id="note-1">first');
    expect(page).toContain('<li id="note-2">second <em>note</em>');
    expect(page).toContain("[^missing]");
  });

  test("a footnote that mentions itself ends", () => {
    expect(html("a[^1]\n\n[^1]: me [^1]")).toContain('<li id="note-1">');
  });

  test("code blocks tell language and lines and fold when long", () => {
    const short = html("```js\nlet a = 1 < 2;\n```");
    expect(short).toContain("<span>js</span><small>1 lines</small>");
    expect(short).toContain('<code data-language="js">let a = 1 &lt; 2;');
    expect(short).not.toContain("data-folded");
    expect(html(`\`\`\`\n${"x\n".repeat(31)}\`\`\``)).toContain('data-folded="1"');
    expect(html("```mermaid\ngraph TD\n```")).toContain('<figure class="md-diagram"><pre>graph TD');
  });

  test("images of other hosts wait for a click; our own and data: do not", () => {
    const remote = html('![a "b"](https://evil.example/x.png)');
    expect(remote).not.toContain("<img");
    expect(remote).toContain("Load image from evil.example");
    expect(html("![a](//evil.example/x.png)")).not.toContain("<img");
    expect(html("![a](/api/x.png)")).toContain('<img src="/api/x.png" alt="a" loading="lazy">');
    expect(html("![a](data:image/png;base64,AAAA)")).toContain("<img");
  });
});

/** Texts that try to run something or to leave the page's own elements. */
describe("the first wall: nothing of a text becomes markup of its own", () => {
  const allowedTags =
    /^\/?(?:p|br|a|h[1-6]|ul|ol|li|strong|em|s|mark|sub|sup|code|pre|figure|figcaption|span|small|button|div|section|table|thead|tbody|tr|th|td|img|input|label|blockquote|hr)$/;

  for (const text of attacks) {
    test(text.slice(0, 60).replaceAll("\n", " "), () => {
      for (const [, tag = "", attributes = ""] of html(text).matchAll(/<(\/?[a-zA-Z][^\s>]*)((?:"[^"]*"|[^">])*)>/g)) {
        expect(tag).toMatch(allowedTags);
        const names = [...attributes.matchAll(/([^\s"=]+)(?:="[^"]*")?/g)].map(([, name]) => name);
        for (const name of names) expect(name).not.toMatch(/^on|^style$|^srcdoc$|^formaction$/i);
        const [, address] = /(?:href|src)="([^"]*)"/.exec(attributes) ?? [];
        if (address) expect(address).not.toMatch(/^\s*(?:javascript|vbscript|data:text|data:image\/svg)/i);
      }
    });
  }
});
