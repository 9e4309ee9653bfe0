import { describe, expect, test } from "bun:test";
import { headingsOf } from "../../../web/preview/markdown/render.ts";
import type { MarkdownWords } from "../../../web/preview/markdown/word-shapes.ts";
import { attacks } from "../../support/pages/attacks.ts";
import { markdownHtml } from "../../support/pages/markdown.ts";

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
  loadMedia: (host) => `Load media from ${host}`,
  contents: "Contents",
  alerts: { note: "Note", tip: "Tip", important: "Important", warning: "Warning", caution: "Caution" },
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

  test("relative addresses are those of a folder where one is known", () => {
    const relative = {
      pathOf: (address: string) => (address.startsWith("..") ? undefined : `/d/${address}`),
      pageOf: (path: string) => `/show${path}`,
    };
    const read = (text: string) => markdownHtml(text, { ...here, relative }).html;
    expect(read("[a](b.md)")).toContain('<a href="/show/d/b.md" data-tree="/d/b.md">a</a>');
    expect(read("[a](../b.md)")).toContain("<a>a</a>");
    expect(read("[a](film.mp4)")).toContain('<a href="/show/d/film.mp4" data-tree="/d/film.mp4">a</a>');
    expect(read("![a](b.png)")).toContain('<img data-tree="/d/b.png" alt="a">');
    expect(read("![a](../b.png)")).toBe("<p>a</p>\n");
    expect(read('![a](b"onload=x.png)')).not.toContain('"onload');
    for (const text of [
      "[a](https://x.example/)",
      "[a](#b)",
      "[a](/b)",
      "![a](https://x.example/y.png)",
      "![a](/b.png)",
    ])
      expect(read(text)).toBe(html(text));
  });

  test("the headings of a text are the same without rendering it", () => {
    const text =
      "# One `two` **three** ==four==\n\n> ## in a quote[^n]\n\nSet\n===\n\n```\n# code\n```\n\n[toc]\n===\n\n- ### $x^2$ ![alt](/a.png)\n\n# https://example.org &amp; \\*\n\n[^n]: note";
    expect(headingsOf(text)).toEqual(markdownHtml(text, here).headings);
    expect(headingsOf(text).length).toBe(5);
    expect(headingsOf("none")).toEqual([]);
  });

  test("links open outside and tell nothing", () => {
    const safe = 'target="_blank" rel="noopener noreferrer nofollow"';
    expect(html("[a](https://example.org/)")).toContain(`<a href="https://example.org/" ${safe}>a</a>`);
    expect(html("https://example.org")).toContain(safe);
  });

  test("a quote that begins with [!NOTE] on a line of its own is a callout", () => {
    expect(html("> [!NOTE]\n> Keep *calm*.")).toBe(
      '<blockquote class="md-alert md-alert-note">\n<p class="md-alert-title">Note</p>\n<p>Keep <em>calm</em>.</p>\n</blockquote>\n',
    );
    expect(html("> [!caution]  \n>\n> - one")).toBe(
      '<blockquote class="md-alert md-alert-caution">\n<p class="md-alert-title">Caution</p>\n<ul>\n<li>one</li>\n</ul>\n</blockquote>\n',
    );
    for (const text of ["> [!NOTE] and more", "> [!OTHER]\n> a", "[!NOTE]\na", "> a\n> [!NOTE]"])
      expect(html(text)).not.toContain("md-alert");
    expect(html("> > [!TIP]\n> > a\n>\n> [!TIP]")).toMatch(/^<blockquote>\n<blockquote class="md-alert md-alert-tip">/);
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

  test("names of emoji are marked, and nothing that only looks like one", () => {
    const marked = (text: string) =>
      [...html(text).matchAll(/<span class="md-emoji">([^<]*)<\/span>/g)].map(([, name]) => name);
    expect(marked("Ready :rocket: :white_check_mark: :+1: :100:")).toEqual([
      ":rocket:",
      ":white_check_mark:",
      ":+1:",
      ":100:",
    ]);
    expect(marked("**:tada::sparkles:** [:bug: fixed](/x)")).toEqual([":tada:", ":sparkles:", ":bug:"]);
    for (const prose of ["at 10:30:45", "std::vector::push", "a:b:c", "x: y: z", "`:rocket:`", "\\:rocket:", ":a b:"])
      expect({ prose, marked: marked(prose) }).toEqual({ prose, marked: [] });
    const page = markdownHtml("# :rocket: Launch :tada:\n\n## :zap:\n\n[x](#rocket-launch-tada)", here);
    expect(page.headings.map(({ text }) => text)).toEqual(["Launch", ":zap:"]);
    expect(page.html).toContain('<a href="#h-0">x</a>');
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

  test("blocks of flowcharts are diagrams, and other languages of that name stay code", () => {
    const fence = (language: string, code: string) => html(`\`\`\`${language}\n${code}\n\`\`\``);
    expect(fence("flowchart", "A --> B")).toContain('<figure class="md-diagram"><pre>flowchart TD\nA --&gt; B');
    expect(fence("flow", "flowchart LR\n  A --> B")).toContain("<pre>flowchart LR\n");
    expect(fence("flow", "st=>start: Begin\nst->e")).toContain("md-code");
  });

  test("images of other hosts wait for a click; our own and data: do not", () => {
    const remote = html('![a "b"](https://evil.example/x.png)');
    expect(remote).not.toContain("<img");
    expect(remote).toContain("Load image from evil.example");
    expect(html("![a](//evil.example/x.png)")).not.toContain("<img");
    expect(html("![a](/api/x.png)")).toContain('<img src="/api/x.png" alt="a" loading="lazy">');
    expect(html("![a](data:image/png;base64,AAAA)")).toContain("<img");
  });

  test("in what was sealed only those wait for no click that the text brings itself", () => {
    const sealed = (text: string) => markdownHtml(text, { ...here, isSealed: true }).html;
    for (const address of ["/api/x.png", "x.png", "./x.png", `${here.origin}/x.png`, "https://evil.example/x.png"]) {
      expect(sealed(`![a](${address})`)).not.toContain("<img");
      expect(sealed(`![a](${address})`)).toContain(`data-src="${address}"`);
    }
    expect(sealed("![a](x.png)")).toContain("Load image from localhost:8787");
    expect(sealed("![a](data:image/png;base64,AAAA)")).toContain("<img");
  });
});

/** Texts that try to run something or to leave the page's own elements. */
describe("a table of contents", () => {
  const toc = (text: string) => /<nav.*<\/nav>/s.exec(html(text))?.[0] ?? "";

  test("is nested as the headings are, wherever they stand", () => {
    expect(toc("[toc]\n\n# A `b`\n\n## C & D\n\n> # E")).toBe(
      '<nav class="md-toc" aria-label="Contents"><ul><li><a href="#h-0">A b</a><ul><li><a href="#h-1">C &amp; D</a></li></ul></li><li><a href="#h-2">E</a></li></ul></nav>',
    );
    expect(toc("# A\n\nwords\n[TOC]\nwords")).toContain('<a href="#h-0">A</a>');
    expect(toc("[[toc]]\n\n# A")).toContain('<a href="#h-0">A</a>');
    expect(toc("- [Toc]\n\n# A")).toContain('<a href="#h-0">A</a>');
  });

  test("is asked for on a line of its own only", () => {
    expect(html("see [toc] here\n\n# A")).toContain("see [toc] here");
    expect(html("```\n[toc]\n```\n\n# A")).not.toContain("<nav");
    expect(html("    [toc]\n\n# A")).not.toContain("<nav");
    expect(html("[toc]\n\n# A\n\n[toc]: https://e.example")).toContain('<p><a href="https://e.example"');
    expect(html("[toc](#a)\n\n# A")).toContain('<a href="#h-0">toc</a>');
  });

  test("of a text without headings is nothing", () => {
    expect(html("[toc]")).toBe("");
    expect(html("before\n[toc]\n\nafter\n\n#")).toBe('<p>before</p>\n<p>after</p>\n<h1 id="h-0"></h1>\n');
  });

  test("has an end, however often it is asked for", () => {
    const page = html(`${"[toc]\n".repeat(2000)}${"# A\n".repeat(2000)}`);
    expect(page.match(/<a href="#h-/g)).toHaveLength(1000);
    expect(page).toContain("<p>…</p>");
  });
});

describe("videos and sound", () => {
  test("of our own origin alone in a paragraph are marked for a player", () => {
    expect(html("[a](/x.mp4)")).toContain('<a href="/x.mp4" class="md-media" data-media="video"');
    expect(html("http://localhost:8787/a/b.ogg?c#d")).toContain('class="md-media" data-media="audio"');
    expect(html("![a *b*](/x.webm)")).toContain('class="md-media" data-media="video"');
    expect(html("[holiday.MP4](/api/file-view/abc)")).toContain('data-media="video"');
    expect(html("![song.mp3](/api/file-view/abc)")).toContain('data-media="audio"');
    expect(html("- [a](/x.mp3)")).toContain('data-media="audio"');
  });

  test("are links where words stand beside them, and no others are players", () => {
    expect(html("see [a](/x.mp4)")).not.toContain("md-media");
    expect(html("[a](/x.mp4) [b](/y.mp4)")).not.toContain("md-media");
    expect(html("[a](/x.pdf)")).not.toContain("md-media");
    expect(html("# [a](/x.mp4)")).not.toContain("md-media");
  });

  test("of other hosts stay links, and wait for a click where they are meant as pictures", () => {
    expect(html("[a](https://e.example/x.mp4)")).not.toContain("md-media");
    expect(html("[a](//e.example/x.mp4)")).not.toContain("md-media");
    const button = html("![a](https://e.example/x.mp4)");
    expect(button).toContain('data-act="media" data-media="video" data-src="https://e.example/x.mp4"');
    expect(button).toContain("Load media from e.example");
    expect(html("[![a](/x.mp4)](https://e.example/)")).not.toContain("md-media");
  });
});

describe("numbers of lines", () => {
  test("stand before each line of code, which is whole as text", () => {
    expect(html("```\na <b>\n\nc\n```")).toContain(
      '<pre tabindex="0" class="md-numbered"><code><span>a &lt;b&gt;</span>\n<span></span>\n<span>c</span>\n</code></pre>',
    );
    expect(html("    a\n    b")).toContain("<code><span>a</span>\n<span>b</span>\n</code>");
  });

  test("are left out of a single line, and where they would be too many", () => {
    expect(html("```\na\n```")).toContain('<pre tabindex="0"><code>a\n</code></pre>');
    expect(html(`\`\`\`\n${"a\n".repeat(5001)}\`\`\``)).not.toContain("<code><span>");
  });
});

describe("the first wall: nothing of a text becomes markup of its own", () => {
  const allowedTags =
    /^\/?(?:p|br|a|h[1-6]|ul|ol|li|strong|em|s|mark|sub|sup|code|pre|figure|figcaption|span|small|button|div|section|nav|table|thead|tbody|tr|th|td|img|input|label|blockquote|hr)$/;

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
