import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../support/sources.ts";
import { curl, median } from "./curl.ts";
import { tell } from "./figures.ts";
import { type Measured, startMeasured } from "./measured.ts";

/**
 * `bun test/bench/zip.ts`: a folder as an archive against plain downloads of the same bytes, through a real server. Read the
 * ratios; nothing here fails.
 */
const MiB = 1024 ** 2;
const ROUNDS = 5;
const MANY = 10_000;
const say = (line: string) => process.stdout.write(`${line}\n`);
const folder = await mkdtemp(join(tmpdir(), "satchel-bench-"));

async function signedIn({ address, password }: Measured): Promise<string> {
  const body = JSON.stringify({ username: "admin", password });
  const response = await fetch(`${address}/api/admin/login`, { method: "POST", body });
  return `Authorization: Bearer ${((await response.json()) as { data: { token: string } }).data.token}`;
}

/** Seconds for the archive of a folder, and what the server holds meanwhile. */
async function archive(server: Measured, who: string, path: string): Promise<{ seconds: number; peak: number }> {
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, server.residentBytes());
  }, 20);
  const seconds = await curl("-H", who, `${server.address}/api/fs/zip?path=${path}`);
  clearInterval(watch);
  return { seconds, peak };
}

async function large(server: Measured, who: string, drive: string): Promise<void> {
  await Bun.$`mkdir -p ${drive}/large`;
  for (const name of ["a", "b"]) await Bun.$`head -c ${512 * MiB} /dev/urandom > ${drive}/large/${name}.bin`;
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    let plain = 0;
    for (const name of ["a", "b"])
      plain += await curl("-H", who, `${server.address}/api/fs/download?path=/drive/large/${name}.bin`);
    const { seconds, peak } = await archive(server, who, "/drive/large");
    ratios.push(plain / seconds);
    say(
      `  1 GB as an archive ${seconds.toFixed(2)} s, plain ${plain.toFixed(2)} s; ${(peak / 1e6).toFixed(0)} MB at most`,
    );
  }
  const yardstick = "downloads of the same files";
  tell({ work: "Archive of 1 GB", yardstick, value: median(ratios), unit: "× rate", goal: 0.5 });
}

async function small(server: Measured, who: string, drive: string): Promise<void> {
  await Bun.$`mkdir -p ${drive}/small`;
  const content = "x".repeat(2048);
  for (let index = 0; index < MANY; index++) await Bun.write(join(drive, `small/${index}.txt`), content);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push((await archive(server, who, "/drive/small")).seconds);
  say(`archive of ${MANY} files of 2 KB: ${((median(times) / MANY) * 1e6).toFixed(0)} us for each`);
}

try {
  const data = join(folder, "data");
  await using server = await startMeasured([process.execPath, join(root, "src/main.ts")], data);
  const who = await signedIn(server);
  const drive = join(data, "objects", "drive");
  await large(server, who, drive);
  await small(server, who, drive);
} finally {
  await rm(folder, { recursive: true, force: true });
}
