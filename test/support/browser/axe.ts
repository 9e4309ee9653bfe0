import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const source = await Bun.file(Bun.resolveSync("axe-core/axe.min.js", import.meta.dir)).text();

declare const window: Window & { axe: { run(options: object): Promise<AxeResults> } };

/** What axe finds serious or worse on a page, as sentences; frames of others are not looked into. */
export async function findings(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  // Of what passes it would make a selector for each element.
  const { violations } = await page.evaluate(() => window.axe.run({ iframes: false, resultTypes: ["violations"] }));
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, help, nodes }) => nodes.map(({ target }) => `${id}: ${help} (${target.join(" ")})`));
}
