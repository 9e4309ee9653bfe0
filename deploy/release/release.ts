import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What every step of a release knows. */
export interface Release {
  readonly version: string;
  /** The folder with the commit's files and its packages. */
  readonly source: string;
  /** Where the files of the release go. */
  readonly out: string;
  /** The time that files bear, in seconds since 1970. */
  readonly time: number;
}

/** Runs a program to its end and answers what it printed. Throws what it said when it fails. */
export async function run(
  command: readonly string[],
  cwd: string,
  environment: Record<string, string> = {},
): Promise<string> {
  const [program = "", ...rest] = command;
  const child = Bun.spawn([program === "bun" ? process.execPath : program, ...rest], {
    cwd,
    env: { ...process.env, ...environment },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [printed, said] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")} failed:\n${printed}${said}`);
  return printed;
}

/**
 * Writes the files of the commit into a folder and installs its packages. The folder has the same name each time, because Bun makes the
 * names of scripts from where they are. Throws a sentence when it is there.
 */
export async function checkOut(root: string, version: string): Promise<string> {
  const folder = join(tmpdir(), `satchel-${version}`);
  try {
    mkdirSync(folder);
  } catch {
    throw new Error(`${folder} is there. Another release is being made, or one was stopped: then remove it.`);
  }
  await run(["sh", "-c", `git archive HEAD | tar -x -C "$1"`, "sh", folder], root);
  await run(["bun", "install", "--frozen-lockfile"], folder);
  return folder;
}

/** The arguments with which GNU tar writes the same bytes each time: no owner, one time, names in order. */
export const tarOf = ({ time }: Pick<Release, "time">): string[] =>
  ["tar", "--sort=name", `--mtime=@${time}`, "--owner=0", "--group=0", "--numeric-owner", "--format=pax"].concat(
    "--pax-option=exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime",
  );
