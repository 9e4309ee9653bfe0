import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { common, options, rows, variables } from "../../../src/cli/commands.ts";
import { completion } from "../../../src/cli/completion.ts";
import { help } from "../../../src/cli/help.ts";
import { manPage } from "../../../src/cli/man-page.ts";
import { root } from "../../support/sources.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const source = async (path: string) => await Bun.file(join(root, path)).text();
const variableNames = variables.map(({ name }) => name).sort();

describe("the table of the command line", () => {
  test("has every variable that is read, and none that is not", async () => {
    const read = (await Promise.all(["src/config.ts", "src/first-storage.ts", "src/folders.ts"].map(source))).join(
      "\n",
    );
    const plain = [...read.matchAll(/\bgiven\("(\w+)"\)/g)].map(([, name = ""]) => name);
    const secret = [...read.matchAll(/\bsecret\("(\w+)"\)/g)].map(([, name = ""]) => name);
    expect([...new Set([...plain, ...secret])].sort()).toEqual(variableNames);
    expect(
      variables
        .filter((one) => one.secret)
        .map(({ name }) => name)
        .sort(),
    ).toEqual([...new Set(secret)].sort());
  });

  test("is what README, the operator's page and the manual page say", async () => {
    const named = (text: string) => [...text.matchAll(/`([A-Z][A-Z\d_]{3,})`/g)].map(([, name = ""]) => name);
    expect(named(await source("README.md")).filter((name) => !variableNames.includes(name))).toEqual([]);
    const operating = await source("docs/operating.md");
    expect(variableNames.filter((name) => !new RegExp(`\\b${name}\\b`).test(operating))).toEqual([]);
    for (const name of variableNames) expect(manPage()).toContain(`\n.B ${name}\n`);
  });

  test("is the help, within the width of a terminal", () => {
    const lines = help().split("\n");
    for (const { name, summary } of rows) {
      const [first = ""] = summary.split(" ");
      expect(help()).toMatch(new RegExp(`satchel .*${name}.* ${first}`));
    }
    for (const name of Object.keys(options)) expect(help()).toContain(`--${name} `);
    expect(lines.filter((line) => line.length > 120)).toEqual([]);
  });

  test.each([...rows])("is the help of $name, with its options alone", ({ name, options: taken }) => {
    const text = help(name);
    expect(text).toStartWith(`Usage: satchel ${name === "serve" ? "[serve]" : name}`);
    const named = [...text.matchAll(/^ {2}--([\w-]+)/gm)].map(([, option]) => option);
    expect(named).toEqual([...taken, ...common]);
    expect(text.split("\n").filter((line) => line.length > 120)).toEqual([]);
  });
});

describe("the completion of bash", () => {
  /** What bash offers behind these words, of which the last is not finished. */
  async function offered(...words: string[]): Promise<string[]> {
    using folder = temporaryFolder();
    await Bun.write(join(folder.path, "a file.env"), "");
    const script = `${completion("bash")}
COMP_WORDS=(satchel ${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length}; _satchel; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const child = Bun.spawn(["bash", "-c", script], { cwd: folder.path, stdout: "pipe", stderr: "pipe" });
    const said = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    expect([await child.exited, said[1]]).toEqual([0, ""]);
    return said[0].split("\n").filter(Boolean);
  }

  test("offers commands, their second words and the options that they take", async () => {
    expect(await offered("")).toEqual([
      ...new Set(rows.map(({ name }) => name.split(" ")[0] ?? "")),
      ...common.map((name) => `--${name}`),
    ]);
    expect(await offered("adm")).toEqual(["admin"]);
    expect(await offered("admin", "")).toEqual(["reset"]);
    expect(await offered("completion", "z")).toEqual(["zsh"]);
    expect(await offered("serve", "--new")).toEqual(["--new-database"]);
    expect(await offered("database", "copy", "--t")).toEqual(["--to"]);
  });

  test("offers files and folders where an option names one", async () => {
    expect(await offered("--env", "a")).toEqual(["a file.env"]);
    expect(await offered("serve", "--data", "a")).toEqual([]);
  });
});

test.each(["zsh", "fish"] as const)("the completion of %s has every command and every option", (shell) => {
  const text = completion(shell);
  for (const { name, summary } of rows) {
    expect(text).toContain(name.split(" ").at(-1) ?? "");
    if (shell === "fish") expect(text).toContain(summary.replaceAll("'", "'\\''"));
  }
  for (const name of Object.keys(options)) expect(text).toContain(shell === "fish" ? `-l ${name}` : `--${name}[`);
});
