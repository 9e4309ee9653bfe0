import { join } from "node:path";
import { changesOf } from "./changelog.ts";
import { run } from "./command.ts";

/** What is released. */
export interface Source {
  /** The root of the repository. */
  readonly root: string;
  readonly version: string;
  readonly commit: string;
  /** When it was committed, in seconds since 1970: the time of every file that is made of it. */
  readonly time: number;
  /** What CHANGELOG.md says of the version. */
  readonly changes: string;
}

/** Reads what is to be released. Throws when the tree is not exactly a commit, or CHANGELOG.md does not know the version. */
export async function readSource(root: string): Promise<Source> {
  const git = (...words: string[]) => run(["git", ...words], { cwd: root });
  const changed = (await git("status", "--porcelain")).trimEnd();
  if (changed !== "") throw new Error(`The tree differs from its commit; commit or remove this first:\n${changed}`);
  const [commit = "", time = ""] = (await git("log", "-1", "--format=%H %ct")).trim().split(" ");
  const { version } = (await Bun.file(join(root, "package.json")).json()) as { version: string };
  const changes = changesOf(await Bun.file(join(root, "CHANGELOG.md")).text(), version);
  return { root, version, commit, time: Number(time), changes };
}
