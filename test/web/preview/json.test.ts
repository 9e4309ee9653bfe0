import { describe, expect, test } from "bun:test";
import { MAX_JSON_LISTS } from "#contract/viewer-limits";
import { JsonIndex } from "../../../web/preview/json/json-index.ts";

function read(text: string) {
  const index = new JsonIndex(text);
  for (const _ of index.scan());
  return index;
}

/** The values of a text, lists and objects as what is in them. */
function valuesOf(text: string): unknown {
  const index = read(text);
  expect(index.problem).toBeUndefined();
  const readAs = (value: ReturnType<typeof index.root>): unknown => {
    if (value.kind === "text") return value.shown;
    if (value.kind === "other") return JSON.parse(value.shown);
    const children = index.children(value.at, 0, value.count).map((child) => [child.name, readAs(child)] as const);
    return value.kind === "list" ? children.map(([, child]) => child) : Object.fromEntries(children);
  };
  return readAs(index.root());
}

describe("what is JSON is read as JSON.parse does", () => {
  test.each([
    "1",
    ' "a" ',
    "null",
    "[]",
    "{}",
    "[[],{},[[]]]",
    '{"a":[1,-2.5e+3,true,false,null],"b":{"c":{"d":"e"}}}',
    '[ 1 ,\n{ "a" : "b\\u0041\\n\\"\\\\" } , "\\ud83d\\ude00" ]\r\n\t',
    '["\u2028 is a letter here"]',
    '{"": {"": ""}}',
    "[0, -0, 1e5, 1E-5, 0.1]",
  ])("%s", (text) => expect(valuesOf(text)).toEqual(JSON.parse(text)));

  test("thousands of values in each other, at random", () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed % below;
    };
    const make = (depth: number): unknown => {
      const kind = random(depth > 5 ? 3 : 5);
      if (kind === 0) return random(1000) - 500;
      if (kind === 1) return `text ${'"\\\n中'.repeat(random(3))}`;
      if (kind === 2) return random(2) === 1;
      const children = Array.from({ length: random(6) }, () => make(depth + 1));
      return kind === 3 ? children : Object.fromEntries(children.map((child, at) => [`n${at}`, child]));
    };
    for (let round = 0; round < 200; round += 1) {
      const value = make(0);
      for (const indent of [0, 2]) expect(valuesOf(JSON.stringify(value, null, indent))).toEqual(value);
    }
  });
});

describe("what is none is said with its place", () => {
  test.each([
    ["", 1, 1],
    ["[1,]", 1, 4],
    ["[1 2]", 1, 4],
    ['{"a":1,}', 1, 8],
    ['{"a"}', 1, 5],
    ["{a:1}", 1, 2],
    ["[\n01]", 2, 2],
    ["[.5]", 1, 2],
    ["[1.]", 1, 3],
    ["[+1]", 1, 2],
    ["['a']", 1, 2],
    ['["a\nb"]', 1, 4],
    ['["\\x"]', 1, 3],
    ['["a', 1, 4],
    ["[1]]", 1, 4],
    ["[}", 1, 2],
    ["nul", 1, 1],
    ["[truely]", 1, 6],
    ["[NaN]", 1, 2],
    ["[".repeat(10), 1, 11],
    ["1 2", 1, 3],
  ])("%j", (text, line, column) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(read(text).problem).toEqual({ line, column });
  });
});

describe("hostile texts", () => {
  test("numbers keep their digits, and names may stand there twice or be what objects have anyway", () => {
    const index = read('{"__proto__": 12345678901234567890, "a": 1, "a": 3.14159265358979323846, "constructor": {}}');
    const shown = index.children(0, 0, 10).map(({ name, shown }) => [name, shown]);
    expect(shown).toEqual([
      ["__proto__", "12345678901234567890"],
      ["a", "1"],
      ["a", "3.14159265358979323846"],
      ["constructor", ""],
    ]);
  });

  test("lists in lists, however deep, take no stack", () => {
    const deep = read(`${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}`);
    expect([deep.problem, deep.depth]).toEqual([undefined, 1_000_000]);
    expect(deep.children(999_998, 0, 1)).toMatchObject([{ kind: "list", count: 0, at: 999_999 }]);
    expect(read("[".repeat(1_000_000)).problem).toEqual({ line: 1, column: 1_000_001 });
  });

  test("more lists than are counted are too many", () => {
    expect(read(`[${"[],".repeat(MAX_JSON_LISTS)}[]]`).isTooLarge).toBe(true);
  }, 120_000);

  test("a text of megabytes is shown by its beginning, not by half an escape", () => {
    for (const piece of ["x", "\\u4e2d", "\\\\", "\\ud83d\\ude00"])
      for (const before of ["", "a", "ab", "abc", "abcd"]) {
        const { shown } = read(JSON.stringify("").replace('""', `"${before}${piece.repeat(100_000)}"`)).root();
        expect(shown.endsWith("…")).toBe(true);
        expect(shown.length).toBeLessThan(2100);
      }
  });

  test("values in the middle of very many are found", () => {
    const index = read(JSON.stringify(Array.from({ length: 300_000 }, (_, id) => ({ id, in: [[id]] }))));
    expect(index.root()).toMatchObject({ kind: "list", count: 300_000 });
    const [found] = index.children(0, 299_999, 300_000);
    expect(index.children(found?.at ?? 0, 0, 1)).toMatchObject([{ name: "id", shown: "299999" }]);
  });
});
