import type { Page } from "playwright-core";
import { closeBrowser, openBrowser } from "../support/browser/chromium.ts";
import { startServer } from "../support/server.ts";
import { tasksOf, traced } from "./tasks.ts";

/**
 * `bun test/bench/large-text.ts [megabytes]`: how a large shared text opens in a browser, from the built pages: milliseconds until its
 * first words are there to see, and until its last ones are; tasks that hold the page for more than 50 count as long (Long Tasks
 * API). Read the ratios to the small text; nothing here fails.
 */
const megabytes = Number(process.argv[2] ?? 10);
const say = (line: string) => process.stdout.write(`${line}\n`);

const sentence = "Some *words* of a text that somebody reads, with a [link](https://example.com).\n\n";
const repeated = (line: string) => line.repeat(Math.floor((megabytes * 1_000_000) / line.length) - 1);
/** Texts by what may be slow in them; the small one, which is read as Markdown, tells what opening a page takes at all. */
const texts = {
  small: `# Title\n\n${sentence.repeat(120)}LAST`,
  paragraphs: `# Title\n\n${repeated(sentence)}LAST`,
  "short lines": `# Title\n${repeated("- one line\n")}LAST`,
  "one line": `# Title\n${repeated("word ")}LAST`,
  Chinese: `# Title\n\n${"这是一段中文的文字，有人会读它。\n\n".repeat(Math.floor((megabytes * 1_000_000) / 50))}LAST`,
} as const;

await using server = await startServer();
const send = async (path: string, body: unknown, authorization = "") => {
  const response = await fetch(server.address + path, {
    method: "POST",
    headers: { authorization },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as { data: { token: string } };
};
const { token } = (await send("/api/admin/login", { username: "admin", password: server.adminPassword })).data;
const browser = await openBrowser();

interface Told {
  first?: number;
  last?: number;
  readonly long: number[];
}
const told = (page: Page) => page.evaluate(() => (window as unknown as { told: Told }).told);

/** Looks at each frame whether there are words, and the last ones: cheaper than a locator, which reads ten megabytes each time. */
const watch = () => {
  const now: Told = { long: [] };
  Object.assign(window, { told: now });
  new PerformanceObserver((list) => now.long.push(...list.getEntries().map(({ duration }) => duration))).observe({
    type: "longtask",
    buffered: true,
  });
  const look = () => {
    const words = document.querySelector("article pre, article .markdown p");
    if (words && words.getBoundingClientRect().height > 0) now.first ??= performance.now();
    if (
      document
        .querySelector("article section > :last-child, article .markdown > :last-child")
        ?.textContent?.endsWith("LAST")
    )
      now.last = performance.now();
    if (now.last === undefined) requestAnimationFrame(look);
  };
  look();
};

let small: { readonly first: number; readonly longest: number } | undefined;
for (const [name, content] of Object.entries(texts)) {
  const slug = name.replace(" ", "-");
  await send("/api/paste", { content, slug }, `Bearer ${token}`);
  await using visit = await browser.newPage({ address: server.address });
  const { page, context } = visit;
  await context.addInitScript(watch);
  const owner = context.browser();
  await owner?.startTracing(page, traced);
  await page.goto(`/paste/${slug}`, { waitUntil: "commit" });
  await page.waitForFunction(() => (window as unknown as { told: Told }).told.last !== undefined, undefined, {
    timeout: 120_000,
  });
  const { first = 0, last = 0, long } = await told(page);
  const tasks = owner ? tasksOf(await owner.stopTracing()) : [];
  // The end of the page, as somebody who presses End.
  const jumped = await page.evaluate(async () => {
    const start = performance.now();
    window.scrollTo(0, document.documentElement.scrollHeight);
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return performance.now() - start;
  });
  say(`${name}: first words ${first.toFixed(0)}, last ${last.toFixed(0)}, to the end ${jumped.toFixed(0)}`);
  say(`  longest tasks by the processor: ${tasks.slice(0, 5).join(" ")}`);
  const [longest = Number.NaN] = tasks;
  small ??= { first, longest };
  const ratios = [first / small.first, longest / small.longest].map((one) => one.toFixed(1));
  say(`  against the small one: first words ${ratios[0]}, longest task ${ratios[1]}`);
  say(`  long tasks: ${long.map(Math.round).join(" ") || "none"}`);
}
await closeBrowser();
