import { expect, test } from "bun:test";
import { insideOf, keptForm } from "../../../web/preview/archive/use-inside.ts";

test("the history is told no name that stands in a sealed archive, and leads back there all the same", () => {
  const place = { folder: "secret plans/", entry: 3 };
  const kept = keptForm(place, true);
  expect(JSON.stringify(kept)).not.toContain("secret");
  expect(insideOf(kept)).toEqual(place);
  expect(insideOf(JSON.parse(JSON.stringify(keptForm(place, false))))).toEqual(place);
  expect(insideOf("of a page that is gone")).toEqual({ folder: "" });
});
