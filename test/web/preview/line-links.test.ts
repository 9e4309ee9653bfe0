import { expect, test } from "bun:test";
import { hashOf, linesIn, linesOfText } from "../../../web/preview/text/line-links.ts";

test("lines are named in an address and read from it, in whatever order", () => {
  expect(linesIn("#L10")).toEqual({ from: 10, to: 10 });
  expect(linesIn("#L10-L20")).toEqual({ from: 10, to: 20 });
  expect(linesIn("#L20-10")).toEqual({ from: 10, to: 20 });
  for (const other of ["", "#L", "#L0", "#l1", "#h-1", "#L1-", "#L1-L2x", "#L123456789"])
    expect(linesIn(other)).toBeUndefined();
  for (const lines of [
    { from: 3, to: 3 },
    { from: 3, to: 9 },
  ])
    expect(linesIn(hashOf(lines))).toEqual(lines);
});

test("the lines themselves are those of the text, and no more than it has", () => {
  const text = "one\ntwo\nthree\n";
  expect(linesOfText(text, { from: 2, to: 3 })).toBe("two\nthree");
  expect(linesOfText(text, { from: 3, to: 90 })).toBe("three\n");
  expect(linesOfText(text, { from: 90, to: 91 })).toBe("");
});
