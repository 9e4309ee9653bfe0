import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A package whose code is in the executable or in the pages. */
export interface Dependency {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression, where the package says it. */
  readonly licence: string | undefined;
  readonly folder: string;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string | { readonly type: string };
  readonly dependencies?: Readonly<Record<string, string>>;
}

const readManifest = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** The names of packages that the sources import. */
function imported(source: string): Set<string> {
  const names = new Set<string>();
  for (const path of new Bun.Glob("{src,web}/**/*.{ts,tsx,css,html}").scanSync(source)) {
    const text = readFileSync(join(source, path), "utf8");
    const specifiers = text.matchAll(/(?:from |import\(?|node_modules\/)\s*"?((?:@[\w.-]+\/)?[\w.-]+)[^"]*"/g);
    for (const [, name = ""] of specifiers) if (!name.startsWith(".")) names.add(name);
  }
  return names;
}

/** Where a package finds another one: in its own folder, or in one above. */
function locate(name: string, from: string): string | undefined {
  const folder = join(from, "node_modules", name);
  if (existsSync(join(folder, "package.json"))) return folder;
  return dirname(from) === from ? undefined : locate(name, dirname(from));
}

/** Every package that the sources import, with all that these need, by name and version. */
export function dependencies(source: string): Dependency[] {
  const found = new Map<string, Dependency>();
  const add = (name: string, from: string): void => {
    const folder = locate(name, from);
    if (!folder || found.has(folder)) return;
    const { version, license, dependencies = {} } = readManifest(folder);
    const licence = typeof license === "object" ? license.type : license;
    found.set(folder, { name, version, licence, folder });
    for (const other of Object.keys(dependencies)) add(other, folder);
  };
  // pdf.js and KaTeX are copied by build.ts.
  for (const name of [...imported(source), "pdfjs-dist", "katex"]) add(name, source);
  const order = ({ name, version }: Dependency) => `${name} ${version}`;
  return [...found.values()].sort((one, other) => (order(one) < order(other) ? -1 : 1));
}

/**
 * The licences of all dependencies in one text. A package without a file of its licence stands with its SPDX expression; one that brings
 * another program in a folder of its own stands with the licence there too.
 */
export function licenceTexts(source: string): string {
  const parts = dependencies(source).map(({ name, version, licence, folder }) => {
    const files = readdirSync(folder, { withFileTypes: true })
      .flatMap((entry) => (entry.isDirectory() && entry.name !== "node_modules" ? licencesIn(folder, entry.name) : []))
      .concat(licencesIn(folder));
    const texts = new Set(files.sort().map((file) => readFileSync(file, "utf8").trim()));
    const text = [...texts].join("\n\n") || "The package has no file of its licence.";
    return `${name} ${version} (${licence ?? "no licence named"})\n\n${text}\n`;
  });
  const rule = `\n${"-".repeat(80)}\n\n`;
  return `The executable holds Bun (MIT, https://bun.sh) and code of these packages.\n${rule}${parts.join(rule)}`;
}

/** The files of licences in a folder. */
const licencesIn = (...folder: readonly string[]): string[] =>
  readdirSync(join(...folder), { withFileTypes: true })
    .filter((entry) => entry.isFile() && /^(licen[cs]e|copying)/i.test(entry.name))
    .map(({ name }) => join(...folder, name));
