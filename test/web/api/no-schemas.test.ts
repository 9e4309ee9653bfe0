import { expect, test } from "bun:test";
import { join } from "node:path";
import * as fakeServer from "../../../web/shims/no-schemas.ts";
import { root } from "../../support/sources.ts";

test("what stands in for zod in the built pages has everything that the contract calls", async () => {
  const used = new Set<string>();
  for await (const path of new Bun.Glob("src/contract/**/*.ts").scan(root)) {
    for (const [, name = ""] of (await Bun.file(join(root, path)).text()).matchAll(/\bz\s*\.(\w+)\s*[(.]/g))
      used.add(name);
  }
  expect(used.size).toBeGreaterThan(10);
  expect([...used].filter((name) => !(name in fakeServer))).toEqual([]);
});
