import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openS3Store } from "../support/s3-store.ts";
import { root } from "../support/sources.ts";
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

async function memory(store: Measured, source: string): Promise<void> {
  const part = join(folder, "part.bin");
  await Bun.$`head -c ${128 * MiB} ${source} > ${part}`.quiet();
  const ups = await peak(store, () => each((index) => upload(`${store.address}/up-${index}`, part)));
  say(`memory with 10 uploads of 128 MB at once: ${ups} (to reach: 150 MB)`);
  const downs = await peak(store, () => each((index) => download(`${store.address}/up-${index}`)));
  say(`memory with 10 downloads of 128 MB at once: ${downs} (to reach: 150 MB)`);
  const chunked = ["-T", part, "-H", "Transfer-Encoding: chunked", "-H", "Expect:"];
  const unknown = await peak(store, () => each((index) => curl(...chunked, `${store.address}/chunked-${index}`)));
  say(`memory with 10 uploads of 128 MB of unknown length at once: ${unknown} (to reach: 150 MB)`);
  const few = join(folder, "few.bin");
  await Bun.$`head -c ${4 * MiB} ${source} > ${few}`.quiet();
  await upload(`${store.address}/few`, few);
  const buffered = await peak(store, async () => {
    for (let round = 0; round < 10; round++) await each(() => download(`${store.address}/few`));
  });
  say(`memory with 10 downloads of 4 MB at once, ten times: ${buffered} (to reach: 150 MB)`);
}

try {
  await using opened = await openS3Store();
  const { endpoint, accessKey, secret } = opened.server;
  const command = (kind: string) => [
    process.execPath,
    join(root, "test/bench/s3-gateway.ts"),
    ...[kind, endpoint, opened.bucket, accessKey, secret],
  ];
  await using store = await startMeasured(command("store"), join(folder, "store"));
  await using hand = await startMeasured(command("hand"), join(folder, "hand"));
  const source = join(folder, "source.bin");
  await Bun.$`head -c ${512 * MiB} /dev/urandom > ${source}`.quiet();
  await compare(store, hand, source);
  await small(store, hand);
  await memory(store, source);
} finally {
  await rm(folder, { recursive: true, force: true });
}
