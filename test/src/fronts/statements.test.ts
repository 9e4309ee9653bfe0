import { expect, test } from "bun:test";
import { openMainCalls } from "../../support/main-calls.ts";

/** How often a call asks the database: each statement is a way there and back that somebody waits for. */

test("a text is read with one statement, and with none while it is in memory", async () => {
  await using calls = await openMainCalls();
  // Views are written a moment later, whatever is asked then.
  const reads = async (name: string) =>
    (await calls.call(name)).flatMap(({ queries }) => queries).filter(({ text }) => /^\s*select\b/.test(text)).length;
  expect(await reads("GET /api/raw")).toBe(1);
  expect(await reads("GET /api/raw")).toBe(0);
  expect(await reads("GET /api/paste/:slug")).toBe(0);
  expect(await reads("GET /api/raw, limited views")).toBe(1);
});
