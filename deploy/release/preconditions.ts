import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Throws a sentence when the working tree has changes that no commit has: nobody could build the same again. */
export function requireClean(root: string): void {
  const changes = Bun.spawnSync(["git", "status", "--porcelain"], { cwd: root });
  if (changes.exitCode !== 0) throw new Error("A release is made from a git checkout.");
  if (changes.stdout.length > 0) throw new Error("There are changes that are not committed. Commit them first.");
}

/** The version of package.json and what CHANGELOG.md says of it. Throws a sentence when it says nothing. */
export function notesOf(root: string): { readonly version: string; readonly notes: string } {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  const sections = readFileSync(join(root, "CHANGELOG.md"), "utf8").split(/^(?=## \[)/m);
  const section = sections.find((text) => text.startsWith(`## [${version}]`));
  const notes = section?.replace(/^.*\n/, "").trim();
  if (!notes) throw new Error(`CHANGELOG.md has no section "## [${version}]" that says something.`);
  return { version, notes: `${notes}\n` };
}
