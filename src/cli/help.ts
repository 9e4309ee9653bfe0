import { version } from "../../package.json";
import {
  type Command,
  type CommandName,
  common,
  type Option,
  type OptionName,
  options,
  rows,
  variables,
} from "./commands.ts";

/** Columns of a terminal that a line may take. */
const WIDTH = 120;

/** A command as it is typed, without its options. */
export const usageOf = ({ name, operand }: Command): string =>
  [name === "serve" ? "[serve]" : name, ...(operand ? [operand.name] : [])].join(" ");

/** An option as it is typed, with the name of its value. */
export function flagOf(name: OptionName): string {
  const { value }: Option = options[name];
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

/** Two columns; a text that is longer than a line goes on below itself. */
function table(lines: readonly (readonly [left: string, right: string])[]): string {
  const width = Math.max(...lines.map(([left]) => left.length)) + 2;
  return lines.map(([left, right]) => `  ${left.padEnd(width)}${wrap(right, width + 2)}`).join("\n");
}

function wrap(text: string, indent: number): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line && indent + line.length + word.length >= WIDTH) {
      lines.push(line);
      line = "";
    }
    line += line ? ` ${word}` : word;
  }
  return [...lines, line].join(`\n${" ".repeat(indent)}`);
}

/** What an option means, and which commands take it where not every one does. */
export function meaningOf(name: OptionName): string {
  const takers = rows.filter((command) => command.options.includes(name)).map((command) => command.name);
  return takers.length === 0 ? options[name].summary : `${options[name].summary}; for ${takers.join(", ")}`;
}

/** The options in the order of their commands, the common ones last. */
export const optionNames: readonly OptionName[] = [
  ...new Set([...rows.flatMap((command) => command.options), ...common]),
];

/** What --help prints: of one command what it does and its options; else every command, every option and the names of the variables. */
export function help(about?: CommandName): string {
  const command = rows.find(({ name }) => name === about);
  if (command) return helpOf(command);
  const secrets = variables.filter(({ secret }) => secret).map(({ name }) => name);
  return `Satchel ${version}: an online clipboard and file share.

${table(rows.map((command) => [`satchel ${usageOf(command)}`, command.summary]))}

satchel COMMAND --help tells of one of them.

Options:
${table(optionNames.map((name) => [flagOf(name), meaningOf(name)]))}

Environment:
  ${wrap(`${variables.map(({ name }) => name).join(", ")}.`, 2)}
  ${wrap(`In place of a secret a file may hold it: SECRET_KEY_FILE names the file of SECRET_KEY; so for ${secrets.join(", ")}.`, 2)}
`;
}

function helpOf(command: Command): string {
  const summary = `${command.summary.charAt(0).toUpperCase()}${command.summary.slice(1)}.`;
  return `Usage: satchel ${usageOf(command)} [OPTION...]

${wrap(summary, 0)}

Options:
${table([...command.options, ...common].map((name) => [flagOf(name), options[name].summary]))}
${command.operand?.words.length ? `\n${command.operand.name} is one of ${command.operand.words.join(", ")}.\n` : ""}`;
}
