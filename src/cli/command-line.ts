import { parseArgs } from "node:util";
import { type CommandName, common, type OptionName, options, rows } from "./commands.ts";

/** What was typed. */
export interface CommandLine {
  readonly flags: Flags;
  /** Undefined for one that there is not. */
  readonly command: CommandName | "help" | "version" | undefined;
  /** The command that the words name, which is `serve` without any. */
  readonly named: CommandName | undefined;
  /** The command that the help is wanted of; undefined for all of them. */
  readonly about: CommandName | undefined;
  /** The word behind the command, where it takes one. */
  readonly operand: string | undefined;
}

/** Reads the words and options of the command line, and adds a line to `problems` for each that is wrong. */
export function readCommandLine(args: readonly string[], problems: string[]): CommandLine {
  const { flags, words } = readFlags(args, problems);
  const { command: named, operand } = readCommand(words, problems) ?? {};
  const command = flags.help ? "help" : flags.version ? "version" : named;
  requireTaken(flags, command, problems);
  return { flags, command, named, about: words.length > 0 ? named : undefined, operand };
}

/** The command that words begin with, and the word behind it. */
function readCommand(words: readonly string[], problems: string[]) {
  const line = words.length === 0 ? "serve" : words.join(" ");
  const row = rows.find(({ name, operand }) => line === name || (operand && line.startsWith(`${name} `)));
  if (!row) {
    problems.push(`There is no command "${line}". Try --help.`);
    return undefined;
  }
  const [operand] = words.slice(row.name.split(" ").length);
  const wanted = row.operand?.words ?? [];
  if (row.operand && wanted.length === 0) {
    if (words.length !== row.name.split(" ").length + 1)
      problems.push(`The command ${row.name} wants the name of a file behind it.`);
  } else if (row.operand && !wanted.some((word) => line === `${row.name} ${word}`))
    problems.push(`The command ${row.name} wants one word behind it: ${wanted.join(", ")}.`);
  return { command: row.name, operand };
}

/** An option that the command would ignore is a mistake of whoever typed it. */
function requireTaken(flags: object, command: CommandLine["command"], problems: string[]): void {
  const isTaken = (name: string, takes: readonly OptionName[]) => [...common, ...takes].some((one) => one === name);
  const row = rows.find(({ name }) => name === command);
  if (!row) return;
  for (const name of Object.keys(flags).filter((one) => !isTaken(one, row.options))) {
    const takers = rows.filter((one) => isTaken(name, one.options)).map((one) => one.name);
    const [only] = takers;
    problems.push(
      takers.length === 1
        ? `Only the command ${only} takes --${name}.`
        : `Only the commands ${takers.join(", ")} take --${name}.`,
    );
  }
}

export type Flags = ReturnType<typeof readFlags>["flags"];

function readFlags(args: readonly string[], problems: string[]) {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    return { flags: values, words: positionals };
  } catch (error) {
    const [sentence = ""] = String(error instanceof Error ? error.message : error).split(". ");
    problems.push(`${sentence.replace(/\.$/, "")}. Try --help.`);
    return { flags: {}, words: [] };
  }
}
