import { expect, test } from "bun:test";
import { compareBytes } from "#contract/paths";

const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

test("emoji come after all that UTF-16 puts behind them", () => {
  const sorted = ["", "A", "a", "a.", "a/", "a0", "é", "文", "\ud7ff", "\ue000", "\uff5e", "\ufffd", "😀", "😀a", "🙏"];
  expect(sorted.toSorted(byBytes)).toEqual(sorted);
  expect(sorted.toReversed().toSorted(compareBytes)).toEqual(sorted);
  // JavaScript's own order would not do.
  expect(sorted.toSorted()).not.toEqual(sorted);
});

test("any two texts compare as their bytes do", () => {
  const characters = [
    "",
    "\u0000",
    " ",
    ".",
    "/",
    "0",
    "a",
    "\u007f",
    "\u0080",
    "é",
    "\u07ff",
    "\u0800",
    "文",
    "\ud7ff",
    "\ue000",
    "\uffff",
    "\u{10000}",
    "😀",
    "😁",
    "\u{10ffff}",
  ];
  const texts = characters.flatMap((first) => characters.map((second) => `x${first}${second}`));
  for (const a of texts) {
    for (const b of texts) {
      if (Math.sign(compareBytes(a, b)) !== Math.sign(byBytes(a, b))) throw new Error(JSON.stringify([a, b]));
    }
  }
  expect(texts.length).toBe(400);
});
