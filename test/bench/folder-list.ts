import { lstatSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { openFolderHouse } from "../support/stores/folder-house.ts";

/**
 * `bun test/bench/folder-list.ts`: a folder of the machine with 10,000 files over REST, against what the runtime alone does to list it
 * (readdir, lstat, JSON). Of processor time, which neighbours disturb less than the clock; read the ratio.
 */
const FILES = 10_000;
const ROUNDS = 25;

await using opened = await openFolderHouse();
const { root, house, admin } = opened;
for (let index = 0; index < FILES; index++) writeFileSync(join(root, `photo ${index}.jpg`), "x");

const measured = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};
const middle = (times: readonly number[]): number => times.toSorted((one, other) => one - other)[ROUNDS >> 1] ?? 0;

const rest: number[] = [];
const bare: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  rest.push(await measured(async () => (await house.request("/api/fs/list?path=/m", { headers: admin })).text()));
  bare.push(
    await measured(async () => {
      const names = await readdir(root);
      return JSON.stringify(
        names.map((name) => {
          const stat = lstatSync(join(root, name));
          return { name, size: stat.size, modified: stat.mtime, isDirectory: stat.isDirectory() };
        }),
      );
    }),
  );
  await house.house.vfs.search.settled();
}
process.stdout.write(
  `${FILES} files: REST ${middle(rest).toFixed(0)} ms, readdir + lstat + JSON ${middle(bare).toFixed(0)} ms, ` +
    `ratio ${(middle(rest) / middle(bare)).toFixed(1)}\n`,
);
