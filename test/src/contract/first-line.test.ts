import { expect, test } from "bun:test";
import { firstLine, readableLines } from "#contract/text/first-line";

test.each([
  ["# **Bold** my_file_name.txt\nmore", false, "Bold my_file_name.txt"],
  ["> `code` and 2*3", false, "code and 2*3"],
  ["- [ ] buy milk", false, "buy milk"],
  ["12. twelfth", false, "twelfth"],
  ["***\n\n```js\nlet a;\n```", false, "let a;"],
  ["#!/bin/sh\nset -eu", true, "set -eu"],
  ["{\n  name: 1\n}", true, "name: 1"],
  ["__init__ = 1", true, "__init__ = 1"],
  ["一行\n两行", false, "一行"],
  ["---\n", false, ""],
  ["", false, ""],
] as const)("%j, plain %p, is called %p", (text, isPlain, name) => {
  expect(firstLine(text, isPlain)).toBe(name);
});

test("a reader sees lines without marks, and of a plain text all of them", () => {
  const text = "# Title\n\n***\n* one\n* two";
  expect(readableLines(text, false)).toEqual(["Title", "one", "two"]);
  expect(readableLines(text, true)).toEqual(["# Title", "***", "* one", "* two"]);
});
