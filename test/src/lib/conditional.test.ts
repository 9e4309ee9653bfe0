import { describe, expect, test } from "bun:test";
import { evaluateConditions, httpDate, parseHttpDate } from "../../../src/lib/conditional.ts";

const modified = Date.UTC(1994, 10, 6, 8, 49, 37) + 500;
const current = { etag: '"a"', modified };
const SAME = "Sun, 06 Nov 1994 08:49:37 GMT";
const BEFORE = "Sun, 06 Nov 1994 08:49:36 GMT";
const AFTER = "Sun, 06 Nov 1994 08:49:38 GMT";

const outcome = (method: string, headers: Record<string, string>, of: typeof current | undefined = current) =>
  evaluateConditions(method, new Headers(headers), of);

test.each([
  [{}, "proceed", "proceed"],
  [{ "if-match": '"a"' }, "proceed", "proceed"],
  [{ "if-match": '"b", "a"' }, "proceed", "proceed"],
  [{ "if-match": "*" }, "proceed", "proceed"],
  [{ "if-match": "a" }, "proceed", "proceed"],
  [{ "if-match": '"b"' }, "failed", "failed"],
  [{ "if-match": 'W/"a"' }, "failed", "failed"],
  [{ "if-match": "" }, "failed", "failed"],
  [{ "if-match": '"a' }, "failed", "failed"],
  [{ "if-none-match": '"a"' }, "not modified", "failed"],
  [{ "if-none-match": 'W/"a"' }, "not modified", "failed"],
  [{ "if-none-match": ' "x,y" ,, W/"b",\t"a" ' }, "not modified", "failed"],
  [{ "if-none-match": "*" }, "not modified", "failed"],
  [{ "if-none-match": "a" }, "not modified", "failed"],
  [{ "if-none-match": '"b"' }, "proceed", "proceed"],
  [{ "if-none-match": '"x,a"' }, "proceed", "proceed"],
  [{ "if-none-match": '"A"' }, "proceed", "proceed"],
  [{ "if-none-match": "" }, "proceed", "proceed"],
  [{ "if-modified-since": SAME }, "not modified", "proceed"],
  [{ "if-modified-since": AFTER }, "not modified", "proceed"],
  [{ "if-modified-since": BEFORE }, "proceed", "proceed"],
  [{ "if-modified-since": "1" }, "proceed", "proceed"],
  [{ "if-unmodified-since": SAME }, "proceed", "proceed"],
  [{ "if-unmodified-since": AFTER }, "proceed", "proceed"],
  [{ "if-unmodified-since": BEFORE }, "failed", "failed"],
  [{ "if-unmodified-since": "nonsense" }, "proceed", "proceed"],
  [{ "if-match": '"a"', "if-unmodified-since": BEFORE }, "proceed", "proceed"],
  [{ "if-none-match": '"b"', "if-modified-since": SAME }, "proceed", "proceed"],
  [{ "if-match": '"b"', "if-none-match": '"a"' }, "failed", "failed"],
  [{ "if-match": '"a"', "if-none-match": '"a"' }, "not modified", "failed"],
  [{ "if-unmodified-since": AFTER, "if-modified-since": SAME }, "not modified", "proceed"],
] as const)("%j", (headers, read, written) => {
  expect([outcome("GET", headers), outcome("HEAD", headers)]).toEqual([read, read]);
  expect([outcome("PUT", headers), outcome("DELETE", headers)]).toEqual([written, written]);
});

test("where there is nothing, only If-Match fails", () => {
  const nothing = (headers: Record<string, string>) => evaluateConditions("PUT", new Headers(headers), undefined);
  expect(nothing({ "if-match": "*" })).toBe("failed");
  expect(nothing({ "if-match": '"a"' })).toBe("failed");
  expect(nothing({ "if-none-match": "*" })).toBe("proceed");
  expect(nothing({ "if-unmodified-since": BEFORE })).toBe("proceed");
});

test("a weak ETag never satisfies If-Match; what has no ETag and no date satisfies only *", () => {
  expect(evaluateConditions("GET", new Headers({ "if-match": 'W/"a"' }), { etag: 'W/"a"' })).toBe("failed");
  expect(evaluateConditions("GET", new Headers({ "if-none-match": '"a"' }), { etag: 'W/"a"' })).toBe("not modified");
  expect(evaluateConditions("GET", new Headers({ "if-match": '"a"' }), {})).toBe("failed");
  expect(evaluateConditions("GET", new Headers({ "if-match": "*" }), {})).toBe("proceed");
  expect(evaluateConditions("GET", new Headers({ "if-modified-since": SAME }), {})).toBe("proceed");
});

