import { afterAll, expect, test } from "bun:test";
import { CLIENTS, examineLoad, newLoad, underLoad } from "../support/cluster/node-load.ts";
import { startNodes } from "../support/cluster/nodes.ts";
import { until } from "../support/until.ts";

/** Three servers on one PostgreSQL and one bucket of a real S3 server, one of which is killed every few seconds. */

/** How long, in seconds; 120 is the proof, less is for every change. */
const SECONDS = Number(process.env.TEST_LOAD_SECONDS ?? 30);
/** Seconds from one kill to the next. */
const KILL_EVERY = 5;
/** For the start of the servers before and the examination after it. */
const BESIDES = 240;

const nodes = await startNodes(3);
afterAll(() => nodes[Symbol.asyncDispose]());

test(
  `${SECONDS} seconds of mixed load while servers are killed: nothing acknowledged is lost, nothing is done twice, every job ends`,
  async () => {
    const load = newLoad();
    const began = performance.now();
    const passed = () => (performance.now() - began) / 1000;
    let [kills, killed] = [0, 0];
    await underLoad(nodes, load, async () => {
      while (passed() < SECONDS) {
        const before = load.files.size;
        await until(passed, (seconds) => seconds >= killed + KILL_EVERY && load.files.size > before);
        const index = kills % 3;
        await nodes.nodes[index]?.kill();
        [kills, killed] = [kills + 1, passed()];
        await nodes.restart(index);
      }
    });
    await examineLoad(nodes, load);
    expect(load.jobs.size).toBeGreaterThan(0);
    // Nobody is told so but those whose request the server had got when it was killed.
    expect(load.answers.get(502) ?? 0).toBeLessThanOrEqual(CLIENTS.length * kills);
    process.stdout.write(
      `${kills} kills; acknowledged: ${load.texts.size} texts, ${load.files.size} files, ${load.left.size} moved, ${load.jobs.size} jobs; answers: ${JSON.stringify([...load.answers])}\n`,
    );
  },
  (SECONDS + BESIDES) * 1000,
);
