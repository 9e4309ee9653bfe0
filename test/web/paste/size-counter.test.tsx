import { expect, test } from "bun:test";
import { render, screen } from "@testing-library/react";
import { SizeCounter } from "../../../web/features/paste/editor/bar/size-counter.tsx";
import { i18n, loadWords } from "../../../web/i18n/i18n.ts";

test("one character is one, many have their digits in groups", async () => {
  await i18n.setLanguage("en");
  await loadWords("paste", "editing", "shell");
  const { rerender } = render(<SizeCounter text="a" />);
  expect(screen.getByText("1 character").title).toBe("1 character, 1 B");
  rerender(<SizeCounter text={"a".repeat(1234)} />);
  await screen.findByText("1,234 characters");
});
