import { languageCodes } from "#contract/languages";

/**
 * Writes parts.ts: the parts of the dictionary and, for each language, how each is loaded. A part is what a file of zh/ exports; a file that
 * hands on those of others (explorer.ts) is what is loaded for all of them, and one that another file has in it (account.ts) is none.
 * Run `bun web/i18n/write-parts.ts` when a language, a file or an export comes or goes; a test holds parts.ts to it.
 */

/** Only build.ts loads it. */
const UNLOADED = "scriptless";

interface Part {
  readonly name: string;
  /** The file that defines it, and the one that is loaded for it; without ending. */
  readonly from: string;
  readonly loaded: string;
}

/** The parts that the files of a folder export. */
export async function partsOf(folder = `${import.meta.dirname}/zh`): Promise<readonly Part[]> {
  const files = (await Array.fromAsync(new Bun.Glob("*.ts").scan(folder))).map((path) => path.replace(/\.ts$/, ""));
  const texts = new Map<string, string>();
  for (const file of files.sort()) texts.set(file, await Bun.file(`${folder}/${file}.ts`).text());
  const inside = [...texts.values()].flatMap((text) => [...text.matchAll(/^import \{.*\} from "\.\/(.+)\.ts"/gm)]);
  const whole = new Set([UNLOADED, ...inside.map(([, file = ""]) => file)]);
  const parts = new Map<string, Part>();
  for (const [file, text] of texts) {
    if (whole.has(file)) continue;
    for (const [, name = ""] of text.matchAll(/^export const (\w+)/gm))
      parts.set(name, { name, from: file, loaded: parts.get(name)?.loaded ?? file });
    for (const [, name = "", from = ""] of text.matchAll(/^export \{ (\w+) \} from "\.\/(.+)\.ts"/gm))
      parts.set(name, { name, from, loaded: file });
  }
  return [...parts.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** The text of parts.ts. */
export async function writeParts(folder = `${import.meta.dirname}/zh`): Promise<string> {
  const parts = await partsOf(folder);
  const types = parts.map(({ name, from }) => `import type { ${name} } from "./zh/${from}.ts";`);
  const words = parts.map(({ name }) => `  readonly ${name}: typeof ${name};`);
  const loaders = languageCodes.flatMap((language) => [
    `  ${language}: {`,
    ...parts.map(({ name, loaded }) => `    ${name}: () => import("./${language}/${loaded}.ts"),`),
    "  },",
  ]);
  return [
    "// Made by write-parts.ts; do not change it by hand.",
    'import type { Language } from "#contract/languages";',
    'import type { Shape } from "./shape.ts";',
    ...types.sort((one, other) => (one.slice(one.indexOf('"')) < other.slice(other.indexOf('"')) ? -1 : 1)),
    "",
    "/** The dictionary's parts. Chinese is the shape, every other language must match it. */",
    "export interface Words {",
    ...words,
    "}",
    "",
    "export type Part = keyof Words;",
    "",
    "type Loaders = { readonly [P in Part]: () => Promise<{ readonly [Name in P]: Shape<Words[Name]> }> };",
    "",
    "/** The files of the parts. The bundler makes a file of its own only from an import that names it. */",
    "export const wordLoaders: Readonly<Record<Language, Loaders>> = {",
    ...loaders,
    "};",
    "",
  ].join("\n");
}

if (import.meta.main) await Bun.write(`${import.meta.dirname}/parts.ts`, await writeParts());
