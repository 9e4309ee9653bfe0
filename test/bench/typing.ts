import type { Page } from "playwright-core";
import { RICH_TEXT_CHARACTERS } from "#contract/limits";
import { closeBrowser, openBrowser, type Visit } from "../support/browser/chromium.ts";
import { startServer } from "../support/server.ts";

/**
 * `bun test/bench/typing.ts [keys]`: milliseconds from a key to its letter on the screen while a text of 200 kB in Markdown is
 * written, in each view of the editor, at its beginning, in its middle and at its end, and what processor the page's thread took for a
 * key, the rendering after it included; a short text tells what a key costs at all. Nothing here fails.
 */
const keys = Number(process.argv[2] ?? 24);
const say = (line: string) => process.stdout.write(`${line}\n`);

const section = (at: number) => `## Section ${at}

Some **bold** words, *slanted* ones, \`code\`, ==marked== ones and a [link](https://example.com/${at}) in a paragraph that is as
long as paragraphs are, with a note[^n] and an address https://example.org/${at} in it.

- one item
  - one within it
- [ ] a task

> somebody said so

| A | B |
| --- | --- |
| ${at} | 2 |

\`\`\`js
const answer = ${at}; // a comment
\`\`\`

`;
const prose = (characters: number) => {
  let text = "# Title\n\n";
  for (let at = 0; text.length < characters - 600; at += 1) text += section(at);
  return `${text}[^n]: The note.\n\nend`;
};
const plain = (characters: number) => `${"one line of a paragraph that never ends\n".repeat(characters / 41)}end`;
const texts = {
  short: prose(2000),
  "200 kB": prose(RICH_TEXT_CHARACTERS - 100),
  "200 kB in one paragraph": plain(RICH_TEXT_CHARACTERS - 100),
} as const;
const views = ["Write", "Live", "Split"] as const;
const places = ["beginning", "middle", "end"] as const;

await using server = await startServer();
const browser = await openBrowser();

/** Takes the time of each key from its event until the frame after it has been drawn. */
const watch = () => {
  const told: number[] = [];
  Object.assign(window, { told });
  const drawn = new MessageChannel();
  const begun: number[] = [];
  drawn.port1.onmessage = () => told.push(...begun.splice(0).map((time) => performance.now() - time));
  document.addEventListener(
    "keydown",
    ({ timeStamp }) => requestAnimationFrame(() => drawn.port2.postMessage(begun.push(timeStamp))),
    { capture: true },
  );
};
const told = (page: Page) => page.evaluate(() => (window as unknown as { told: number[] }).told.splice(0));

interface Typed {
  /** From the fastest to the slowest. */
  readonly times: readonly number[];
  readonly processor: number;
}

/** Types letters at a place, one after the other once the last is there to see. */
async function type({ page, context }: Visit, place: (typeof places)[number]): Promise<Typed> {
  await page.locator(".cm-content").focus();
  await page.keyboard.press(place === "beginning" ? "ControlOrMeta+Home" : "ControlOrMeta+End");
  if (place === "middle") {
    const { height = 0 } = (await page.locator(".cm-scroller").boundingBox()) ?? {};
    await page.locator(".cm-scroller").evaluate((scroller) => {
      scroller.scrollTop = scroller.scrollHeight / 2;
    });
    await page.locator(".cm-scroller").click({ position: { x: 200, y: height / 2 } });
  }
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.waitForTimeout(1000);
  await told(page);
  const times: number[] = [];
  const devtools = await context.newCDPSession(page);
  const spent = async () => {
    const { metrics } = await devtools.send("Performance.getMetrics");
    return 1000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN);
  };
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  const before = await spent();
  for (let key = 0; key < keys; key += 1) {
    await page.keyboard.press(key % 6 === 5 ? "Space" : ("abcdefg"[key % 7] ?? "a"));
    await page.waitForFunction(() => (window as unknown as { told: number[] }).told.length > 0);
    times.push(...(await told(page)));
  }
  // The preview is rendered once the text has rested.
  await page.waitForTimeout(1000);
  return { times: times.sort((a, b) => a - b), processor: ((await spent()) - before) / keys };
}

const median = (sorted: readonly number[]) => sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
const medians = new Map<string, number>();
for (const [name, content] of Object.entries(texts))
  for (const view of views) {
    await using visit = await browser.newPage({ address: server.address });
    const { page, context } = visit;
    await context.addInitScript(watch);
    await page.goto("/");
    await page.locator(".cm-content").waitFor();
    await page.getByRole("button", { name: view, exact: true }).click();
    await page
      .getByLabel("Import file")
      .setInputFiles({ name: "text.md", mimeType: "text/markdown", buffer: Buffer.from(content) });
    await page.locator(".cm-line").nth(3).waitFor();
    for (const place of places) {
      const { times, processor } = await type(visit, place);
      medians.set(`${name} ${view} ${place}`, median(times));
      say(
        `${name}, ${view}, ${place}: median ${median(times).toFixed(0)}, slowest ${(times.at(-1) ?? 0).toFixed(0)}, processor ${processor.toFixed(0)} a key`,
      );
    }
  }
for (const name of Object.keys(texts))
  for (const place of places) {
    const ratio = (medians.get(`${name} Live ${place}`) ?? 0) / (medians.get(`${name} Split ${place}`) ?? 0);
    say(`${name}, ${place}: live to split ${ratio.toFixed(2)}`);
  }
await closeBrowser();
