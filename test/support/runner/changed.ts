import { dirname } from "node:path";
import { root, type Source } from "../sources.ts";
import type { Suite } from "./kinds.ts";
import { leadingTo } from "./leading-to.ts";

/** Files that decide for every test, though none imports them. */
const everywhere = new Set(["package.json", "bun.lock", "bunfig.toml", "tsconfig.json"]);

/** The paths that differ from where this branch left main: committed, not committed, new and deleted ones. */
export function changedPaths(): string[] {
  const base = ["main", "origin/main"].map((branch) => git("merge-base", "HEAD", branch)).find((one) => one.success);
  if (!base) throw new Error("Git knows no branch main here, so nothing can be told from it.");
  const [commit = ""] = linesOf(base);
  const differing = git("diff", "--name-only", "--no-renames", commit);
  const added = git("ls-files", "--others", "--exclude-standard");
  return [...linesOf(differing), ...linesOf(added)].sort();
}

/** Answers which tests of a kind can be affected when these paths differ, those of the same rooms first. */
export function createSelection(sources: readonly Source[], paths: readonly string[]) {
  const affected = leadingTo(sources, ...paths);
  const nearness = (file: string) => Math.max(0, ...paths.map((path) => foldersInCommon(file, path)));
  const isForAll = paths.some((path) => everywhere.has(path));
  return {
    select({ files, preloads }: Pick<Suite, "files" | "preloads">): string[] {
      const wanted =
        isForAll || preloads.some((path) => affected.has(path)) ? files : files.filter((path) => affected.has(path));
      return wanted.toSorted((a, b) => nearness(b) - nearness(a));
    },
    /** Paths that no test is led to by imports. */
    unreached: paths.filter(
      (path) => !everywhere.has(path) && ![...leadingTo(sources, path)].some((one) => one.includes(".test.")),
    ),
  };
}

/** How far the folder of a test, which mirrors src and web, goes along with that of a path. */
function foldersInCommon(test: string, path: string): number {
  const mirrored = dirname(test)
    .replace(/^test\//, "")
    .split("/");
  const folders = dirname(path)
    .replace(/^test\//, "")
    .split("/");
  const parting = mirrored.findIndex((folder, index) => folder !== folders[index]);
  return parting === -1 ? mirrored.length : parting;
}

const git = (...words: string[]) => Bun.spawnSync(["git", "-c", "core.quotepath=off", ...words], { cwd: root });

function linesOf({ success, stdout, stderr }: ReturnType<typeof git>): string[] {
  if (!success) throw new Error(`Git does not answer: ${stderr}`);
  return stdout
    .toString()
    .split("\n")
    .filter((line) => line !== "");
}