test("a very long list is read in no time", () => {
  for (const list of [
    '"b",'.repeat(100_000),
    " ".repeat(400_000),
    `"${"b".repeat(400_000)}`,
    `x${'"'.repeat(400_000)}`,
  ])
    expect(outcome("GET", { "if-none-match": list })).toBe("proceed");
  expect(outcome("GET", { "if-none-match": `${'"b",'.repeat(100_000)}"a"` })).toBe("not modified");
});

test.each([
  ["'a' , , 'b'", '"a" , , "b"', "a b"],
  ["blanks of both kinds", '\t "a"\t ,\t\t"b" \t', "a b"],
  ["blanks and commas", " ,\t, ,", ""],
  ["a comma at both ends", ',"a",', "a"],
  ["words", "a, b ,W/c", "a b W/c"],
  ["words among tags", 'a,"b",c', "a b c"],
  ["weak tags", 'W/"a" , W/"b"', "a b"],
  ["an empty tag", '"", "a"', "a"],
  ["a comma and blanks in a tag", '" a , b ","b"', " a , b |b"],
  ["two tags without a comma", '"a" "b", c', ""],
  ["two words without a comma", "a, b c, d", "a"],
  ["a word at a tag", '"a"b, c', ""],
  ["a tag at a word", 'a"b", c', ""],
  ["what comes before a tag that does not end", 'a, "b", "c', "a b"],
  ["W/ before a tag that does not end", 'a, W/"b', "a"],
  ["w/ in small letters", 'a, w/"b"', "a"],
  ["a blank after W/", 'a, W/ "b"', "a"],
  ["another kind of blank", "a,\u00a0b", "a"],
])("a list with %s is read as far as it is one", (_, list, read) => {
  const wanted = read.includes("|") ? read.split("|") : read.split(" ").filter(Boolean);
  const among = ["a", "b", "c", "d", "W/c", " a , b "];
  const known = among.filter(
    (tag) => evaluateConditions("GET", new Headers({ "if-none-match": list }), { etag: `"${tag}"` }) === "not modified",
  );
  expect(known.sort()).toEqual(wanted.sort());
});

/** The least of five times that a list takes, so that a pause of this machine does not count. */
function timeOf(list: string): number {
  const times = Array.from({ length: 5 }, () => {
    const begun = performance.now();
    outcome("GET", { "if-none-match": list });
    return performance.now() - begun;
  });
  return Math.min(...times);
}

test.each([
  ["blanks before a tag that does not end", `a,${" ".repeat(15_000)}"`],
  ["tabs", `a,${"\t".repeat(15_000)}"`],
  ["blanks after a tag", `"a"${" ".repeat(15_000)}"`],
  ["blanks between words", `a${" ".repeat(15_000)}b`],
  ["quotes", '"'.repeat(15_000)],
  ["a tag that does not end", `"${"a".repeat(15_000)}`],
  ["W/", "W/".repeat(7_500)],
])("%s: a list made to be slow is read about as fast as any of its length", (_, hostile) => {
  const plain = timeOf('"b",'.repeat(3_750));
  expect(timeOf(hostile)).toBeLessThan(20 * plain + 1);
});

describe("HTTP dates", () => {
  test("are read in their three forms and written in one", () => {
    const instant = Date.UTC(1994, 10, 6, 8, 49, 37);
    for (const text of [SAME, "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"])
      expect(parseHttpDate(text)).toBe(instant);
    expect(httpDate(instant + 999)).toBe(SAME);
    expect(parseHttpDate("Sat, 31 Dec 2016 23:59:60 GMT")).toBe(Date.UTC(2017, 0, 1));
    expect(parseHttpDate("Friday, 01-Jan-38 00:00:00 GMT")).toBe(Date.UTC(2038, 0, 1));
  });

  test.each([
    "",
    "1",
    "1994-11-06T08:49:37Z",
    "Sun, 06 Nov 1994 08:49:37",
    "Sun, 06 Nov 1994 08:49:37 CET",
    "Sun, 6 Nov 1994 08:49:37 GMT",
    "Sun, 31 Feb 1994 08:49:37 GMT",
    "Sun, 06 Foo 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 24:00:00 GMT",
    "Sun, 06 Nov 1994 08:60:00 GMT",
    "Sun, 00 Nov 1994 08:49:37 GMT",
  ])("%p is none", (text) => {
    expect(parseHttpDate(text)).toBeUndefined();
  });
});
