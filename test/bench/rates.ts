import { join } from "node:path";
import { root } from "../support/sources.ts";
import { median } from "./curl.ts";
import { type Figure, tell } from "./figures.ts";
import type { Answered, Load } from "./load.ts";
import type { Measured } from "./measured.ts";

/** Requests per second of two servers in turn on the same machine: their ratio says what one costs more than the other. */

const rounds = 3;
const say = (line: string) => process.stdout.write(`${line}\n`);

async function load(options: Omit<Load, "connections" | "seconds">): Promise<Answered> {
  const full: Load = { ...options, connections: 32, seconds: 3 };
  const child = Bun.spawn([process.execPath, join(root, "test/bench/load.ts"), JSON.stringify(full)], {
    stdout: "pipe",
  });
  return (await new Response(child.stdout).json()) as Answered;
}

export interface Rate {
  readonly perSecond: number;
  /** Processor time per request in microseconds: less shaken by whatever else the machine does. */
  readonly processor: number;
}

export async function rate(server: Measured, options: Omit<Load, "connections" | "seconds">): Promise<Rate> {
  const before = server.processorSeconds();
  const { requests, failures, seconds } = await load(options);
  if (failures > 0) say(`  ${failures} of ${requests} requests failed`);
  const processor = ((server.processorSeconds() - before) / requests) * 1e6;
  return { perSecond: requests / seconds, processor };
}

/** Tells the rate of ours as a part of the other's. */
export async function compare(
  figure: Pick<Figure, "work" | "yardstick" | "goal">,
  ours: () => Promise<Rate>,
  bare: () => Promise<Rate>,
): Promise<void> {
  const ratios: { rate: number; processor: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const [theirs, mine] = [await bare(), await ours()];
    ratios.push({ rate: mine.perSecond / theirs.perSecond, processor: mine.processor / theirs.processor });
    say(
      `  ${mine.perSecond.toFixed(0)}/s at ${mine.processor.toFixed(1)} us, bare ${theirs.perSecond.toFixed(0)}/s at ${theirs.processor.toFixed(1)} us`,
    );
  }
  const [rateRatio, processorRatio] = [
    median(ratios.map(({ rate }) => rate)),
    median(ratios.map(({ processor }) => processor)),
  ];
  say(`  ${processorRatio.toFixed(2)} times its processor time`);
  tell({ ...figure, value: rateRatio, unit: "× rate" });
}
