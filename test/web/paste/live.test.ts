import { describe, expect, test } from "bun:test";
import { markdown, markdownLanguage } from "@codemirror/lang-markdown";
import { ensureSyntaxTree } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { liveDecorations, type Span } from "../../../web/features/paste/editor/live/decorations.ts";
import { markedWords } from "../../../web/features/paste/editor/live/marked-words.ts";
import { PictureWidget, RuleWidget, TaskWidget, WordWidget } from "../../../web/features/paste/editor/live/widgets.ts";

const origin = "https://satchel.example";

const stateOf = (doc: string): EditorState => {
  const state = EditorState.create({
    doc,
    extensions: markdown({ base: markdownLanguage, completeHTMLTags: false, extensions: markedWords }),
  });
  if (!ensureSyntaxTree(state, doc.length, 5000)) throw new Error("The text was not parsed.");
  // A state knows what was parsed after it was made from the next change on; on a busy machine that is most of a text.
  return state.update({}).state;
};

interface Options {
  readonly asked?: ReadonlySet<string>;
  readonly ranges?: readonly Span[];
}

const decorationsOf = (state: EditorState, shown: readonly Span[], { asked = new Set(), ranges }: Options = {}) =>
  liveDecorations(state, { ranges: ranges ?? [{ from: 0, to: state.doc.length }], shown, origin, asked });

function nameOf(widget: unknown): string {
  if (widget instanceof WordWidget) return widget.text;
  if (widget instanceof RuleWidget) return "<line>";
  if (widget instanceof TaskWidget) return `<${widget.done ? "done" : "open"}: ${widget.task}>`;
  if (widget instanceof PictureWidget) return `<${widget.host ?? "picture"}: ${widget.words}>`;
  return "";
}

/** What is to be read of a text in which `|` is the caret, if it is anywhere. */
function read(marked: string, options: Options = {}): string {
  const doc = marked.replace("|", "");
  const caret = marked.indexOf("|");
  const state = stateOf(doc);
  const { from, to } = state.doc.lineAt(Math.max(0, caret));
  let text = "";
  let at = 0;
  decorationsOf(state, caret < 0 ? [] : [{ from, to }], options).between(0, doc.length, (begin, end, { spec }) => {
    if (begin === end || spec.class) return;
    text += doc.slice(at, begin) + nameOf(spec.widget);
    at = end;
  });
  return text + doc.slice(at);
}

/** The names that a text's parts and lines are styled by. */
function styles(doc: string): string[] {
  const state = stateOf(doc);
  const found: string[] = [];
  decorationsOf(state, []).between(0, doc.length, (from, to, { spec }) => {
    if (spec.class) found.push(`${doc.slice(from, from === to ? state.doc.lineAt(from).to : to)}: ${spec.class}`);
  });
  return found;
}

