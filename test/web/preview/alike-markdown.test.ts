import { describe, expect, test } from "bun:test";
import { isAlike } from "../../../src/fronts/site/alike-markdown.ts";
import { renderMarkdown } from "../../../src/fronts/site/markdown.ts";
import { servedWords } from "../../../src/fronts/site/words.ts";
import { sanitize } from "../../../web/preview/markdown/sanitize.ts";
import { markdownWords } from "../../../web/preview/markdown/words.ts";
import { markdownHtml } from "../../support/pages/markdown.ts";

/** A text that a page takes as the server has rendered it looks as the page would have made it, element for element. */

/** Beside these a space is none. */
const BLOCKS = /^(?:h\d|p|ul|ol|li|blockquote|div|table|thead|tbody|tr|t[dh]|figure|hr|br|pre)$/;

/** What a reader gets of a part of a page, on one line: words, elements and all that these say. Buttons are another test's. */
function drawn(node: Node, isCode = false): string {
  if (node instanceof Text) return isCode ? node.data : node.data.replace(/[ \n]+/g, " ");
  const inner = [...node.childNodes].map((child) => drawn(child, isCode || node.nodeName === "PRE")).join("");
  if (!(node instanceof Element)) return inner;
  const name = node.tagName.toLowerCase();
  if (name === "button") return "";
  const said = [...node.attributes].map((attribute) => `${attribute.name}=${attribute.value}`).sort();
  return BLOCKS.test(name) ? `\v<${name} ${said}>\v${inner}\v</${name}>\v` : `<${name} ${said}>${inner}</${name}>`;
}

const compared = (node: Node): string => drawn(node).replace(/ *\v[\v ]*/g, "\n");

function byServer(text: string): string {
  const place = document.createElement("div");
  place.innerHTML = renderMarkdown(text, servedWords.en)?.html ?? "nothing";
  return compared(place);
}

function byPage(text: string): string {
  const place = document.createElement("div");
  place.append(sanitize(markdownHtml(text, { words: markdownWords(), origin: location.origin }).html));
  return compared(place);
}

const alike = [
  "One line.",
  "# Title\n\nSome *text* with a [link](https://example.com) and a list:\n\n- one\n- two",
  "# One\n## Two\ntext below it\n\n###### Six `code` and **more**",
  "Two lines\nof one paragraph, **bold**, _em_, __strong__, ~~gone~~, and `code`",
  "- a\n- b\n  - c\n    - d\n- e\n\n1. one\n2. two\n\n7. seven",
  "* a\n+ b\n- c\n1) d",
  "> quoted\n> on two lines\n>\n> and on",
  "> [!NOTE]\n> Said **once**.\n\n> [!warning]\n> Said.",
  "| Name | Value |\n|------|------:|\n| one | `1` |\n| **two** | [2](https://e.com/2) |",
  "```\nplain\n```\n\n```js\nconst a = `<b>`;\n\n  let b;\n```\n\n```c++\n```",
  `\`\`\`ts\n${"let a;\n".repeat(40)}\`\`\``,
  "一段**粗体**文字，`代码`。\n\n- 第一\n- 第二\n\n## 标题：一",
  "See https://example.com/a/b_c?d=e&f=g, or http://e.org. It is 12:30:45, R&D, a < b, snake_case and $5.",
  "A line\r\nand another\r\n\r\n---\r\n\r\nthe end",
  "---\n\n***\n\n___",
  '“Quoted” — it\'s 🎉 "here" (too)!',
  "[a](/file/x) [b](other.md) [c](https://e.com/x%20y?a=1&copy=2#z)",
  "",
];

const other = [
  ["a picture", "![x](https://e.com/a.png)"],
  ["a formula", "$a$ and $b$"],
  ["a footnote", "a[^1]\n\n[^1]: b"],
  ["a box to tick", "- [ ] open"],
  ["an emoji by its name", "a :smile: b"],
  ["a diagram", "```mermaid\ngraph TD\n```"],
  ["what may be drawn", "```html\n<b>\n```"],
  ["a place of its own headings", "# A\n\n[a](#a)"],
  ["a table of contents", "[toc]\n\n# A"],
  ["a film", "[film](/file/a.mp4)"],
  ["marked words", "a ==b== c"],
  ["small letters", "H~2~O x^2^"],
  ["tags", "a <b>b</b>"],
  ["an address in brackets", "<https://e.com>"],
  ["an address of mail", "a@e.com"],
  ["www", "www.e.com"],
  ["an escape", "\\*a\\*"],
  ["an entity", "&copy; &#169;"],
  ["code by its indent", "a\n\n    b"],
  ["another fence", "~~~\na\n~~~"],
  ["a fence without an end", "```\na"],
  ["a heading by its line", "a\n==="],
  ["a definition", "[a]: https://e.com\n\n[a]"],
  ["a tab", "a\tb"],
  ["a tab in code", "```\n\ta\n```"],
  ["an indent of a wide space", "\u3000a"],
  ["a space without a break", "a\u00a0b"],
  ["nested emphasis", "***a** b*"],
  ["a paragraph that the page cuts", "word ".repeat(4000)],
  ["code without numbers", `\`\`\`\n${"\n".repeat(6000)}\`\`\``],
] as const;

