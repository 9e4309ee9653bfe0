import { chmodSync, cpSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { BlobReader, BlobWriter, ZipWriter } from "@zip.js/zip.js";
import { type Release, run, tarOf } from "./release.ts";
import { archiveOf, executableOf, isWindows, type Target } from "./targets.ts";

/** Writes the executable of a target and its documents into an archive: one folder, as a zip for Windows and a tar for all others. */
export async function writeArchive(release: Release, target: Target, documents: string): Promise<void> {
  const { version, source, out } = release;
  const name = `satchel-${version}-${target.name}`;
  const folder = join(source, "dist", name);
  mkdirSync(folder);
  cpSync(documents, folder, { recursive: true });
  const executable = join(folder, isWindows(target) ? "satchel.exe" : "satchel");
  cpSync(join(source, executableOf(target)), executable);
  await run(["chmod", "-R", "u=rwX,go=rX", folder], source);
  chmodSync(executable, 0o755);
  const file = join(out, archiveOf(version, target));
  if (isWindows(target)) return await writeZip(folder, file, release);
  const parent = join(source, "dist");
  const pack = [...tarOf(release), "--use-compress-program=gzip -n -6", "-cf", file, "-C", parent, name];
  await run(pack, source);
}

async function writeZip(folder: string, file: string, { time }: Release): Promise<void> {
  const lastModDate = new Date(time * 1000);
  const zip = new ZipWriter(new BlobWriter(), { level: 9, extendedTimestamp: false, lastModDate });
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const path of paths)
    await zip.add(path.slice(folder.lastIndexOf("/") + 1), new BlobReader(new Blob([await Bun.file(path).bytes()])));
  await Bun.write(file, await zip.close());
}
