import { describe, expect, test } from "bun:test";
import { noted } from "../../../web/features/paste/editor/bar/tools.ts";
import {
  block,
  type Format,
  fenced,
  indented,
  inserted,
  lines,
  linked,
  newLine,
  outdented,
  whole,
  wrapped,
} from "../../../web/features/paste/editor/formats.ts";

/** Applies a format to a text in which `|` stands at both ends of what is marked, or once for the caret. */
function after(format: Format, marked: string): string {
  const anchor = marked.indexOf("|");
  const bare = marked.replaceAll("|", "");
  const head = marked.lastIndexOf("|") === anchor ? anchor : marked.lastIndexOf("|") - 1;
  const { from, to, insert, caret } = format(bare, { anchor, head });
  const text = bare.slice(0, from) + insert + bare.slice(to);
  const [low, high] = [Math.min(caret.anchor, caret.head), Math.max(caret.anchor, caret.head)];
  return `${text.slice(0, low)}|${low === high ? "" : `${text.slice(low, high)}|`}${text.slice(high)}`;
}

describe("formats", () => {
  test.each<[string, Format, string, string]>([
    ["marks go around what is marked", wrapped("**"), "a |b| c", "a **|b|** c"],
    ["and away again", wrapped("**"), "a **|b|** c", "a |b| c"],
    ["a star within two is another mark", wrapped("*"), "**|b|**", "***|b|***"],
    ["and goes away alone", wrapped("*"), "***|b|***", "**|b|**"],
    ["without anything marked the caret stands between", wrapped("`"), "a |", "a `|`"],
    ["lines become items", lines("bullet"), "|one\ntwo|", "|- one\n- two|"],
    ["items become lines", lines("bullet"), "|- one\n- two|", "|one\ntwo|"],
    ["one kind becomes another", lines("number"), "|- one\n\n- two|", "|1. one\n\n2. two|"],
    ["a task keeps its place", lines("task"), "  - o|ne", "  - [ ] o|ne"],
    ["a heading changes its level", lines("h3"), "# wo|rd", "### wo|rd"],
    ["a quote", lines("quote"), "wo|rd", "> wo|rd"],
    ["lines move in", indented, "|a\nb|", "|  a\n  b|"],
    ["and out", outdented, "|  a\n\tb\nc|", "|a\nb\nc|"],
    ["a word becomes a link whose address is marked", linked, "|word|", "[word](|https://|)"],
    ["an address becomes one whose word is wanted", linked, "|https://example.org|", "[|](https://example.org)"],
    ["a block has empty lines around it", block("---"), "a|b", "a\n\n---|\n\nb"],
    ["a fence goes around what is marked", fenced("js", "code"), "|let a|", "```js\n|let a|\n```\n\n"],
    ["a footnote has its place at the end", noted, "a|b\n\n[^1]: x", "a[^2]b\n\n[^1]: x\n\n[^2]: |"],
    ["a line above", newLine("before"), "a\nb|c", "a\n|\nbc"],
    ["a line above the first", newLine("before"), "a|b", "|\nab"],
    ["a line below", newLine("after"), "a|b\nc", "ab\n|\nc"],
    ["a line below the last", newLine("after"), "a|b", "ab\n|"],
    ["a text is put in", inserted("new"), "a|b|c", "anew|c"],
    ["a text takes the place of all", whole("new"), "a|b", "|new"],
  ])("%s", (_, format, before, wanted) => expect(after(format, before)).toBe(wanted));
});
