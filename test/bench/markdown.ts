import { RICH_TEXT_CHARACTERS } from "#contract/limits";
import { closeBrowser, openBrowser } from "../support/browser/chromium.ts";
import { signIn } from "../support/clients/sign-in.ts";
import { startServer } from "../support/server.ts";
import { tasksOf, traced } from "./tasks.ts";

/**
 * `bun test/bench/markdown.ts [part of a name]`: how texts as long as Markdown may be open in a browser, from the built pages: those
 * that are hard to read, and an ordinary one to compare them with. Milliseconds until the first block is there and until all are,
 * and the longest tasks of the page's thread by the processor, also as a ratio to those of the ordinary one. Nothing here fails.
 */
const wanted = process.argv[2] ?? "";
const say = (line: string) => process.stdout.write(`${line}\n`);

const texts: Readonly<Record<string, string>> = {
  ordinary:
    "## Heading\n\nSome *words* that somebody reads, with a [link](https://example.com) and `code`.\n\n- one\n- two\n\n",
  "one quote": "> words of a quote\n",
  "a quote of short lines": "> a\n",
  "a quote that others go on": "> a\nb\n",
  "lists in a quote": "> - a\n",
  "quotes in quotes": "> ",
  "lines without empty ones": "a\n",
  headings: "# a\n",
  "items of a list": "- [ ] a\n",
  "lists in lists": "- ",
  "emphasis without an end": "**a *b ",
  "open brackets": "[",
  "links in links": "[a](",
  "rows of a table": "|a|b|\n|-|-|\n",
  notes: "[^a]: b\n\n[^a]\n\n",
  formulas: "$a$ ",
  "formulas without an end": "$a ",
  "blocks of code": "```js\nlet a\n```\n",
};

await using server = await startServer();
const send = async (path: string, body: unknown, authorization = "") => {
  const init = { method: "POST", headers: { authorization }, body: JSON.stringify(body) };
  const response = await fetch(server.address + path, init);
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as { data: { token: string } };
};
const token = await signIn(server.address, server.adminPassword);
const browser = await openBrowser();

/** Looks at each frame whether there is a block, and whether there is the last one. */
const watch = () => {
  const told: { first?: number; last?: number } = {};
  Object.assign(window, { told });
  const look = () => {
    const last = document.querySelector("article .markdown")?.lastElementChild;
    if (last) told.first ??= performance.now();
    if (last?.textContent === "LAST") told.last = performance.now();
    else requestAnimationFrame(look);
  };
  look();
};

let ordinary = Number.NaN;
for (const [name, piece] of Object.entries(texts).filter(([name]) => name === "ordinary" || name.includes(wanted))) {
  const slug = name.replaceAll(" ", "-");
  const content = `${piece.repeat(Math.floor((RICH_TEXT_CHARACTERS - 10) / piece.length))}\n\nLAST`;
  await send("/api/paste", { content, slug }, `Bearer ${token}`);
  await using visit = await browser.newPage({ address: server.address });
  const { page, context } = visit;
  await context.addInitScript(watch);
  const owner = context.browser();
  await owner?.startTracing(page, traced);
  await page.goto(`/paste/${slug}`, { waitUntil: "commit" });
  await page.waitForFunction(() => (window as unknown as { told: { last?: number } }).told.last, undefined, {
    timeout: 120_000,
  });
  const { first = Number.NaN, last = Number.NaN } = await page.evaluate(
    () => (window as unknown as { told: { first?: number; last?: number } }).told,
  );
  const tasks = owner ? tasksOf(await owner.stopTracing()) : [];
  const [longest = Number.NaN] = tasks;
  if (name === "ordinary") ordinary = longest;
  say(`${name}: first block ${first.toFixed(0)}, all ${last.toFixed(0)}`);
  say(`  longest tasks: ${tasks.slice(0, 5).join(" ")}, ratio ${(longest / ordinary).toFixed(1)}`);
}
await closeBrowser();
