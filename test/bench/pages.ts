import { join } from "node:path";
import { root } from "../support/sources.ts";
import { median } from "./curl.ts";
import { tell } from "./figures.ts";
import { inFolder } from "./in-folder.ts";
import { scriptOfFileShare, scriptOfTextShare, timeOfText } from "./script.ts";

/** `bun test/bench/pages.ts`: what a browser transfers and waits for until a share is there to read. */
const ROUNDS = 3;

async function pages(): Promise<void> {
  const site = join(root, "dist/web");
  const script = (work: string, bytes: number, goal?: number) =>
    tell({
      ...{ work, yardstick: "with brotli, until it can be read", value: bytes / 1000, unit: "kB" },
      ...(goal !== undefined && { goal }),
    });
  script("Script of a text share", await scriptOfTextShare(site), 100);
  for (const kind of ["picture", "text", "any"] as const)
    script(`Script of a file share (${kind})`, await scriptOfFileShare(site, kind));
  for (const [name, bytes] of [
    ["10 kB", 10_000],
    ["10 MB", 10_000_000],
  ] as const) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) times.push(await timeOfText(site, bytes));
    const yardstick = "from the request to the text on the screen, in Chromium";
    tell({ work: `A text of ${name}`, yardstick, value: median(times), unit: "ms" });
  }
}

await inFolder(pages);
