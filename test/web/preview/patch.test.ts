import { beforeEach, expect, test } from "bun:test";
import { patch } from "../../../web/preview/markdown/patch.ts";
import { markdownBlocks } from "../../../web/preview/markdown/render.ts";
import { markdownWords } from "../../../web/preview/markdown/words.ts";

const blocksOf = (text: string) =>
  markdownBlocks(text, { words: markdownWords(), origin: "https://here.example", lines: true }).blocks;
let root: HTMLElement;
/** What was asked for at the wall. */
let passed: string[];
const wall = (html: string) => {
  passed.push(html);
  return html.replace(/<script.*?<\/script>/g, "");
};
const show = (text: string) => patch(root, blocksOf(text), wall).map(({ textContent }) => textContent?.trim());
const lines = () => Array.from(root.querySelectorAll("[data-line]"), (one) => one.getAttribute("data-line"));

beforeEach(() => {
  root = document.createElement("div");
  passed = [];
});

test("a page is its blocks, and the notes at its end", () => {
  const text = "# One\n\ntwo[^a]\n\n- three\n  - four\n\n> five\n\n[^a]: note";
  show(text);
  expect(root.innerHTML.trim()).toBe(blocksOf(text).join("").trim());
  expect(Array.from(root.children, ({ tagName }) => tagName)).toEqual(["H1", "P", "UL", "BLOCKQUOTE", "SECTION"]);
});

test("only what has changed is new; what stays keeps what was done to it, and knows its new lines", () => {
  expect(show("a\n\nb\n\nc")).toEqual(["a", "b", "c"]);
  const [first, , last] = root.children;
  last?.append("!");
  expect(show("a\n\nb2\n\nmore\n\nc")).toEqual(["b2", "more"]);
  expect([root.firstElementChild, root.lastElementChild]).toEqual([first, last] as Element[]);
  expect(root.lastElementChild?.textContent).toBe("c!");
  expect(lines()).toEqual(["0", "2", "4", "6"]);
  expect(passed.at(-1)).toContain("b2");
  expect(passed.at(-1)).not.toContain(">a<");
  expect(show("c")).toEqual([]);
  expect([root.textContent?.trim(), ...lines()]).toEqual(["c!", "0"]);
  expect(show("")).toEqual([]);
  expect(root.textContent?.trim()).toBe("");
});

test("a block whose element was taken away by others is written anew", () => {
  show("a\n\nb");
  root.firstElementChild?.remove();
  expect(show("a\n\nb")).toContain("a");
  expect(Array.from(root.children, ({ textContent }) => textContent)).toEqual(["a", "b"]);
});

test("whatever comes in passes the wall, also where blocks cannot be told apart", () => {
  const blocks = ["<p>one</p>", "<p>two</p></div><b>more</b>", "<script>alert(1)</script>", "<p>four</p>"];
  patch(root, blocks, wall);
  expect(root.innerHTML).toBe("<p>one</p><p>two</p><b>more</b><p>four</p>");
  patch(root, ["<p>zero</p>", ...blocks.slice(1)], wall);
  expect(root.innerHTML).toBe("<p>zero</p><p>two</p><b>more</b><p>four</p>");
  expect(passed.at(-1)).toBe("<p>zero</p>");
});
