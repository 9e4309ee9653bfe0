import { describe, expect, test } from "bun:test";
import { createItemScanner, JsonBeyond, JsonBroken, memberOf } from "../../../src/lib/json-items.ts";

const BOUNDS = { offset: 0, bytes: 1000, depth: 8, values: 100 };

/** The items that a scanner finds in a text whose bytes come in pieces of this length. */
function itemsOf(text: string, { step = 1, container = "[" as "[" | "{", bounds = BOUNDS as never } = {}) {
  const scanner = createItemScanner(container, bounds);
  const bytes = new TextEncoder().encode(text);
  const found = [];
  for (let at = 0; at < bytes.length; at += step) found.push(...scanner.push(bytes.slice(at, at + step)));
  scanner.end();
  return found;
}

const values = [
  { a: 1, "b\\": 'quote " and \\', c: "\\\\" },
  [],
  {},
  "a, b] } [",
  -1.5e3,
  null,
  true,
  ["\\", '\\"', "火 🔥", [[{ deep: "}" }]]],
];

describe("the items of a JSON array", () => {
  test.each([1, 2, 3, 7, 64, 10_000])("are those that JSON.parse finds, in pieces of %d bytes", (step) => {
    for (const space of ["", "  ", "\t"]) {
      const text = `\n ${JSON.stringify(values, null, space)} \n`;
      const items = itemsOf(text, { step });
      expect(items.map((item) => JSON.parse(item.text))).toEqual(values);
      const bytes = Buffer.from(text);
      expect(items.map(({ start, end }) => bytes.subarray(start, end).toString())).toEqual(
        items.map((item) => item.text),
      );
    }
    expect(itemsOf("[]", { step })).toEqual([]);
    expect(itemsOf("[ ]", { step })).toEqual([]);
  });

  test("are members of an object, of which long ones are only located", () => {
    const object = { 'na"me\\': "x".repeat(5000), 火: [1, 2], empty: {} };
    for (const step of [1, 100, 100_000]) {
      const text = JSON.stringify(object, null, 1);
      const items = itemsOf(text, { step, container: "{", bounds: { ...BOUNDS, bytes: undefined } as never });
      const found = items.map((item) => {
        const { name, skipped } = memberOf(item);
        const value = Buffer.from(text).subarray(item.start + skipped, item.end);
        return [name, JSON.parse(value.toString())];
      });
      expect(Object.fromEntries(found)).toEqual(object);
    }
  });

  test.each([
    "",
    " ",
    "[",
    "[1",
    "[1,",
    '["',
    '["a',
    "[1,]",
    "[,]",
    "[1,,2]",
    "[1}",
    "{}",
    "[1]]",
    "[1] 2",
    "1",
    "[{]",
    "[[1]",
  ])("%j is no array", (text) => {
    for (const step of [1, 100]) expect(() => itemsOf(text, { step })).toThrow(JsonBroken);
  });

  test("beyond a bound they are refused while they come", () => {
    for (const step of [1, 100_000]) {
      expect(() => itemsOf(`["${"a".repeat(2000)}"]`, { step })).toThrow(JsonBeyond);
      expect(() => itemsOf(`[${"[".repeat(20)}`, { step })).toThrow(JsonBeyond);
      expect(() => itemsOf(`[[${"1,".repeat(200)}1]]`, { step })).toThrow(JsonBeyond);
    }
  });

  test.each(["1", '"a"', '"a":', '{"a":1}'])("%j names no member unless it has a name", (text) => {
    const item = { start: 0, end: text.length, text };
    if (text === '"a":') expect(memberOf(item).name).toBe("a");
    else expect(() => memberOf(item)).toThrow(JsonBroken);
  });
});
