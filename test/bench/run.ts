import { mkdtemp, rm } from "node:fs/promises";
import { arch, availableParallelism, cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../support/sources.ts";
import { type Figure, GATHERED, isReached, shownGoal, shownValue } from "./figures.ts";

/**
 * bun run bench                          how far the executable is from what its foundation can do
 * bun run bench -- --against rclone,nginx,apache,radosgw,postgres,chromium
 *                                        the peers of these that are installed, on the same work
 * bun run bench -- --only requests,tree  these parts alone
 * bun run bench -- --write               writes the lines of what was measured into docs/performance.md; other lines stay
 *
 * Each part is a file beside this one, which can be run by itself. Both sides of a ratio run in turn on the same machine, which should do
 * nothing else meanwhile. Nothing here fails.
 */
interface Part {
  /** Programs without which it does not run. */
  readonly peers?: readonly string[];
  /** For its command line. */
  readonly args?: readonly string[];
}

const parts: Readonly<Record<string, Part>> = {
  requests: {},
  start: {},
  tree: {},
  lists: {},
  search: {},
  zip: {},
  transfers: {},
  memory: {},
  pages: {},
  drops: { peers: ["nginx"] },
  dav: { peers: ["rclone", "apache"] },
  "s3-front": { peers: ["radosgw"], args: ["list"] },
  postgres: { peers: ["postgres"] },
  lighthouse: { peers: ["chromium"] },
};

/** The program that says whether a peer is installed; the servers that tests unpack for themselves are always there. */
const programs: Readonly<Record<string, string | undefined>> = {
  nginx: "nginx",
  rclone: "rclone",
  apache: "apache2",
  chromium: "chromium",
};
const isInstalled = (peer: string): boolean => {
  const program = programs[peer];
  return program === undefined || Bun.which(program) !== null || Bun.which(`/usr/sbin/${program}`) !== null;
};

const say = (line: string) => process.stdout.write(`${line}\n`);

/** The parts that were asked for, without those whose peers are not there. */
function choose({ against, only }: { against?: string | undefined; only?: string | undefined }): [string, Part][] {
  const known = new Set(Object.values(parts).flatMap(({ peers = [] }) => peers));
  const named = against?.split(",") ?? [];
  const wrong = [
    ...named.filter((peer) => !known.has(peer)),
    ...(only?.split(",") ?? []).filter((part) => !(part in parts)),
  ];
  if (wrong.length > 0)
    throw new Error(`There is no ${wrong.join(", ")}. Peers: ${[...known]}. Parts: ${Object.keys(parts)}.`);
  for (const peer of named) if (!isInstalled(peer)) say(`${peer} is not installed`);
  const isAsked = ({ peers = [] }: Part): boolean =>
    peers.length === 0 || peers.some((peer) => named.includes(peer) && isInstalled(peer));
  const wanted = only?.split(",");
  return Object.entries(parts).filter(([name, part]) => (wanted ? wanted.includes(name) : isAsked(part)));
}

async function measure(wanted: readonly [string, Part][]): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), "satchel-figures-"));
  const gathered = join(folder, "figures.jsonl");
  try {
    for (const [name, { args = [] }] of wanted) {
      say(`\n== ${name}`);
      const child = Bun.spawn([process.execPath, join(root, `test/bench/${name}.ts`), ...args], {
        env: { ...process.env, [GATHERED]: gathered },
        stdio: ["ignore", "inherit", "inherit"],
      });
      const code = await child.exited;
      if (code !== 0) say(`${name} failed (exit ${code})`);
    }
    const file = Bun.file(gathered);
    const lines = (await file.exists()) ? (await file.text()).trim().split("\n") : [];
    return lines.map((line) => JSON.parse(line) as Figure);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const reached = (figure: Figure): string => (figure.goal === undefined ? "" : isReached(figure) ? "yes" : "no");

const HEAD = ["Work | Baseline or method | Result | Goal | Met | Date", "--- | --- | --- | --- | --- | ---"];

/** A line of the table, which begins with the work: that is what it is known by. */
const rowOf = (figure: Figure, date: string): string =>
  [figure.work, figure.yardstick, shownValue(figure), shownGoal(figure), reached(figure), date].join(" | ");

const tableOf = (rows: readonly string[]): string => [...HEAD, ...rows].map((row) => `| ${row} |`).join("\n");

const machine = (): string =>
  `${availableParallelism()} processors (${cpus()[0]?.model.trim() ?? "unknown"}, ${arch()}), ${Math.round(totalmem() / 2 ** 30)} GiB, Linux, Bun ${Bun.version}`;

/** Puts rows into the table of the page in place of those of the same work; what was not measured stays, and so does all around the table. */
async function write(rows: readonly string[]): Promise<void> {
  const file = Bun.file(join(root, "docs/performance.md"));
  const [begin, end] = ["<!-- made by bun run bench -- --write -->", "<!-- end of what is made -->"];
  const text = await file.text();
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error("docs/performance.md has no place for the table");
  const work = (row: string): string => row.split(" | ")[0] ?? "";
  const left = new Map(rows.map((row) => [work(row), row]));
  const kept = [...text.slice(from, to).matchAll(/^\| (.+) \|$/gm)].map(([, row = ""]) => row).slice(HEAD.length);
  const merged = kept.map((row) => left.get(work(row)) ?? row);
  for (const row of kept) left.delete(work(row));
  const made = `\n\nThe machine: ${machine()}.\n\n${tableOf([...merged, ...left.values()])}\n\n`;
  await Bun.write(file, text.slice(0, from + begin.length) + made + text.slice(to));
}

const { values } = parseArgs({
  options: { against: { type: "string" }, only: { type: "string" }, write: { type: "boolean" } },
});
const figures = await measure(choose(values));
const date = new Date().toISOString().slice(0, 10);
const rows = figures.map((figure) => rowOf(figure, date));
say(`\n${tableOf(rows)}`);
if (values.write) await write(rows);
