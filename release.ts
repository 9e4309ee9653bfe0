import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { buildExecutable, metafiles, readReleaseKey, updateWeb } from "./build.ts";
import { packArchive } from "./deploy/release/archive.ts";
import { checksumsOf, writeChecksums } from "./deploy/release/checksums.ts";
import { requirePrograms } from "./deploy/release/command.ts";
import { packDeb } from "./deploy/release/deb.ts";
import { packImage } from "./deploy/release/image.ts";
import { thirdPartyLicenses } from "./deploy/release/licenses.ts";
import { type Options, readOptions, usage } from "./deploy/release/options.ts";
import { homebrewFormula, scoopManifest } from "./deploy/release/package-managers.ts";
import { bundledPackages } from "./deploy/release/packages.ts";
import { type Payload, readPayload } from "./deploy/release/payload.ts";
import { installRuntime, type Runtime } from "./deploy/release/runtimes.ts";
import { billOfMaterials } from "./deploy/release/sbom.ts";
import { openSigner } from "./deploy/release/signature.ts";
import { readSource, type Source } from "./deploy/release/source.ts";
import { isDebian, type Target } from "./deploy/release/targets.ts";

/**
 * bun run release --key FILE        every file of a release, in dist/release/VERSION; `--help` lists the options
 *
 * The same commit gives the same bytes, on any machine with the same Bun and Debian: times are the commit's, and no path is in them.
 */
const root = import.meta.dir;

/** Makes a release. Its folder gets its name when it is complete, so one that was broken off is none. Throws sentences for who releases. */
async function release(options: Options): Promise<string> {
  requirePrograms(programsFor(options));
  const source = await readSource(root);
  const sign = options.key === undefined ? undefined : await openSigner(root, options.key);
  const folder = join(options.out, source.version);
  const incomplete = join(options.out, "incomplete");
  await rm(incomplete, { recursive: true, force: true });
  await mkdir(incomplete, { recursive: true });

  say("the pages");
  await updateWeb();
  const built = await compileAll(options.targets, join(incomplete, "work"));
  const packages = await bundledPackages(root, metafiles);
  const licenses = thirdPartyLicenses(packages, Bun.version);
  await packAll(source, options, {
    built,
    out: incomplete,
    payload: await readPayload(root, readReleaseKey(), licenses),
  });
  await rm(join(incomplete, "work"), { recursive: true });

  const file = (name: string, text: string) => Bun.write(join(incomplete, name), text);
  const runtimes = [...built.values()].map(({ runtime }) => runtime);
  await file(`satchel_${source.version}.cdx.json`, billOfMaterials(source, packages, runtimes));
  await file("RELEASE_NOTES.md", `${source.changes}\n`);
  if (options.url !== undefined) {
    const published = { version: source.version, url: options.url, sums: await checksumsOf(incomplete) };
    await file("satchel.rb", homebrewFormula(published));
    await file("satchel.json", scoopManifest(published));
  }
  const checksums = await writeChecksums(incomplete);
  await sign?.(checksums, `satchel ${source.version} ${source.commit}`);

  await rm(folder, { recursive: true, force: true });
  await rename(incomplete, folder);
  return folder;
}

interface Built {
  readonly executable: string;
  readonly runtime: Runtime;
}

/** Compiles an executable for each target, with Bun from packages whose hashes are checked. */
async function compileAll(targets: readonly Target[], work: string): Promise<ReadonlyMap<Target, Built>> {
  const built = new Map<Target, Built>();
  for (const target of targets) {
    say(`the executable for ${target.name}`);
    const { path, ...runtime } = await installRuntime(root, target, join(work, "runtime"));
    const executable = join(work, target.name, target.os === "windows" ? "satchel.exe" : "satchel");
    await buildExecutable({ target: target.bun, executablePath: path, outfile: executable });
    if (!existsSync(executable)) throw new Error(`Bun left no executable for ${target.name}.`);
    built.set(target, { executable, runtime });
  }
  await rm(join(work, "runtime"), { recursive: true });
  return built;
}

interface Packing {
  readonly built: ReadonlyMap<Target, Built>;
  readonly payload: Payload;
  readonly out: string;
}

/** Packs an archive for each target, and for Linux with glibc a Debian package each and one image for containers. */
async function packAll(source: Source, { targets, image }: Options, { built, payload, out }: Packing): Promise<void> {
  for (const [target, { executable }] of built) {
    say(basename(await packArchive(source, target, { executable, payload, out })));
    if (isDebian(target)) say(basename(await packDeb(source, target, { executable, payload, out })));
  }
  const debian = targets.filter(isDebian);
  if (!image || debian.length === 0) return;
  const executables = new Map(debian.map((target) => [target, built.get(target)?.executable ?? ""]));
  say(basename(await packImage(source, executables, out)));
}

function programsFor({ targets, key, image }: Options): string[] {
  const debian = targets.some(isDebian) ? ["dpkg-deb", "du", ...(image ? ["apt-get"] : [])] : [];
  const zip = targets.some(({ os }) => os === "windows") ? ["zip"] : [];
  return ["git", "tar", "gzip", ...debian, ...zip, ...(key === undefined ? [] : ["minisign"])];
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);

try {
  const options = readOptions(process.argv.slice(2), root);
  if (options === undefined) process.stdout.write(usage);
  else say(await release(options));
} catch (error) {
  const cause = error instanceof Error && error.cause instanceof Error ? `\n${error.cause.message}` : "";
  process.stderr.write(`There is no release: ${error instanceof Error ? error.message : error}${cause}\n`);
  process.exitCode = 1;
}
