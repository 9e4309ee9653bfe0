import { expect, test } from "bun:test";
import { RICH_TEXT_CHARACTERS } from "#contract/limits";
import { inSlices } from "../../../web/lib/slices.ts";
import { render } from "../../../web/preview/markdown/render.ts";
import { show } from "../../../web/preview/markdown/show.ts";
import { markdownWords } from "../../../web/preview/markdown/words.ts";

const stepsOf = (text: string) => render(text, { words: markdownWords(), origin: location.origin, lines: true });

/** Shows a text to its end; answers how many elements were new. */
function showIn(root: HTMLElement, text: string): number {
  let fresh = 0;
  for (const _ of show(root, stepsOf(text), { onFresh: (elements) => (fresh += elements.length) }));
  return fresh;
}

function shown(text: string): HTMLElement {
  const root = document.createElement("div");
  showIn(root, text);
  return root;
}

const textsOf = (root: HTMLElement, selector: string) =>
  [...root.querySelectorAll(selector)].map(({ textContent }) => textContent.trim());
const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(index));

/** Blocks that are cut where they are shown, and what has to be in them. */
const long: Readonly<Record<string, { readonly text: string; readonly selector: string }>> = {
  "a list in a quote": {
    text: numbers(2000)
      .map((at) => `> - ${at}\n`)
      .join(""),
    selector: ":scope > blockquote > ul > li",
  },
  "paragraphs in a list in a quote in a list": {
    text: `- > 1. ${numbers(1000).join("\n  >\n  >    ")}`,
    selector: ":scope > ul > li > blockquote > ol > li > p",
  },
  tasks: {
    text: numbers(2000)
      .map((at) => `- [ ] ${at}\n`)
      .join(""),
    selector: ":scope > ul > li.md-task > label",
  },
  "a table": {
    text: `|a|\n|-|\n${numbers(1500)
      .map((at) => `|${at}|\n`)
      .join("")}`,
    selector: ":scope > .md-table > table > tbody > tr > td",
  },
  "headings in a quote": {
    text: numbers(1500)
      .map((at) => `> # ${at}\n`)
      .join(""),
    selector: ":scope > blockquote > h1[id]",
  },
  footnotes: {
    text: `${numbers(1000)
      .map((at) => `[^${at}] `)
      .join("")}\n\n${numbers(1000)
      .map((at) => `[^${at}]: <i>${at}\n`)
      .join("")}`,
    selector: ":scope > .md-notes > ol > li",
  },
};

test.each(Object.entries(long))("%s is whole, though it comes in parts", (name, { text, selector }) => {
  const steps = [...stepsOf(text)].filter((step) => step && "html" in step);
  expect(steps.length).toBeGreaterThan(2);
  const root = shown(text);
  expect(textsOf(root, selector).map((one) => one.replace(/^<i>| ↩\ufe0e$/g, ""))).toEqual(
    numbers(name.startsWith("paragraphs") ? 1000 : textsOf(root, selector).length),
  );
  expect(textsOf(root, selector).length).toBeGreaterThanOrEqual(1000);
  expect(root.children.length).toBe(name === "footnotes" ? 2 : 1);
});

test("a paragraph that is too long comes in pieces that have all of it, in a list too", () => {
  const lines = numbers(5000).map((at) => `line ${at} https://e.example/${at}`);
  for (const [before, rest] of [
    ["", ""],
    ["- ", "  "],
    ["> ", ""],
  ] as const) {
    const root = shown(before + lines.join(`\n${rest}`));
    expect(root.querySelectorAll("p.md-on").length).toBeGreaterThan(20);
    expect(root.querySelectorAll("a")).toHaveLength(5000);
    expect(textsOf(root, "p").join("\n").replace(/\n+/g, "\n").split("\n")).toEqual(lines);
    const marks = [...root.querySelectorAll("p[data-line]")].map((one) => Number(one.getAttribute("data-line")));
    for (const [index, paragraph] of [...root.querySelectorAll("p[data-line]")].entries())
      expect(paragraph.textContent).toStartWith(`line ${marks[index]} `);
  }
});

test("a line, a heading and a cell that are too long keep all their letters", () => {
  const words = "word 😀".repeat(5000);
  expect(textsOf(shown(words), "p").join("").replaceAll(" ", "")).toBe(words.replaceAll(" ", ""));
  expect(textsOf(shown("😀".repeat(20_000)), "p").join("")).toBe("😀".repeat(20_000));
  expect(textsOf(shown(`# **${words}**`), "h1")[0]?.length).toBeGreaterThan(words.length);
  expect(textsOf(shown(`|${words}|\n|-|`), "th")).toEqual([words]);
});

test("what has not changed stays, and knows its new line", () => {
  const root = document.createElement("div");
  const list = numbers(1500)
    .map((at) => `- ${at}\n`)
    .join("");
  const text = (middle: string) => `# Begin\n\n- [ ] tick\n\n${middle}\n\n| a |\n|---|\n| b |\n\n${list}\nend`;
  showIn(root, text("middle"));
  const before = [...root.children];
  const box = root.querySelector("input");
  if (box) box.checked = true;
  expect(showIn(root, text("other\n\nwords"))).toBe(2);
  const after = [...root.children];
  expect(after.map((one) => before.indexOf(one))).toEqual([0, 1, -1, -1, 3, 4, 5]);
  expect(root.querySelector("input")?.checked).toBe(true);
  expect(after.map((one) => one.getAttribute("data-line"))).toEqual(["0", "2", "4", "6", "8", "12", "1513"]);
  expect(root.querySelectorAll("li")[1500]?.getAttribute("data-line")).toBe("1511");
  expect(showIn(root, text("other\n\nwords"))).toBe(0);
});

test("a page that was given up half way is whole after the next one", () => {
  const root = document.createElement("div");
  const list = numbers(3000)
    .map((at) => `> - ${at}\n`)
    .join("");
  const half = show(root, stepsOf(list), {});
  while (root.querySelectorAll("li").length < 500 && !half.next().done);
  expect(root.querySelectorAll("li").length).toBeLessThan(3000);
  showIn(root, list);
  expect(textsOf(root, "li")).toEqual(numbers(3000));
});

/** Texts of a single block, which a page would otherwise be made of in one go. */
test.each(["> a\n", "> - a\n", "- a\n", "[", "**a ", "$a$ ", "a\n", "^a", "[^a]"])(
  "%j is shown in many short steps",
  (piece) => {
    const text = `${piece.repeat(Math.floor(RICH_TEXT_CHARACTERS / piece.length))}\n\n[^a]: b`;
    const parts = [...stepsOf(text)].flatMap((step) => (step && "html" in step ? [step.html.length] : []));
    expect(parts.length).toBeGreaterThan(4);
  },
);

test("long work lets others have their turn, and ends when it is given up", async () => {
  const events: string[] = [];
  function* work(name: string) {
    for (let step = 0; step < 12; step++) {
      const until = performance.now() + 10;
      while (performance.now() < until);
      yield;
    }
    events.push(name);
  }
  const giveUp = inSlices(work("given up"));
  giveUp();
  inSlices(work("done"));
  const between = new Promise<void>((resolve) => setTimeout(resolve, 0)).then(() => events.push("another"));
  expect(events).toEqual([]);
  await between;
  while (!events.includes("done")) await new Promise((resolve) => setTimeout(resolve, 0));
  expect(events).toEqual(["another", "done"]);
});
