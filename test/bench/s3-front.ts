import { mkdirSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSigner, encodeKey } from "../../src/lib/signatures/sigv4.ts";
import { root } from "../support/sources.ts";
import { s3Server } from "../support/stores/ceph/gateway.ts";
import { download, median, upload } from "./curl.ts";
import { tell } from "./figures.ts";
import { type Measured, startMeasured } from "./measured.ts";
import { createPresign, type Presign } from "./presign.ts";

/**
 * `bun test/bench/s3-front.ts [memory] [gigabyte] [small] [list]`: our S3 front against what the runtime alone does with the same
 * gigabyte, a long list in pages against Ceph's gateway, small objects, and the memory of ten uploads at once. Read the ratios;
 * nothing here fails.
 */
const GB = 1024 ** 3;
const ROUNDS = 5;
const KEYS = 100_000;
const SMALL = 2000;
const say = (line: string) => process.stdout.write(`${line}\n`);
const folder = await mkdtemp(join(tmpdir(), "satchel-bench-"));
const [data, bareFolder] = [join(folder, "data"), join(folder, "bare")];
for (const path of [data, bareFolder]) mkdirSync(path);
const signer = createSigner();

async function gigabyte(presign: Presign, source: string): Promise<void> {
  const command = [process.execPath, join(root, "test/bench/bare-files.ts"), bareFolder];
  await using bare = await startMeasured(command, bareFolder);
  const [up, down]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    const theirs = `${bare.address}/one-${round}`;
    // What one has left for the disk to write must not slow the other down.
    await Bun.$`sync`;
    const bareUp = await upload(theirs, source);
    await Bun.$`sync`;
    const ownUp = await upload(presign("PUT", `/one-${round}`), source);
    up.push(bareUp / ownUp);
    down.push((await download(theirs)) / (await download(presign("GET", `/one-${round}`))));
    say(`  1 GB up: bare ${bareUp.toFixed(2)} s, with its MD5 ${ownUp.toFixed(2)} s`);
    await fetch(presign("DELETE", `/one-${round}`), { method: "DELETE" });
    await rm(join(bareFolder, `one-${round}`));
  }
  const rate = { yardstick: "Bun.serve with Bun.write and Bun.file", unit: "× rate" } as const;
  tell({ work: "S3 PUT of 1 GB with its MD5", ...rate, value: median(up), goal: 0.6 });
  tell({ work: "S3 GET of 1 GB", ...rate, value: median(down), goal: 0.85 });
}

/** Reads a list of all keys of a prefix in pages; answers milliseconds of each page. */
async function listAll(presign: (query: Record<string, string>) => string): Promise<number[]> {
  const times: number[] = [];
  let [found, token] = [0, ""];
  do {
    const query = { "list-type": "2", prefix: "many/", ...(token !== "" && { "continuation-token": token }) };
    const began = performance.now();
    const text = await (await fetch(presign(query))).text();
    times.push(performance.now() - began);
    found += text.match(/<Contents>/g)?.length ?? 0;
    token = /<NextContinuationToken>([^<]+)/.exec(text)?.[1] ?? "";
  } while (token !== "");
  if (found !== KEYS) throw new Error(`${found} keys were listed, not ${KEYS}`);
  return times;
}

const sumOf = (times: readonly number[]): number => times.reduce((all, one) => all + one, 0);

/** Puts as many empty objects into a bucket of its own on Ceph's gateway, and answers what signs lists of it. */
async function fillGateway(): Promise<(query: Record<string, string>) => string> {
  const { endpoint, accessKey, secret } = await s3Server();
  const bucket = `bench-${Bun.randomUUIDv7()}`;
  const sign = (method: string, path: string, query: Record<string, string> = {}) =>
    signer.presign(method, `${endpoint}/${bucket}${path}`, {
      ...{ credentials: { accessKey, secret }, region: "us-east-1", now: Date.now(), expires: 3600 },
      query,
    });
  const put = async (path: string) => {
    const { ok } = await fetch(sign("PUT", path), { method: "PUT" });
    if (!ok) throw new Error(`Ceph's gateway did not take ${path}`);
  };
  await put("");
  let next = 0;
  const some = async () => {
    while (next < KEYS) await put(`/many/${encodeKey(`key ${next++}`)}`);
  };
  await Promise.all(Array.from({ length: 16 }, some));
  return (query) => sign("GET", "", query);
}

