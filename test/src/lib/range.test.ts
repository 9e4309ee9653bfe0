import { expect, test } from "bun:test";
import { contentRange, ifRangeHolds, parseRange } from "../../../src/lib/conditional.ts";

test.each([
  ["bytes=0-9", 100, { start: 0, end: 9 }],
  ["bytes=0-0", 1, { start: 0, end: 0 }],
  ["BYTES=99-", 100, { start: 99, end: 99 }],
  ["bytes=10-10", 100, { start: 10, end: 10 }],
  ["bytes=50-500", 100, { start: 50, end: 99 }],
  ["bytes= 0-9 ", 100, { start: 0, end: 9 }],
  ["bytes=0-99999999999999999999999999", 100, { start: 0, end: 99 }],
  ["bytes=-1", 100, { start: 99, end: 99 }],
  ["bytes=-100", 100, { start: 0, end: 99 }],
  ["bytes=-500", 100, { start: 0, end: 99 }],
  ["bytes=5000000000-", 6_000_000_000, { start: 5_000_000_000, end: 5_999_999_999 }],
  ["bytes=100-", 100, "unsatisfiable"],
  ["bytes=100-200", 100, "unsatisfiable"],
  ["bytes=-0", 100, "unsatisfiable"],
  ["bytes=0-", 0, "unsatisfiable"],
  ["bytes=-5", 0, undefined],
  ["bytes=9-0", 100, undefined],
  ["bytes=900-0", 100, undefined],
  ["bytes=0-1,5-6", 100, undefined],
  ["bytes=-", 100, undefined],
  ["bytes=", 100, undefined],
  ["bytes=a-b", 100, undefined],
  ["bytes=+1-2", 100, undefined],
  ["bytes=1.0-2", 100, undefined],
  ["bytes=--5", 100, undefined],
  ["bytes 0-9", 100, undefined],
  ["items=0-9", 100, undefined],
  ["bytes=٠-٩", 100, undefined],
  ["", 100, undefined],
  [null, 100, undefined],
  [undefined, 100, undefined],
] as const)("%p of %d bytes", (header, size, range) => {
  expect(parseRange(header, size)).toEqual(range);
});

test("a very long header is read in no time", () => {
  expect(parseRange(`bytes=${"9".repeat(1_000_000)}-`, 100)).toBe("unsatisfiable");
  expect(parseRange(`bytes=${" ".repeat(1_000_000)}x`, 100)).toBeUndefined();
  expect(parseRange(`bytes=0-1${" ".repeat(1_000_000)}x`, 100)).toBeUndefined();
});

const modified = Date.UTC(1994, 10, 6, 8, 49, 37) + 500;

test.each([
  [null, true],
  [undefined, true],
  ['"a"', true],
  ['"b"', false],
  ['W/"a"', false],
  ["Sun, 06 Nov 1994 08:49:37 GMT", true],
  ["Sun, 06 Nov 1994 08:49:38 GMT", false],
  ["Sun, 06 Nov 1994 08:49:36 GMT", false],
  ["nonsense", false],
  ["", false],
] as const)("If-Range %p", (header, holds) => {
  expect(ifRangeHolds(header, { etag: '"a"', modified })).toBe(holds);
});

test("If-Range never holds for a weak ETag, nor for what a resource does not have", () => {
  expect(ifRangeHolds('W/"a"', { etag: 'W/"a"', modified })).toBe(false);
  expect(ifRangeHolds('"a"', { etag: 'W/"a"', modified })).toBe(false);
  expect(ifRangeHolds('"a"', { modified })).toBe(false);
  expect(ifRangeHolds("Sun, 06 Nov 1994 08:49:37 GMT", { etag: '"a"' })).toBe(false);
});

test("Content-Range names the part, or the size alone", () => {
  expect(contentRange({ start: 0, end: 9 }, 100)).toBe("bytes 0-9/100");
  expect(contentRange("unsatisfiable", 100)).toBe("bytes */100");
});
