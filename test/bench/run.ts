import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../support/sources.ts";
import { median } from "./curl.ts";
import { type Measured, startMeasured } from "./measured.ts";
import { onPostgres } from "./postgres.ts";
import { compare, rate } from "./rates.ts";
import { scriptOfFileShare, scriptOfTextShare, timeOfText } from "./script.ts";
import { transfers } from "./transfers.ts";

/**
 * `bun run bench`: how far the executable is from what its foundation can do. Both sides run in turn on the same machine;
 * read the ratios. Nothing here fails.
 */
const rounds = 3;
const satchel = join(root, "dist/satchel");
const folder = await mkdtemp(join(tmpdir(), "satchel-bench-"));
const say = (line: string) => process.stdout.write(`${line}\n`);

async function requests(): Promise<void> {
  await using bare = await startMeasured(
    [process.execPath, join(root, "test/bench/bare.ts"), join(folder, "bare.db")],
    folder,
  );
  await using ours = await startMeasured([satchel], join(folder, "ours"));
  await fetch(`${ours.address}/`);
  say(`idle memory: ${(ours.residentBytes() / 1e6).toFixed(0)} MB`);
  const login = await fetch(`${ours.address}/api/admin/login`, {
    method: "POST",
    body: JSON.stringify({ username: "admin", password: ours.password }),
  });
  const { token } = ((await login.json()) as { data: { token: string } }).data;
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const content = "x".repeat(2048);
  await fetch(`${ours.address}/api/paste`, {
    method: "POST",
    headers,
    body: JSON.stringify({ content, slug: "bench" }),
  });
  say(`memory after a sign-in: ${(ours.residentBytes() / 1e6).toFixed(0)} MB`);

  const raw = { url: `${ours.address}/api/raw/bench` };
  await compare(
    "GET /api/raw, 2 KB",
    () => rate(ours, raw),
    () => rate(bare, { url: `${bare.address}/raw/bench` }),
  );
  const post = { method: "POST" as const, headers, body: JSON.stringify({ content }) };
  await compare(
    "POST /api/paste, 2 KB",
    () => rate(ours, { ...post, url: `${ours.address}/api/paste` }),
    () => rate(bare, { ...post, url: `${bare.address}/paste` }),
  );
  await compareFiles(ours, { authorization: headers.authorization });
  say(`memory after the load: ${(ours.residentBytes() / 1e6).toFixed(0)} MB`);
}

/** A small file's share against the same file handed out by the runtime without asking anything. */
async function compareFiles(ours: Measured, headers: Record<string, string>): Promise<void> {
  const shelf = join(folder, "shelf");
  await Bun.write(join(shelf, "small"), "x".repeat(2048));
  await using bare = await startMeasured([process.execPath, join(root, "test/bench/bare-files.ts"), shelf], shelf);
  const body = new FormData();
  body.set("slug", "small");
  body.set("file", new File(["x".repeat(2048)], "small.bin"));
  await fetch(`${ours.address}/api/upload`, { method: "POST", headers, body });
  await compare(
    "GET /api/file-download, 2 KB",
    () => rate(ours, { url: `${ours.address}/api/file-download/small` }),
    () => rate(bare, { url: `${bare.address}/small` }),
  );
}

/** From the start of the process to the first answer, on a data folder that is there already. */
async function firstAnswer(): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < 9; round++) {
    const began = performance.now();
    await using server = await startMeasured([satchel], join(folder, "ours"));
    await fetch(`${server.address}/api/health`);
    times.push(performance.now() - began);
  }
  say(`first answer: ${median(times).toFixed(0)} ms (least ${Math.min(...times).toFixed(0)} ms)`);
}

/** What a browser transfers and waits for until a share is there to read. */
async function pages(): Promise<void> {
  const site = join(root, "dist/web");
  const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB with brotli`;
  say(`script of a text share: ${kilobytes(await scriptOfTextShare(site))}`);
  for (const kind of ["picture", "text", "any"] as const) {
    say(`script of a file share (${kind}): ${kilobytes(await scriptOfFileShare(site, kind))}`);
  }
  for (const [name, bytes] of [
    ["10 kB", 10_000],
    ["10 MB", 10_000_000],
  ] as const) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) times.push(await timeOfText(site, bytes));
    say(`a text of ${name} is there to see after ${median(times).toFixed(0)} ms`);
  }
}

try {
  await requests();
  await firstAnswer();
  await transfers({ satchel, folder, say });
  await onPostgres({ satchel: [satchel], folder, say });
  await pages();
} finally {
  await rm(folder, { recursive: true, force: true });
}
// The browser of the last measure would keep this process alive.
process.exit(0);
