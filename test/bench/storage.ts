import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../support/sources.ts";
import { openS3Store } from "../support/stores/s3-store.ts";
import { curl, download, median, upload } from "./curl.ts";
import { type Measured, startMeasured } from "./measured.ts";

/**
 * `bun test/bench/storage.ts`: half a gigabyte through the S3 store to a real storage and back, against a signed address and
 * fetch by hand. Needs what the storage tests need. Read the ratios; nothing here fails.
 */
const MiB = 1024 ** 2;
const ROUNDS = 5;
const AT_ONCE = 10;
const say = (line: string) => process.stdout.write(`${line}\n`);
const folder = await mkdtemp(join(tmpdir(), "satchel-bench-"));

async function peak(server: Measured, work: () => Promise<unknown>): Promise<string> {
  const before = server.residentBytes();
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, server.residentBytes());
  }, 20);
  await work();
  clearInterval(watch);
  return `${(most / 1e6).toFixed(0)} MB at most, ${(before / 1e6).toFixed(0)} MB before`;
}

const each = (work: (index: number) => Promise<unknown>) =>
  Promise.all(Array.from({ length: AT_ONCE }, (_, index) => work(index)));

async function compare(store: Measured, hand: Measured, source: string): Promise<void> {
  const [up, down]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    const [theirUp, myUp] = [await upload(`${hand.address}/one`, source), await upload(`${store.address}/one`, source)];
    const [theirDown, myDown] = [await download(`${hand.address}/one`), await download(`${store.address}/one`)];
    up.push(theirUp / myUp);
    down.push(theirDown / myDown);
    const figures = [myUp, theirUp, myDown, theirDown].map((seconds) => seconds.toFixed(2));
    say(`  512 MB up ${figures[0]} s, by hand ${figures[1]} s; down ${figures[2]} s, by hand ${figures[3]} s`);
  }
  say(`512 MB up: ${median(up).toFixed(2)} of the rate by hand (to reach: 0.90)`);
  say(`512 MB down: ${median(down).toFixed(2)} of the rate by hand (to reach: 0.90)`);
}

async function small(store: Measured, hand: Measured): Promise<void> {
  const source = join(folder, "small.bin");
  await Bun.write(source, "x".repeat(2048));
  await upload(`${store.address}/small`, source);
  const [mine, theirs]: [number[], number[]] = [[], []];
  for (let round = 0; round < 50; round++) {
    theirs.push(await download(`${hand.address}/small`));
    mine.push(await download(`${store.address}/small`));
  }
  say(`2 KB down: ${(median(mine) * 1000).toFixed(1)} ms, by hand ${(median(theirs) * 1000).toFixed(1)} ms`);
}

/** What a new server holds at most while ten do the same at once. */
async function memory(start: () => Promise<Measured>, source: string): Promise<void> {
  const part = join(folder, "part.bin");
  await Bun.$`head -c ${128 * MiB} ${source} > ${part}`.quiet();
  const few = join(folder, "few.bin");
  await Bun.$`head -c ${4 * MiB} ${source} > ${few}`.quiet();
  const unframed = ["-T", part, "-H", "Transfer-Encoding: chunked", "-H", "Expect:"];
  const works: [string, (address: string, index: number) => Promise<unknown>][] = [
    ["uploads of 128 MB", (address, index) => upload(`${address}/up-${index}`, part)],
    ["downloads of 128 MB", (address, index) => download(`${address}/up-${index}`)],
    ["uploads of 128 MB of unknown length", (address, index) => curl(...unframed, `${address}/unframed-${index}`)],
    ["uploads of 4 MB", (address, index) => upload(`${address}/few-${index}`, few)],
    ["downloads of 4 MB", (address, index) => download(`${address}/few-${index}`)],
  ];
  for (const [name, work] of works) {
    await using store = await start();
    const held = await peak(store, async () => {
      for (let round = 0; round < 3; round++) await each((index) => work(store.address, index));
    });
    say(`memory with 10 ${name} at once, three times: ${held} (to reach: 150 MB)`);
  }
}

try {
  await using opened = await openS3Store();
  const { endpoint, accessKey, secret } = opened.server;
  const command = (kind: string) => [
    process.execPath,
    join(root, "test/bench/s3-gateway.ts"),
    ...[kind, endpoint, opened.bucket, accessKey, secret],
  ];
  const start = () => startMeasured(command("store"), join(folder, "store"));
  await using store = await start();
  await using hand = await startMeasured(command("hand"), join(folder, "hand"));
  const source = join(folder, "source.bin");
  await Bun.$`head -c ${512 * MiB} /dev/urandom > ${source}`.quiet();
  await compare(store, hand, source);
  await small(store, hand);
  await memory(start, source);
} finally {
  await rm(folder, { recursive: true, force: true });
}
