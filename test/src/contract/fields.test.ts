import { expect, test } from "bun:test";
import * as z from "zod/mini";
import { nameField, queryNumber } from "#contract/fields";

test.each([
  ["0", 0],
  ["1", 1],
  ["0099", 99],
  ["100", undefined],
  ["", undefined],
  [" 1", undefined],
  ["1 ", undefined],
  ["+1", undefined],
  ["-1", undefined],
  ["1.0", undefined],
  ["1e0", undefined],
  ["0x1", undefined],
  ["0b1", undefined],
  ["١", undefined],
  ["9".repeat(400), undefined],
  [["1", "2"], undefined],
  [null, undefined],
])("%j in a query is the number %p", (sent, expected) => {
  expect(z.safeParse(queryNumber(0, 99), sent).data).toBe(expected);
});

test.each([
  [" ci ", "ci"],
  ["e\u0301", "\u00e9"],
  ["twelve chars", "twelve chars"],
  ["thirteen char", undefined],
  ["\u200b", undefined],
  [7, undefined],
])("%j is kept as the name %j", (sent, expected) => {
  expect(z.safeParse(nameField(12), sent).data).toBe(expected);
});