describe("marks are hidden", () => {
  test.each<[string, string, string]>([
    ["of headings", "# One\n\n## Two ##\n\nThree\n===", "One\n\nTwo\n\nThree\n"],
    ["of words", "*a* **b** ~~c~~ ==d== `e` x^2^ H~2~O", "a b c d e x2 H2O"],
    ["in one another", "***a** b* ==*c*==", "a b c"],
    [
      "but not signs that mark nothing",
      "2 * 3 = 6, a == b == c, snake_case_name",
      "2 * 3 = 6, a == b == c, snake_case_name",
    ],
    ["the addresses of links", "[word](https://a.example 'title') <https://b.example>", "word https://b.example"],
    ["but not brackets that are no link", "[word] [^1] [x]() a[0]", "[word] [^1] [x]() a[0]"],
    ["of footnotes", "a[^1] b[^c]\n\n[^1]: The note.\n\n[^c]: word", "a1 bc\n\n1. The note.\n\nc. word"],
    ["but not brackets of no footnote", "a[^2]\n\n[^1]: b", "a[^2]\n\n1. b"],
    ["of lists", "- a\n  * b\n1. c", "• a\n  • b\n1. c"],
    ["of tasks", "- [ ] a\n- [x] b c", "<open: a> a\n<done: b c> b c"],
    ["of quotes", "> a\n> > b", "a\nb"],
    ["of rules", "a\n\n---\n\nb", "a\n\n<line>\n\nb"],
    ["of code", "```js\nlet a\n```", "js\nlet a\n"],
    ["of escapes", "\\*a\\*", "*a*"],
    ["of pictures on this server", "![a b](/api/p/x.png)", "<picture: a b>"],
    ["and of those within the text", "![a](data:image/png;base64,AAAA)", "<picture: a>"],
    ["pictures of others wait", "![a](https://b.example/c.png)", "<b.example: a>"],
    ["a picture within a link", "[![a](/b.png)](https://c.example)", "<picture: a>"],
  ])("%s", (_, text, wanted) => expect(read(text)).toBe(wanted));

  test("a picture that somebody asked for is shown", () => {
    const asked = new Set(["https://b.example/c.png"]);
    expect(read("![a](https://b.example/c.png)", { asked })).toBe("<picture: a>");
  });

  test("what may not be an address stays as it is written", () => {
    const text = "![a](javascript:alert(1)) ![b](data:text/html;base64,AAAA) ![c](#1-2)";
    expect(read(text)).toBe(text);
    expect(styles("[a](javascript:alert(1))")).toEqual(["[a](javascript:alert(1)): live-plain"]);
    const link = stateOf("[a](https://b.example)");
    const addresses: unknown[] = [];
    decorationsOf(link, []).between(0, link.doc.length, (_from, _to, { spec }) => void addresses.push(spec.attributes));
    expect(addresses).toContainEqual({ "data-href": "https://b.example" });
    const script = stateOf("[a](javascript:alert(1))");
    const none: unknown[] = [];
    decorationsOf(script, []).between(0, script.doc.length, (_from, _to, { spec }) => void none.push(spec.attributes));
    expect(none.filter(Boolean)).toEqual([]);
  });
});

describe("on the caret's line they are there", () => {
  test.each<[string, string, string]>([
    ["and on no other", "# O|ne\n\n## Two", "# One\n\nTwo"],
    ["of a link", "a [b](https://c.example)|\n[d](https://e.example)", "a [b](https://c.example)\nd"],
    ["of emphasis that begins on another one", "**a\nb| c**\n\n**d**", "**a\nb c**\n\nd"],
    ["of a block of code, wherever in it", "```js\nlet| a\n```", "```js\nlet a\n```"],
    ["of a task", "- [ ] |a\n- [ ] b", "- [ ] a\n<open: b> b"],
    ["of a picture", "|![a](/b.png)", "![a](/b.png)"],
    ["of a quote, its other lines not", "> |a\n> b", "> a\nb"],
  ])("%s", (_, text, wanted) => expect(read(text)).toBe(wanted));
});

test("lines and words have their looks", () => {
  expect(styles("## A\n\n> b\n\n==c== `d`\n\n- e")).toEqual([
    "## A: live-h live-h2",
    "> b: live-quote live-quote-1",
    "d: live-code-words",
    "==c==: live-marked",
  ]);
  expect(styles("```\na\n```\n\n| a |\n|---|\n| b |")).toEqual([
    "```: live-code",
    "a: live-code",
    "```: live-code",
    "| a |: live-table",
    "|---|: live-table",
    "| b |: live-table",
  ]);
});

test("only what is in sight is looked at, and met once", () => {
  const line = "> **bold** and [link](https://a.example)\n";
  const state = stateOf(line.repeat(5000));
  const part = { from: line.length * 2000, to: line.length * 2010 - 1 };
  const count = (ranges: readonly Span[]) => decorationsOf(state, [], { ranges }).size;
  const all = count([part]);
  expect(all).toBe(10 * 7);
  const middle = line.length * 2005 + 5;
  expect(
    count([
      { ...part, to: middle },
      { ...part, from: middle },
    ]),
  ).toBe(all);
});
