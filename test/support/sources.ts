import { join, posix } from "node:path";

/** The root of the repository. */
export const root = join(import.meta.dir, "../..");

/** One file of ours as it is written. */
export interface Source {
  /** From the root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** One place where a file asks for another. */
export interface Import {
  readonly line: number;
  /** A path from the root for a file of ours, else the package's name with what follows it. */
  readonly target: string;
  /** Nothing of it is left when the program runs. */
  readonly typeOnly: boolean;
}

/** The text files that match the patterns, committed or not, in the order of their paths. */
export async function readSources(...patterns: string[]): Promise<Source[]> {
  const found = await Promise.all(
    patterns.map((pattern) => Array.fromAsync(new Bun.Glob(pattern).scan({ cwd: root, dot: true }))),
  );
  const paths = found.flat().map((path) => path.replaceAll("\\", "/"));
  return await Promise.all(paths.sort().map(async (path) => ({ path, text: await Bun.file(join(root, path)).text() })));
}

const statement = /^[ \t]*(import|export)\b(?!\s*\()([^;"'`]*?)\bfrom\s*["']([^"']+)["']/gm;
const bare = /^[ \t]*import\s*["']([^"']+)["']/gm;
const call = /(\btypeof\s+)?\b(?:import|require)\(\s*(?:["'`]([^"'`]*)["'`]|([^"'`)\s]))/g;

/** Every import of a file: static, for its side effects, only for its types, dynamic, and exports from elsewhere. */
export function importsOf({ path, text }: Source): Import[] {
  const code = withoutComments(text);
  const at = (index: number) => code.slice(0, index).split("\n").length;
  const place = (match: RegExpExecArray) => at(match.index + match[0].search(/\S/));
  const found: Import[] = [];
  for (const match of code.matchAll(statement)) {
    const [, , names = "", from = ""] = match;
    found.push({ line: place(match), target: resolve(path, from), typeOnly: isTypeOnly(names) });
  }
  for (const match of code.matchAll(bare)) {
    found.push({ line: place(match), target: resolve(path, match[1] ?? ""), typeOnly: false });
  }
  for (const match of code.matchAll(call)) {
    const target = match[2] === undefined ? "(a computed name)" : resolve(path, match[2]);
    found.push({ line: place(match), target, typeOnly: match[1] !== undefined });
  }
  return found.sort((a, b) => a.line - b.line);
}

/** Whole-line and block comments become blank, so that lines keep their numbers and prose is not taken for code. */
export const withoutComments = (text: string): string =>
  text.replace(/^[ \t]*\/\*[\s\S]*?\*\/|^[ \t]*\/\/.*$/gm, (comment) => comment.replace(/[^\n]/g, " "));

/** `type { A }`, or braces in which every name is a type. */
function isTypeOnly(names: string): boolean {
  if (/^\s*type\s+[{*\w]/.test(names)) return true;
  const inner = /^\s*\{([^}]*)\}\s*$/.exec(names)?.[1];
  if (inner === undefined) return false;
  const each = inner.split(",").flatMap((name) => name.trim() || []);
  return each.length > 0 && each.every((name) => /^type\s/.test(name));
}

function resolve(from: string, wanted: string): string {
  if (wanted.startsWith("#contract/")) return `src/contract/${wanted.slice("#contract/".length)}.ts`;
  return wanted.startsWith(".") ? posix.join(posix.dirname(from), wanted) : wanted;
}
