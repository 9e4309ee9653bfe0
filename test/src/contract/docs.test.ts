import { expect, test } from "bun:test";
import type { Endpoint } from "#contract/endpoint";
import { api } from "../../support/contract.ts";

/** What docs/api.md has to name of the contract. */

const endpoints: readonly Endpoint[] = Object.values(api).flatMap((family) => Object.values(family));

test("docs/api.md names each call whose answer is bare", async () => {
  const page = await Bun.file("docs/api.md").text();
  const named = endpoints
    .filter(({ reply }) => reply === "bare")
    .map(({ method, path }) => `\`${method} /api${path.replace(/:(\w+)/g, "{$1}")}\``);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((one) => !page.replace(/\s+/g, " ").includes(one))).toEqual([]);
});
