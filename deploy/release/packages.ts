import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";

/** A package of npm that the executable is made of. */
export interface Package {
  readonly name: string;
  readonly version: string;
  /** Its folder, from the root of the repository. */
  readonly folder: string;
  /** An SPDX identifier or expression, as its package.json has it; some have only a text. */
  readonly license: string | undefined;
  /** The texts of its license files one after the other; empty when it has none. */
  readonly text: string;
  /** SHA-512 of its archive in base64, as bun.lock has it. */
  readonly integrity: string;
  readonly dependencies: readonly string[];
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string | { readonly type: string };
  readonly licenses?: readonly { readonly type: string }[];
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** The folder of the package that a file is in, from the root; of a package within a package the inner one. */
const FOLDER = /node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/;

/** What plugins of the bundler write into pages, which its accounts do not tell: the styles. */
const ADDED_BY_PLUGINS = ["node_modules/tailwindcss"];

const LICENSE_FILE = /^(licen[cs]e|copying|notice|unlicense|.*\.license\.txt)/i;

/** The packages with files in a build, by the bundler's accounts of it (metafiles), in the order of their names. */
export async function bundledPackages(root: string, metafiles: string): Promise<Package[]> {
  const folders = new Set(ADDED_BY_PLUGINS);
  for (const name of await readdir(metafiles)) {
    const { inputs } = (await Bun.file(join(metafiles, name)).json()) as { inputs: Readonly<Record<string, unknown>> };
    for (const path of Object.keys(inputs)) {
      const folder = FOLDER.exec(path.replaceAll("\\", "/"))?.[0];
      if (folder) folders.add(folder);
    }
  }
  const lock = await readLock(root);
  const packages = await Promise.all([...folders].map((folder) => readPackage(root, folder, lock)));
  return packages.sort((a, b) => compare(a.name, b.name) || compare(a.version, b.version));
}

/** Sorts by code units, which no language of a machine changes. */
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

type Lock = Readonly<Record<string, readonly unknown[]>>;

/** bun.lock is JSON with commas at the ends of its lists. */
async function readLock(root: string): Promise<Lock> {
  return (Bun.JSONC.parse(await Bun.file(join(root, "bun.lock")).text()) as { packages: Lock }).packages;
}

async function readPackage(root: string, folder: string, lock: Lock): Promise<Package> {
  const manifest = (await Bun.file(join(root, folder, "package.json")).json()) as Manifest;
  const key = folder.replace(/^node_modules\//, "").replaceAll("/node_modules/", "/");
  const [resolved, , , integrity] = lock[key] ?? [];
  if (resolved !== `${manifest.name}@${manifest.version}` || typeof integrity !== "string")
    throw new Error(`${folder} is not what bun.lock says; run bun install --frozen-lockfile.`);
  const license = licenseOf(manifest);
  const text = await licenseText(join(root, folder));
  if (license === undefined && text === "") throw new Error(`${folder} has no license.`);
  return {
    name: manifest.name,
    version: manifest.version,
    folder,
    license,
    text,
    integrity: integrity.replace(/^sha512-/, ""),
    dependencies: Object.keys(manifest.dependencies ?? {}).sort(),
  };
}

const licenseOf = ({ license, licenses }: Manifest): string | undefined =>
  typeof license === "object" ? license.type : (license ?? licenses?.map(({ type }) => type).join(" OR "));

/** Files of licenses in any folder of a package: fonts and decoders within it have their own. */
async function licenseText(folder: string): Promise<string> {
  const paths = await Array.fromAsync(new Bun.Glob("**/*").scan(folder));
  const isLicense = (path: string) =>
    !path.includes("node_modules/") && LICENSE_FILE.test(basename(path)) && !/\.(js|mjs|ts|json)$/.test(path);
  const read = async (path: string) => (await Bun.file(join(folder, path)).text()).replaceAll("\r\n", "\n").trim();
  return [...new Set(await Promise.all(paths.filter(isLicense).sort().map(read)))].join("\n\n");
}
