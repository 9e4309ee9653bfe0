import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { signIn } from "../support/clients/sign-in.ts";
import { photo } from "../support/files/picture.ts";
import { root } from "../support/sources.ts";
import { curl, median } from "./curl.ts";
import { type Measured, startMeasured } from "./measured.ts";

/**
 * `bun test/bench/thumbs.ts`: thumbnails that fifty ask for at once, and what it costs a list to tell of its pictures. Read the figures;
 * nothing here fails.
 */
const AT_ONCE = 50;
const MANY = 10_000;
const ROUNDS = 9;
/** Lists between two looks at the processor's time, which the kernel tells in hundredths of a second. */
const REPEATS = 20;
const say = (line: string) => process.stdout.write(`${line}\n`);
const folder = await mkdtemp(join(tmpdir(), "satchel-bench-"));

const signedIn = async ({ address, password }: Measured) => `Bearer ${await signIn(address, password)}`;

/** Bytes that the processes which decode hold at the moment. */
async function decoders(): Promise<number> {
  const lines = (await Bun.$`ps -eo rss=,args=`.text()).split("\n").filter((line) => line.includes("make-thumbnails"));
  return lines.reduce((sum, line) => sum + Number.parseInt(line, 10) * 1024, 0);
}

async function thumbnails(server: Measured, who: string, drive: string): Promise<void> {
  const picture = await photo(4000, 3000);
  const address = (index: number) => `${server.address}/api/fs/thumb?path=/drive/photos/${index}.jpg`;
  // Bytes behind the end of a JPEG change its hash and nothing else.
  for (let index = 0; index < AT_ONCE; index++)
    await Bun.write(join(drive, `photos/${index}.jpg`), Buffer.concat([picture, Buffer.from(String(index))]));
  let [ours, theirs] = [0, 0];
  const watch = setInterval(async () => {
    ours = Math.max(ours, server.residentBytes());
    theirs = Math.max(theirs, await decoders());
  }, 50);
  const began = performance.now();
  await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => curl("-H", `Authorization: ${who}`, address(index))));
  const seconds = (performance.now() - began) / 1000;
  clearInterval(watch);
  say(`${AT_ONCE} photographs of 12 megapixels at once: ${(AT_ONCE / seconds).toFixed(1)} a second`);
  say(`  memory at most: server ${(ours / 1e6).toFixed(0)} MB, decoders together ${(theirs / 1e6).toFixed(0)} MB`);
}

/** Two folders of pictures, and the facts of all in one of them as a server has kept them. */
async function fill(server: Measured, who: string, data: string): Promise<void> {
  const picture = await photo(40, 30);
  for (const name of ["plain", "known"])
    for (let index = 0; index < MANY; index++)
      await Bun.write(join(data, `objects/drive/${name}/${index}.jpg`), picture);
  const storages = await fetch(`${server.address}/api/s3-configs`, { headers: { authorization: who } });
  const [storage] = ((await storages.json()) as { data: { id: string }[] }).data;
  const list = await fetch(`${server.address}/api/fs/list?path=/drive/known`, { headers: { authorization: who } });
  const { items } = ((await list.json()) as { data: { items: { name: string; etag: string }[] } }).data;
  const hash = "1QcSHQRnh493V4dIh4eXh1h4kJUI";
  const lines = items.map(({ name, etag }) => JSON.stringify([storage?.id, etag, `known/${name}`, 40, 30, hash]));
  await Bun.write(join(data, "thumbs/known.jsonl"), `${lines.join("\n")}\n`);
}

async function lists(server: Measured, who: string): Promise<void> {
  const list = (name: string) =>
    curl("-H", `Authorization: ${who}`, `${server.address}/api/fs/list?path=/drive/${name}`);
  const times = { plain: [] as number[], known: [] as number[] };
  const names = ["plain", "known"] as const;
  for (const name of names) await list(name);
  const answer = await fetch(`${server.address}/api/fs/list?path=/drive/known`, { headers: { authorization: who } });
  const told = (await answer.text()).split('"picture"').length - 1;
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of names) {
      const before = server.processorSeconds();
      for (let time = 0; time < REPEATS; time++) await list(name);
      times[name].push((server.processorSeconds() - before) / REPEATS);
    }
  }
  const [plain, known] = [median(times.plain), median(times.known)];
  say(`list of ${MANY} pictures: ${(plain * 1000).toFixed(0)} ms, ${(known * 1000).toFixed(0)} ms with ${told} known`);
  say(`  ratio ${(known / plain).toFixed(2)} (to reach: 1.1)`);
}

const start = (data: string) => startMeasured([process.execPath, join(root, "src/main.ts")], data);

try {
  const data = join(folder, "data");
  {
    await using server = await start(data);
    const who = await signedIn(server);
    await thumbnails(server, who, join(data, "objects", "drive"));
    await fill(server, who, data);
  }
  await using server = await start(data);
  await lists(server, await signedIn(server));
} finally {
  await rm(folder, { recursive: true, force: true });
}
