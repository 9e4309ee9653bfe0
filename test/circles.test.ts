import { expect, test } from "bun:test";
import { circlesOf } from "./support/rules/circles.ts";
import { readSources } from "./support/sources.ts";

test("no files import each other round, types included", async () => {
  const sources = (await readSources("{src,web}/**/*.{ts,tsx}")).filter(({ path }) => !path.endsWith(".d.ts"));
  expect(circlesOf(sources)).toEqual([]);
});

test("a circle is found, whether it is of values, of types or of what is loaded later", () => {
  const file = (name: string, ...lines: string[]) => ({ path: `web/${name}.ts`, text: lines.join("\n") });
  const circles = circlesOf([
    file("a", 'import { b } from "./b.ts";'),
    file("b", 'import type { C } from "./c.ts";', 'import { d } from "./d.ts";'),
    file("c", 'const late = () => import("./a.ts");'),
    file("d", 'import "elsewhere";'),
  ]);
  expect(circles).toEqual([["web/a.ts", "web/b.ts", "web/c.ts"]]);
});
