import { lstatSync, rmSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "../../src/database/migrate.ts";
import { openSqlite } from "../../src/database/sqlite/sqlite.ts";
import { createLog } from "../../src/lib/log.ts";
import type { ObjectStore } from "../../src/stores/store.ts";
import { openStores } from "../../src/stores/stores.ts";
import { median } from "./curl.ts";

/**
 * `bun test/bench/tree-disk.ts`: folders of 10,000 files in the built-in store against what the system alone does with them.
 * Read the ratios; nothing here fails.
 */
const FILES = 10_000;
const ROUNDS = 15;
const SLICE = 2000;
const say = (line: string) => process.stdout.write(`${line}\n`);
const folder = await mkdtemp(join(tmpdir(), "satchel-bench-"));

const nameOf = (index: number) => `file ${String((index * 7919) % FILES).padStart(5, "0")}.txt`;

async function open() {
  const db = openSqlite({ file: join(folder, "satchel.db"), synchronous: "NORMAL" });
  await migrate(db, true);
  const log = createLog("silent", () => undefined);
  const objects = join(folder, "objects");
  const stores = await openStores({
    db,
    clock: Date.now,
    log,
    secret: "of a bench",
    folder: objects,
    holdsDataFolder: true,
  });
  return { db, store: (await stores.get()).store, drive: join(objects, "drive") };
}

async function put(store: ObjectStore, prefix: string): Promise<void> {
  for (let index = 0; index < FILES; index++)
    await store.put(prefix + nameOf(index), new Response("x"), { type: "text/plain", length: 1 });
}

async function write(path: string): Promise<void> {
  await mkdir(path);
  for (let index = 0; index < FILES; index++) await writeFile(join(path, nameOf(index)), "x");
}

/** Milliseconds, and the longest time in which nothing else could run. */
async function timed(work: () => Promise<unknown>): Promise<{ took: number; held: number }> {
  let [last, held] = [performance.now(), 0];
  const began = last;
  let isOver = false;
  const watch = () => {
    const now = performance.now();
    held = Math.max(held, now - last);
    last = now;
    if (!isOver) setImmediate(watch);
  };
  setImmediate(watch);
  await work();
  const took = performance.now() - began;
  isOver = true;
  watch();
  return { took, held };
}

/** The fastest way we know: in slices without waiting, which beats asking for each and waiting. */
async function bareList(path: string): Promise<number> {
  const names = await readdir(path);
  let size = 0;
  for (let at = 0; at < names.length; at += SLICE) {
    for (const name of names.slice(at, at + SLICE)) size += lstatSync(`${path}/${name}`).size;
    await new Promise(setImmediate);
  }
  return size;
}

async function lists(name: string, { path, list, before }: Lists): Promise<void> {
  const rounds: { mine: number; theirs: number; held: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await before?.(round);
    const theirs = await timed(() => bareList(path));
    const mine = await timed(list);
    rounds.push({ mine: mine.took, theirs: theirs.took, held: mine.held });
  }
  const of = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick));
  say(
    `${name}: ${of(({ mine, theirs }) => mine / theirs).toFixed(2)} times readdir and lstat (${of(({ mine }) => mine).toFixed(1)} ms, bare ${of(({ theirs }) => theirs).toFixed(1)} ms; held ${of(({ held }) => held).toFixed(1)} ms)`,
  );
}

interface Lists {
  readonly path: string;
  readonly list: () => Promise<unknown>;
  readonly before?: (round: number) => Promise<unknown>;
}

async function renames(store: ObjectStore, path: string): Promise<void> {
  const times: { mine: number; theirs: number; held: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { took: theirs } = await timed(async () => {
      await rename(path, `${path} 2`);
      await rename(`${path} 2`, path);
    });
    const there = await timed(async () => store.tree?.move("put/", "moved/"));
    const back = await timed(async () => store.tree?.move("moved/", "put/"));
    times.push({ mine: (there.took + back.took) / 2, theirs: theirs / 2, held: Math.max(there.held, back.held) });
  }
  const of = (pick: (time: (typeof times)[number]) => number) => median(times.map(pick));
  say(
    `rename of ${FILES}: ${of(({ mine }) => mine).toFixed(1)} ms (to reach: 150), bare ${of(({ theirs }) => theirs).toFixed(2)} ms; held ${of(({ held }) => held).toFixed(1)} ms`,
  );
}

async function removals(store: ObjectStore, drive: string): Promise<void> {
  const ratios: number[] = [];
  for (let round = 0; round < 3; round++) {
    // Both written and flushed alike: what never reached the disk is gone sooner.
    await put(store, "bare/");
    await put(store, "gone/");
    const { took: theirs } = await timed(() => Bun.spawn(["rm", "-rf", join(drive, "bare")]).exited);
    const mine = await timed(async () => store.tree?.remove("gone/"));
    ratios.push(mine.took / theirs);
    say(`  remove ${mine.took.toFixed(0)} ms, rm -rf ${theirs.toFixed(0)} ms; held ${mine.held.toFixed(1)} ms`);
  }
  say(`remove of ${FILES}: ${median(ratios).toFixed(2)} times rm -rf`);
}

try {
  const { db, store, drive } = await open();
  await put(store, "put/");
  await write(join(drive, "by hand"));
  const list = (prefix: string, limit = 2 * FILES) => store.list({ prefix, delimiter: "/", limit });
  const ours = join(drive, "put");
  // A file that comes and goes changes the folder's time, so that its names are read again.
  const touch = async () => {
    await writeFile(join(ours, "new"), "");
    await rm(join(ours, "new"));
  };
  await lists(`list of ${FILES}, read anew`, { path: ours, list: () => list("put/"), before: touch });
  await Bun.sleep(2500);
  await lists(`list of ${FILES}, unchanged`, { path: ours, list: () => list("put/") });
  await lists(`list of ${FILES} put there by hand`, { path: join(drive, "by hand"), list: () => list("by hand/") });
  await lists(`its first 100`, { path: ours, list: () => list("put/", 100) });
  await renames(store, ours);
  await removals(store, drive);
  db.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