describe("a text that the page need not render", () => {
  test.each(alike)("%j looks the same", (text) => {
    expect(isAlike(text)).toBe(true);
    expect(byServer(text)).toBe(byPage(text));
  });

  test.each(other)("is none with %s", (_, text) => expect(isAlike(text)).toBe(false));
});

/** Numbers that look like chance and are the same each time (mulberry32). */
function createChance(seed: number) {
  let state = seed;
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const words =
  'word a 中文 ， 。 *b* **bold** _em_ __s__ ~~del~~ `code` `a`b` [l](https://e.com/a_b) [l-m](/x/y) [l](x.md) https://e.com https://e.com/a/b_c?d=e&f=g snake_case_x 1. 2 - 12:30:45 "q" it\'s (x) a*b x_ R&D &amp < > ! # + = ** * _ ` [ ] ( ) **粗** 文**粗体**文 é 🎉 1) --- ... $5 **a`b`c** [**b**](https://e.com) http://x.org. e.com @x **b:** [x] a|b `*` **中文：**后 *a*b “q” — https://e.com/a, https://e.com/a/ https://e.com/a#b-c https://e.com?x=1 https://e.com:80/x https://e.com/a/?b=c/d https://e.com/a-b.html?c#d http://e.com/_a_b [a](https://e.com/x%20y) [a](https://e.com/?a=1&copy=2) / : ; :a: \\ ~ ^'.split(
    " ",
  );

/** Texts of much that means something in Markdown, put together by chance. */
function createWriter(seed: number) {
  const chance = createChance(seed);
  const pick = <One>(of: readonly [One, ...One[]]): One => of[chance(of.length)] ?? of[0];
  const many = (most: number, one: (at: number) => string) =>
    Array.from({ length: 1 + chance(most) }, (_, at) => one(at));
  const line = () => many(6, () => words[chance(words.length)] ?? "").join(pick([" ", " ", " ", ""]));
  const padded = () => pick([` ${line()} `, ` ${line()}   `, `  ${line()} `, line(), " ", ""]);
  const row = (cells: number) => `|${Array.from({ length: cells }, padded).join("|")}|`;
  const table = (cells: number) => {
    const between = Array.from({ length: cells }, () => pick(["---", " --- ", ":---:", "---:", "-----  "]));
    return [row(cells), `|${between.join("|")}|`, ...many(3, () => row(cells))].join("\n");
  };
  const block = () =>
    pick([
      line,
      () => `${line()}\n${line()}`,
      () => `${"#".repeat(1 + chance(6))} ${line()}${pick(["", `\n${line()}`])}`,
      () =>
        many(4, (at) => `${pick(["", "", "  ", "    "])}${pick(["-", "*", "+", `${at + 1}.`, "3)"])} ${line()}`).join(
          "\n",
        ),
      () => many(4, () => `> ${pick([line(), line(), `- ${line()}`, ""])}`).join("\n"),
      () => `> [!${pick(["NOTE", "tip", "X"])}]\n> ${line()}`,
      () => `\`\`\`${pick(["", "js", "c++", "html"])}\n${many(5, () => pick([line(), "", "  x"])).join("\n")}\n\`\`\``,
      () => pick(["---", "***", "___", `${line()}\n---`]),
      () => table(1 + chance(3)),
    ])();
  return () => many(4, block).join(pick(["\n\n", "\n\n", "\n", "\n\n\n"]));
}

test("what was put together by chance looks the same, or is left to the page", () => {
  const write = createWriter(Number(process.env.SEED ?? 1));
  const wanted = Number(process.env.TEXTS ?? 1500);
  for (let found = 0; found < wanted; ) {
    const text = write();
    if (!isAlike(text)) continue;
    found += 1;
    expect([text, byServer(text)]).toEqual([text, byPage(text)]);
  }
}, 600_000);
