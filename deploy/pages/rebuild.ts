import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";

/** Everything that the built pages depend on. The lock file stands for the packages. */
const pageSources: readonly string[] = [
  "web/**/*",
  "src/contract/**/*",
  "src/fronts/site/{assets,head,open-pages,share-page-files}.ts",
  "{package,tsconfig}.json",
  "bun.lock",
  "bunfig.toml",
  "build.ts",
  "deploy/pages/*",
];

/**
 * Has `build` write the pages into dist/web of a project, unless that already holds what its sources make. dist/web.fingerprint is written
 * last, so that a build that was broken off is made again. Reports whether they were built.
 */
export async function rebuild(project: string, build: () => Promise<void>): Promise<boolean> {
  const built = join(project, "dist/web");
  /** Two lines: the digest of the sources of the pages, and the digest of the built pages. */
  const fingerprint = join(project, "dist/web.fingerprint");
  const wanted = await digestOf(project, pageSources);
  if (existsSync(fingerprint) && existsSync(built)) {
    const [from, pages] = (await Bun.file(fingerprint).text()).split("\n");
    if (from === wanted && pages === (await digestOf(built, ["**/*"]))) return false;
  }
  await rm(fingerprint, { force: true });
  await build();
  await Bun.write(fingerprint, `${wanted}\n${await digestOf(built, ["**/*"])}\n`);
  return true;
}

/** Returns the SHA-256 digest of the names and contents of the files that match the patterns, and of Bun's version. */
async function digestOf(folder: string, patterns: readonly string[]): Promise<string> {
  const hash = createHash("sha256").update(Bun.version);
  const scans = patterns.map((pattern) => Array.fromAsync(new Bun.Glob(pattern).scan(folder)));
  for (const path of (await Promise.all(scans)).flat().sort()) {
    const bytes = await Bun.file(join(folder, path)).bytes();
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest("hex");
}
