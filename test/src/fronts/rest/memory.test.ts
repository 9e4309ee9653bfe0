import { expect, test } from "bun:test";
import { pathsAt, type RequestContext, readTarget } from "../../../../src/fronts/context.ts";
import { createMemory } from "../../../../src/fronts/memory/memory.ts";
import { createRest } from "../../../../src/fronts/rest/index.ts";
import { credentialOf } from "../../../support/scenario.ts";
import { openTestHouse } from "../../../support/test-house.ts";

test("a hit of a search counts for more than an entry of a folder", async () => {
  await using test = await openTestHouse();
  const { fetch: answer } = createRest(test.house);
  const headers = await credentialOf(test, "admin");
  const taken = async (path: string) => {
    const bytes: number[] = [];
    const lease = createMemory(test.house.transfers).open("192.0.2.1");
    const context: RequestContext = {
      ...readTarget(`http://satchel.test${path}`),
      requestId: "1",
      length: undefined,
      address: "192.0.2.1",
      base: () => "http://satchel.test",
      ...pathsAt(""),
      hosts: () => ["satchel.test"],
      pageHosts: () => [],
      memory: Object.assign(lease, { take: async (more: number) => void bytes.push(more) }),
      hold: () => undefined,
    };
    expect((await answer(new Request(`http://satchel.test${path}`, { headers }), context)).status).toBe(200);
    return bytes;
  };
  expect(await taken("/api/fs/list?path=/drive/&limit=100")).toEqual([100 * 2048]);
  expect(await taken("/api/fs/search?q=tape&limit=100")).toEqual([100 * 8192]);
});
