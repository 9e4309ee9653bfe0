import { expect, test } from "bun:test";
import { readableName, shownName } from "../../../web/lib/shown-name.ts";

test("a shown name has nothing in it that turns the direction of writing", () => {
  expect(shownName("photo\u202egnp.exe")).toBe("photognp.exe");
  expect(shownName("\u2067a\u2069\u200e\u200f\u061c.txt")).toBe("a.txt");
  expect(shownName("报告 שלום 👨‍👩‍👧‍👦.pdf")).toBe("报告 שלום 👨‍👩‍👧‍👦.pdf");
});

test("a name that is no UTF-8 is shown with its bytes, and offered without them", () => {
  expect(shownName("caf\uefe9.txt")).toBe("caf\\xe9.txt");
  expect(readableName("\uefd6\uefd0 caf\uefe9.txt")).toBe("_ caf_.txt");
  expect(readableName("报告.pdf")).toBe("报告.pdf");
});
