import { readFileSync } from "node:fs";
import { attack, report } from "../support/hostile/attack.ts";
import { startCanary } from "../support/hostile/canary.ts";
import { startServer } from "../support/server.ts";
import { root } from "../support/sources.ts";

/**
 * `bun test/bench/hostile.ts [COUNT]`: what a well-behaved client waits while hostile requests come, against what it waits
 * without them, and what the server holds in memory before and after. Read the ratios; nothing here fails.
 */
const seed = 12;
const count = Number(process.argv[2] ?? 20_000);
const passwords = ["correct horse battery", "another horse battery"] as const;
const PAGE = 4096;
/** How long a quiet server is asked, and how long one is left alone before its memory is read again, in milliseconds. */
const QUIET = 5000;

const say = (line: string) => process.stdout.write(`${line}\n`);

const shares = [0.5, 0.9, 0.99, 0.999, 1] as const;

const waits = (took: readonly number[]): number[] => {
  const sorted = took.toSorted((one, other) => one - other);
  return shares.map((share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN);
};

const environment = { TRUSTED_PROXIES: "127.0.0.1" };
await using server = await startServer({ adminPassword: passwords[0], environment });
const residentMegabytes = () =>
  (Number(readFileSync(`/proc/${server.pid}/statm`, "utf8").split(" ")[1]) * PAGE) / 1_000_000;

const quiet = startCanary(server.address);
await Bun.sleep(QUIET);
const alone = waits((await quiet.stop()).took);
say(`memory before: ${residentMegabytes().toFixed(0)} MB`);

const began = performance.now();
const canary = startCanary(server.address);
const memory: number[] = [];
const faults = await attack({
  ...{ address: server.address, passwords, seed, from: 0, count },
  secrets: { folders: [server.dataDir, root] },
  between: () => memory.push(residentMegabytes()),
});
const seconds = (performance.now() - began) / 1000;
const { asked, answered, took } = await canary.stop();
const among = waits(took);
say(`${count} hostile requests in ${seconds.toFixed(1)} s; ${faults.length} met a fault`);
say(`memory at the most: ${Math.max(...memory).toFixed(0)} MB, after: ${residentMegabytes().toFixed(0)} MB`);
await Bun.sleep(QUIET);
say(`memory when it was left alone: ${residentMegabytes().toFixed(0)} MB`);
say(`GET /api/health beside them: ${answered} of ${asked} answered`);
for (const [index, share] of shares.entries()) {
  const [one = Number.NaN, other = Number.NaN] = [alone[index], among[index]];
  const name = share === 1 ? "the longest" : `${share * 100} % within`;
  say(`  ${name}: ${other.toFixed(1)} ms, alone ${one.toFixed(1)} ms, ratio ${(other / one).toFixed(1)}`);
}
if (faults.length > 0) say(report(seed, faults));
