import { chmod, mkdir, readdir, rm, utimes } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { run } from "./command.ts";
import { type Payload, writePayload } from "./payload.ts";
import type { Source } from "./source.ts";
import type { Target } from "./targets.ts";

/** The name of an archive without its ending, which is its one folder too. */
export const archiveName = ({ version }: Source, { name }: Target): string =>
  `satchel_${version}_${name.replaceAll("-", "_")}`;

/** Packs the executable and what belongs to it: a zip for Windows, else a tar.gz. Returns its path. */
export async function packArchive(
  source: Source,
  target: Target,
  { executable, payload, out }: { executable: string; payload: Payload; out: string },
): Promise<string> {
  const name = archiveName(source, target);
  const folder = join(out, "work", name);
  const program = target.os === "windows" ? "satchel.exe" : "satchel";
  await writePayload(folder, payload, executable, program);
  await normalize(folder, source.time, [program]);
  const archive = join(out, `${name}.${target.os === "windows" ? "zip" : "tar.gz"}`);
  await (target.os === "windows" ? zip(folder, archive) : tar(folder, archive, source.time));
  await rm(folder, { recursive: true });
  return archive;
}

/** Gives everything in a folder modes and times that do not depend on who makes it and when; these paths in it can be executed. */
export async function normalize(folder: string, time: number, executables: readonly string[] = []): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const isExecutable = entry.isDirectory() || executables.includes(relative(folder, path));
    await chmod(path, isExecutable ? 0o755 : 0o644);
    await utimes(path, time, time);
  }
  await chmod(folder, 0o755);
  await utimes(folder, time, time);
}

/** What makes two archives of the same files the same bytes. */
export const reproducible = (time: number): readonly string[] => [
  "--sort=name",
  `--mtime=@${time}`,
  "--owner=0",
  "--group=0",
  "--numeric-owner",
  "--format=ustar",
];

async function tar(folder: string, archive: string, time: number): Promise<void> {
  const place = ["--directory", dirname(folder), basename(folder)];
  await run([
    "tar",
    "--create",
    "--file",
    archive,
    "--use-compress-program=gzip --no-name",
    ...reproducible(time),
    ...place,
  ]);
}

/** zip without users and extended times, in an order of its own (`-@` would want the names by its standard input). */
async function zip(folder: string, archive: string): Promise<void> {
  const parent = dirname(folder);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  await mkdir(dirname(archive), { recursive: true });
  await run(["zip", "-q", "-X", "-9", archive, ...files.map((path) => relative(parent, path)).sort()], { cwd: parent });
}
