import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { writeArchive } from "./deploy/release/archive.ts";
import { writeBill } from "./deploy/release/bill.ts";
import { writePackage } from "./deploy/release/debian.ts";
import { writeDocuments } from "./deploy/release/documents.ts";
import { writeImage } from "./deploy/release/image.ts";
import { writeManifests } from "./deploy/release/manifests.ts";
import { notesOf, requireClean } from "./deploy/release/preconditions.ts";
import { checkOut, type Release, run } from "./deploy/release/release.ts";
import { installRuntime } from "./deploy/release/runtimes.ts";
import { requireKey, sign, writeSums } from "./deploy/release/sums.ts";
import { chosen } from "./deploy/release/targets.ts";

/**
 * bun run release (--key FILE | --unsigned) [--target NAME]... [--downloads URL] [--to DIR]
 *
 * Makes everything that people download, into dist/release unless told otherwise: executables for each target with their documents as
 * archives, packages for Debian, an image, a bill of materials, sums with a signature, manifests of package managers and the notes. Two runs
 * for one commit give the same bytes. It needs Debian's apt, dpkg-deb, tar and, for the signature, minisign.
 */
async function release(): Promise<void> {
  const { values } = parseArgs({
    options: {
      key: { type: "string" },
      unsigned: { type: "boolean" },
      target: { type: "string", multiple: true },
      downloads: { type: "string" },
      to: { type: "string", default: join(import.meta.dir, "dist/release") },
    },
  });
  const targets = chosen(values.target);
  const key = await requireKey(import.meta.dir, values);
  requireClean(import.meta.dir);
  const { version, notes } = notesOf(import.meta.dir);

  const to = resolve(values.to);
  if (existsSync(to)) throw new Error(`${to} is there. Remove it first.`);
  const partial = `${to}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });

  const source = await checkOut(import.meta.dir, version);
  try {
    const made: Release = { version, source, out: partial, time: commitTime() };
    await Bun.write(join(partial, "NOTES.md"), notes);
    await writeBill(made, targets);
    const documents = await writeDocuments(made);
    for (const target of targets) {
      const runtime = await installRuntime(made, target);
      await run(["bun", "build.ts", "--target", target.bun, "--runtime", runtime], source);
      await writeArchive(made, target, documents);
      if (target.debian) await writePackage(made, target, documents);
    }
    await writeImage(
      made,
      targets.filter(({ debian }) => debian),
    );
    if (values.downloads) await writeManifests(made, targets, values.downloads);
    await writeSums(partial);
    if (key) await sign(join(partial, "SHA256SUMS"), key, `satchel ${version}`);
  } finally {
    rmSync(source, { recursive: true, force: true });
  }
  // What is there under this name is whole.
  renameSync(partial, to);
  process.stdout.write(`${to} has version ${version}.\n`);
}

/** Seconds since 1970 at which the commit was made: the time of every file, so that two runs give the same bytes. */
const commitTime = (): number =>
  Number(Bun.spawnSync(["git", "log", "-1", "--format=%ct"], { cwd: import.meta.dir }).stdout.toString());

release().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
