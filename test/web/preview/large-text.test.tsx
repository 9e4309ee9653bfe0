import { expect, test } from "bun:test";
import { render, screen, waitFor } from "@testing-library/react";
import { rowsOf } from "../../../web/preview/text/blocks.ts";
import { LargeText } from "../../../web/preview/text/large-text.tsx";

const textOf = (lines: number) => Array.from({ length: lines }, (_, index) => `line ${index + 1}`).join("\n");
const shown = () => screen.getByRole("region", { name: "Words" });
const blocks = () => shown().querySelectorAll("pre");

test("a long text is there from its beginning with the first frame, and whole soon after", async () => {
  const text = textOf(100_000);
  render(<LargeText text={text} label="Words" wrap />);
  expect(blocks().length).toBeLessThan(50);
  expect(shown().textContent).toStartWith("line 1\nline 2\n");
  await waitFor(() => expect(shown().textContent === text).toBe(true));
});

test("another text begins anew", async () => {
  const view = render(<LargeText text={textOf(20_000)} label="Words" wrap />);
  await waitFor(() => expect(shown().textContent === textOf(20_000)).toBe(true));
  view.rerender(<LargeText text={`other\n${textOf(30_000)}`} label="Words" wrap />);
  expect(shown().textContent).toStartWith("other\n");
  await waitFor(() => expect(shown().textContent).toBe(`other\n${textOf(30_000)}`));
});

test("a block of one long line takes many rows, unless its lines go on sideways", () => {
  const block = { text: "word ".repeat(1000), lines: 1 };
  expect(rowsOf(block, true)).toBeGreaterThan(40);
  expect(rowsOf(block, false)).toBe(1);
});
