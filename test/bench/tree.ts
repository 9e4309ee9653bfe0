import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../support/sources.ts";
import { median } from "./curl.ts";
import { tell } from "./figures.ts";
import { type Measured, startMeasured } from "./measured.ts";

/**
 * `bun test/bench/tree.ts`: a folder of 10,000 files through the tree's calls against what the runtime alone does with it. Read
 * the ratios; nothing here fails.
 */
const FILES = 10_000;
const AT_ONCE = 20;
const ROUNDS = 31;
/** Rounds that do not count: until then both servers compile what they run often. */
const WARM_UP = 15;
const FOLDERS = 5;
/** Seconds of the processor in one second of a server that rests. */
const RESTING = 0.05;
const say = (line: string) => process.stdout.write(`${line}\n`);
const folder = await mkdtemp(join(tmpdir(), "satchel-bench-"));

/** Seconds, and the answer. */
async function timed(url: string, init: RequestInit = {}): Promise<{ seconds: number; text: string }> {
  const began = performance.now();
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return { seconds: (performance.now() - began) / 1000, text };
}

async function signedIn({ address, password }: Measured): Promise<RequestInit> {
  const body = JSON.stringify({ username: "admin", password });
  const { text } = await timed(`${address}/api/admin/login`, { method: "POST", body });
  const { token } = (JSON.parse(text) as { data: { token: string } }).data;
  // The runtime alone compresses nothing.
  return { headers: { authorization: `Bearer ${token}`, "accept-encoding": "identity" } };
}

async function fill({ address }: Measured, who: RequestInit, path: string): Promise<void> {
  for (let from = 0; from < FILES; from += AT_ONCE) {
    const some = Array.from({ length: AT_ONCE }, (_, index) => from + index);
    await Promise.all(
      some.map((index) => {
        const body = JSON.stringify({ path: `${path}/photo ${String(index).padStart(5, "0")}.jpg`, content: "x" });
        return timed(`${address}/api/fs/update`, { ...who, method: "POST", body });
      }),
    );
  }
}

/** Returns when the index has done with the files that were just written, which is no part of a listing. */
async function rest(server: Measured): Promise<void> {
  for (let before = Number.NEGATIVE_INFINITY; server.processorSeconds() - before > RESTING; ) {
    before = server.processorSeconds();
    await Bun.sleep(1000);
  }
}

async function lists(server: Measured, bare: Measured, who: RequestInit): Promise<void> {
  const anew: number[] = [];
  const kept: number[] = [];
  const pages: number[] = [];
  const list = `${server.address}/api/fs/list?path=/drive/many`;
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const { seconds: theirs } = await timed(bare.address);
    const ours: number[] = [];
    for (const url of [`${list}&refresh=1`, list, `${list}&refresh=1&limit=200`])
      ours.push((await timed(url, who)).seconds / theirs);
    if (round < 0) continue;
    for (const [at, ratios] of [anew, kept, pages].entries()) ratios.push(ours[at] ?? Number.NaN);
  }
  const yardstick = "readdir, stat of each and JSON, neither compressed";
  tell({
    work: `List of ${FILES} files, asked anew`,
    yardstick,
    value: median(anew),
    unit: "× time",
    goal: 1.2,
  });
  say(`  ${median(kept).toFixed(2)} while it is kept, ${median(pages).toFixed(2)} for the first 200`);
}

async function changes({ address }: Measured, who: RequestInit): Promise<void> {
  const renames: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const [from, to] = round % 2 === 0 ? ["many", "more"] : ["more", "many"];
    const body = JSON.stringify({ oldPath: `/drive/${from}/`, newPath: `/drive/${to}/` });
    renames.push((await timed(`${address}/api/fs/rename`, { ...who, method: "POST", body })).seconds);
  }
  const renamed = { work: `Rename of a folder of ${FILES} files`, yardstick: "with the names of the index" };
  tell({ ...renamed, value: median(renames) * 1000, unit: "ms", goal: 150 });
  const removals: number[] = [];
  for (let round = 0; round < FOLDERS; round++) {
    const path = `/drive/gone ${round}`;
    await fill({ address } as Measured, who, path);
    const body = JSON.stringify({ paths: [path] });
    removals.push((await timed(`${address}/api/fs/batch-remove`, { ...who, method: "DELETE", body })).seconds);
  }
  say(`removal of a folder of ${FILES}: ${(median(removals) * 1000).toFixed(0)} ms`);
}

try {
  await using server = await startMeasured([process.execPath, join(root, "src/main.ts")], join(folder, "data"));
  const who = await signedIn(server);
  await fill(server, who, "/drive/many");
  const drive = join(folder, "data/objects/drive/many");
  await using bare = await startMeasured([process.execPath, join(root, "test/bench/bare-list.ts"), drive], drive);
  await rest(server);
  await lists(server, bare, who);
  await changes(server, who);
} finally {
  await rm(folder, { recursive: true, force: true });
}
