import { expect, test } from "bun:test";
import { textBlocks } from "../../../web/preview/text/blocks.ts";

const joined = (text: string) =>
  textBlocks(text)
    .map((block) => block.text)
    .join("");

test("blocks joined are the text again", () => {
  for (const text of [
    "",
    "a",
    "a\n",
    "\n\n\n",
    "x".repeat(50_000),
    "line\n".repeat(5000),
    `${"字".repeat(20_000)}\nend`,
  ]) {
    expect(joined(text)).toBe(text);
  }
});

test("blocks end behind line ends", () => {
  const blocks = textBlocks("line\n".repeat(1000));
  expect(blocks).toHaveLength(5);
  expect(blocks.every((block) => block.text.endsWith("\n") && block.lines === 200)).toBe(true);
});

test("a cut inside a long line tears no character apart", () => {
  const text = `a${"😀".repeat(20_000)}`;
  expect(joined(text)).toBe(text);
  for (const block of textBlocks(text)) expect(block.text.isWellFormed()).toBe(true);
});

test("ten megabytes on one line are cut without searching it again and again", () => {
  expect(textBlocks("x".repeat(10 * 1024 * 1024)).length).toBe(640);
});
