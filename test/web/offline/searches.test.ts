import { expect, test } from "bun:test";
import { createSearches } from "../../../web/offline/searches.ts";
import { openBrowser } from "./browser.ts";

test("a search is the newest also when the clock was set back since the one before", async () => {
  await using browser = await openBrowser();
  const { at, database } = browser;
  const searches = createSearches({ database, person: () => at.person, now: () => at.now++ });
  for (let count = 0; count < 10; count++) await searches.note(String(count));
  at.now -= 1_000_000;
  for (const query of ["back", "and on"]) await searches.note(query);
  expect((await searches.recall()).slice(0, 3)).toEqual(["and on", "back", "9"]);
});

test("the last ten searches of each person are kept, the newest first, each once", async () => {
  await using browser = await openBrowser();
  const { at, database } = browser;
  const searches = createSearches({ database, person: () => at.person, now: () => at.now++ });
  for (const query of ["aa", "bb", "cc", "aa"]) await searches.note(query);
  expect(await searches.recall()).toEqual(["aa", "cc", "bb"]);
  at.person = undefined;
  expect(await searches.recall()).toEqual([]);
  for (let count = 10; count < 22; count++) await searches.note(String(count));
  const kept = await searches.recall();
  expect([kept.length, kept[0], kept[9]]).toEqual([10, "21", "12"]);
  await searches.clear();
  expect(await searches.recall()).toEqual([]);
  at.person = "admin";
  expect(await searches.recall()).toEqual(["aa", "cc", "bb"]);
});