async function longList(presign: Presign, drive: string): Promise<void> {
  const many = join(drive, "many");
  mkdirSync(many, { recursive: true });
  for (let index = 0; index < KEYS; index++) writeFileSync(join(many, `key ${index}`), "");
  const theirs = await fillGateway();
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const other = await listAll(theirs);
    const own = await listAll((query) => presign("GET", "", query));
    ratios.push(sumOf(other) / sumOf(own));
    const page = `a page ${median(own).toFixed(1)} ms, the longest ${Math.max(...own).toFixed(0)} ms, the last ten ${median(own.slice(-10)).toFixed(1)} ms each`;
    say(
      `  ${KEYS} keys in ${own.length} pages: ${(sumOf(own) / 1000).toFixed(2)} s, Ceph's gateway ${(sumOf(other) / 1000).toFixed(2)} s; ${page}`,
    );
  }
  const yardstick = "Ceph's gateway, which keeps all names in memory";
  tell({ work: `S3 list of ${KEYS} keys`, yardstick, value: median(ratios), unit: "× rate", goal: 1 });
}

async function smallObjects(presign: Presign): Promise<void> {
  const body = "x".repeat(2048);
  for (const method of ["PUT", "GET", "HEAD", "DELETE"]) {
    const urls = Array.from({ length: SMALL }, (_, index) => presign(method, `/small/${index}`));
    const began = performance.now();
    const one = async () => {
      for (let url = urls.pop(); url; url = urls.pop())
        await (await fetch(url, { method, ...(method === "PUT" && { body }) })).arrayBuffer();
    };
    await Promise.all(Array.from({ length: 8 }, one));
    say(
      `${method} of ${SMALL} objects of 2 KB, 8 at once: ${((SMALL * 1000) / (performance.now() - began)).toFixed(0)} a second`,
    );
  }
}

/** The most memory while a task runs. */
async function peakDuring({ residentBytes }: Measured, task: () => Promise<unknown>): Promise<string> {
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, residentBytes());
  }, 20);
  await task();
  clearInterval(timer);
  return `${(most / 1e6).toFixed(0)} MB`;
}

async function memory(presign: Presign, ours: Measured, source: string): Promise<void> {
  const part = join(folder, "part.bin");
  await Bun.$`head -c ${GB / 8} ${source} > ${part}`;
  const ten = (work: (index: number) => Promise<unknown>) =>
    Promise.all(Array.from({ length: 10 }, (_, index) => work(index)));
  say(`idle: ${(ours.residentBytes() / 1e6).toFixed(0)} MB`);
  const up = await peakDuring(ours, () => ten((index) => upload(presign("PUT", `/ten-${index}`), part)));
  const down = await peakDuring(ours, () => ten((index) => download(presign("GET", `/ten-${index}`))));
  say(`ten of 128 MB at once: up ${up}, down ${down} (to reach: 150 MB)`);
}

try {
  await using ours = await startMeasured([process.execPath, join(root, "src/main.ts")], data);
  const presign = await createPresign(ours);
  const source = join(folder, "source.bin");
  await Bun.$`head -c ${GB} /dev/urandom > ${source}`;
  const parts = {
    memory: () => memory(presign, ours, source),
    gigabyte: () => gigabyte(presign, source),
    small: () => smallObjects(presign),
    list: () => longList(presign, join(data, "objects/drive")),
  };
  const wanted = process.argv.slice(2);
  for (const [name, measure] of Object.entries(parts))
    if (wanted.length === 0 || wanted.includes(name)) await measure();
} finally {
  await rm(folder, { recursive: true, force: true });
}
