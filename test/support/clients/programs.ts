import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { bytesOf, MiB } from "../../suites/store-bodies.ts";

interface Run {
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

/** A folder in which programs of others are run; `environment` is what all of them get. */
export function openWorkshop(environment: Readonly<Record<string, string>> = {}) {
  const work = mkdtempSync(join(tmpdir(), "satchel-clients-"));

  const run = async (command: readonly string[], { cwd = work, environment: more = {}, stdin = "" }: Run = {}) => {
    const child = Bun.spawn([...command], {
      cwd,
      // The programs of Debian, whatever else is installed.
      env: { PATH: `/usr/bin:/bin:${process.env.PATH ?? ""}`, HOME: work, LANG: "C.UTF-8", ...environment, ...more },
      stdin: new Blob([stdin]),
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, trouble] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    return { code: await child.exited, text: out + trouble };
  };

  return {
    path: work,
    /** Runs a program; answers its exit code and all that it printed. */
    run,
    /** As `run`, for what must succeed. */
    async done(command: readonly string[], options: Run = {}): Promise<string> {
      const { code, text } = await run(command, options);
      if (code !== 0) throw new Error(`${command.join(" ")}: ${code}\n${text.slice(-4000)}`);
      return text;
    },
    folder(name: string): string {
      const path = join(work, name);
      mkdirSync(path, { recursive: true });
      return path;
    },
    [Symbol.dispose]: () => rmSync(work, { recursive: true, force: true }),
  };
}

/** Names that break what is not careful. */
export const oddNames = [
  "100%",
  "#1?a=b&c+d;e",
  "数 据",
  "\u00e9x",
  "😀 smile",
  "a'b(c)*!~",
  "%2e%2e",
  '<&>"',
  "trail.",
  "=@,:$",
  `${"x".repeat(251)}.txt`,
];

/** Sizes around those at which clients begin to send parts. */
export const sizes: Readonly<Record<string, number>> = {
  empty: 0,
  "below 5 MiB": 5 * MiB - 1,
  "5 MiB": 5 * MiB,
  "200 MB": 200_000_000,
};

/** Files of many sizes and names in folders below a path. */
export function makeTree(path: string, small: number, large = sizes): void {
  const write = (name: string, content: Uint8Array | string) => {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), content);
  };
  for (let index = 0; index < small; index++)
    write(`d${index % 7}/e${index % 3}/file ${index}.txt`, `content ${index}`);
  for (const name of oddNames) write(`odd/${name}`, name);
  for (const [name, size] of Object.entries(large)) write(`large/${name}`, bytesOf(size));
}
