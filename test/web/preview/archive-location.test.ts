import { expect, test } from "bun:test";
import { keptForm, locationOf } from "../../../web/preview/archive/archive-location.ts";

test("the history is told no name that stands in a sealed archive, and leads back there all the same", () => {
  const place = { folder: "secret plans/", entry: 3 };
  const kept = keptForm(place, true);
  expect(JSON.stringify(kept)).not.toContain("secret");
  expect(locationOf(kept)).toEqual(place);
  expect(locationOf(JSON.parse(JSON.stringify(keptForm(place, false))))).toEqual(place);
  expect(locationOf("of a page that is gone")).toEqual({ folder: "" });
});
