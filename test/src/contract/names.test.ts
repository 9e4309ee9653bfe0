import { expect, test } from "bun:test";
import { isName, isUsername } from "#contract/fields";

test.each([
  ["ci", true],
  ["团队 照片", true],
  ["e\u0301t\u00e9", true],
  ["👩‍👩‍👧 family", true],
  ["می\u200cخواهم", true],
  ["❤\ufe0f", true],
  [`<b>"a" & 'b'`, true],
  ["", false],
  ["  ", false],
  ["\u200b\u200b", false],
  ["\u200d", false],
  ["\u3164", false],
  ["\u2800 \u2800", false],
  ["\ufe0f", false],
  ["a\u0000", false],
  ["a\nb", false],
  ["a\u0085b", false],
  ["a\u2028b", false],
  ["exe.\u202Egpj", false],
  ["a\u2066b\u2069", false],
  ["a\u200fb", false],
  ["a\u200bb", false],
  ["\ufeffa", false],
  ["a\u00adb", false],
  ["\ud800", false],
  ["a\udc00", false],
])("%j is a name: %p", (text, expected) => {
  expect(isName(text)).toBe(expected);
  expect(isUsername(text)).toBe(expected);
});

test.each(["a:b", " a", "a ", "u".repeat(65)])("%j is no username although it is a name", (text) => {
  expect([isName(text), isUsername(text)]).toEqual([true, false]);
});
