import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { scriptOfFileShare, scriptOfTextShare } from "../bench/script.ts";
import { closeBrowser } from "../support/chromium.ts";
import { root } from "../support/sources.ts";

afterAll(closeBrowser);

test("a shared text transfers at most 150 kB of script", async () => {
  expect(await scriptOfTextShare(join(root, "dist/web"))).toBeLessThanOrEqual(150_000);
});

test.each(["picture", "text", "any"] as const)(
  "a shared file (%s) transfers at most 125 kB of script",
  async (kind) => {
    expect(await scriptOfFileShare(join(root, "dist/web"), kind)).toBeLessThanOrEqual(125_000);
  },
);
