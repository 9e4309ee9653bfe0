import { expect, test } from "bun:test";
import type { Endpoint } from "#contract/endpoint";
import { tools } from "#contract/mcp";
import { api } from "../../support/contract.ts";

/** What the documentation has to name of the contract. */

const endpoints: readonly Endpoint[] = Object.values(api).flatMap((family) => Object.values(family));

test("docs/api.md names each call whose answer is bare", async () => {
  const page = await Bun.file("docs/api.md").text();
  const named = endpoints
    .filter(({ reply }) => reply === "bare")
    .map(({ method, path }) => `\`${method} /api${path.replace(/:(\w+)/g, "{$1}")}\``);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((one) => !page.replace(/\s+/g, " ").includes(one))).toEqual([]);
});

test("docs/mcp.md names each tool, with the permissions that it takes", async () => {
  const page = await Bun.file("docs/mcp.md").text();
  const rows = page.split("\n").filter((line) => line.startsWith("| `"));
  const wrong = Object.entries(tools).filter(([name, { rights }]) => {
    const row = rows.filter((line) => line.split("|")[1]?.includes(`\`${name}\``));
    return row[0]?.split("|")[2]?.trim() !== rights.map((right) => `\`${right}\``).join(" ");
  });
  expect(wrong.map(([name]) => name)).toEqual([]);
});
