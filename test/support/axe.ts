import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const axe = await Bun.file(Bun.resolveSync("axe-core/axe.min.js", import.meta.dir)).text();

declare const window: Window & { axe: { run(): Promise<AxeResults> } };

/** What axe finds serious or worse on a page whose policy is bypassed, as sentences. */
export async function findings(page: Page): Promise<string[]> {
  await page.addScriptTag({ content: axe });
  const { violations } = await page.evaluate(() => window.axe.run());
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, help, nodes }) => nodes.map(({ target }) => `${id}: ${help} (${target.join(" ")})`));
}
