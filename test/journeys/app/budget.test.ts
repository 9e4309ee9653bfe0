import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { scriptOfFileShare, scriptOfTextShare } from "../../bench/script.ts";
import { closeBrowser } from "../../support/browser/chromium.ts";
import { root } from "../../support/sources.ts";

afterAll(closeBrowser);

test("a shared text transfers at most 100 kB of script", async () => {
  expect(await scriptOfTextShare(join(root, "dist/web"))).toBeLessThanOrEqual(100_000);
});

test("no style asks what an element has in order to style all that is in it", async () => {
  // With each element that comes, browsers would style the whole page anew: that took 0.2 s beside a text of 200 kB.
  const sheets = await Array.fromAsync(new Bun.Glob("assets/*.css").scan(join(root, "dist/web")));
  expect(sheets).not.toEqual([]);
  for (const sheet of sheets)
    expect(await Bun.file(join(root, "dist/web", sheet)).text()).not.toMatch(/:has\([^()]*\) \*/);
});

test.each(["picture", "text", "any"] as const)(
  "a shared file (%s) transfers at most 116 kB of script",
  async (kind) => {
    expect(await scriptOfFileShare(join(root, "dist/web"), kind)).toBeLessThanOrEqual(116_000);
  },
);
