import { join } from "node:path";
import { root } from "../support/sources.ts";
import { median } from "./curl.ts";
import { tell } from "./figures.ts";
import { inFolder } from "./in-folder.ts";
import { startMeasured } from "./measured.ts";

/** `bun test/bench/start.ts`: from the start of the executable to its first answer, and what it holds when nobody asks for anything. */
const ROUNDS = 9;
/** Milliseconds without a request before the memory is read. */
const IDLE = 5000;
const satchel = join(root, "dist/satchel");

async function firstAnswer(data: string): Promise<number> {
  const began = performance.now();
  await using server = await startMeasured([satchel], data);
  await fetch(`${server.address}/api/health`);
  return performance.now() - began;
}

async function start(folder: string): Promise<void> {
  const [empty, kept]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    empty.push(await firstAnswer(join(folder, `empty-${round}`)));
    kept.push(await firstAnswer(join(folder, "empty-0")));
  }
  const least = (times: readonly number[]) => `the median of ${ROUNDS}, the least ${Math.min(...times).toFixed(0)} ms`;
  tell({
    work: "First answer on an empty folder",
    yardstick: least(empty),
    value: median(empty),
    unit: "ms",
    goal: 60,
  });
  tell({
    work: "First answer on an existing folder",
    yardstick: least(kept),
    value: median(kept),
    unit: "ms",
    goal: 30,
  });
  await using server = await startMeasured([satchel], join(folder, "idle"));
  await Bun.sleep(IDLE);
  const value = server.residentBytes() / 1e6;
  tell({
    work: "Memory of an idle server",
    yardstick: `resident; ${(server.ownBytes() / 1e6).toFixed(0)} MB of it are no pages of files, the rest is the executable`,
    value,
    unit: "MB",
    goal: 60,
  });
}

await inFolder(start);
