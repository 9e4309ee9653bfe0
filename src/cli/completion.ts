import { type Command, common, type Option, type OptionName, options, rows } from "./commands.ts";

/** The shells that completions are written for. */
export type Shell = "bash" | "zsh" | "fish";

/** What a shell reads to complete this command line, made from the table of commands. */
export function completion(shell: Shell): string {
  return { bash, zsh, fish }[shell]();
}

const optionsOf = (command: Command): readonly OptionName[] => [...command.options, ...common];

const option = (name: OptionName): Option => options[name];

/** The first words of all commands, and what follows each. */
function words(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { name, operand } of rows) {
    const [first = "", ...rest] = name.split(" ");
    found.set(first, [...(found.get(first) ?? []), ...rest, ...(operand?.words ?? [])]);
  }
  return found;
}

/** Commands that a file follows. */
const takingFiles = rows.filter(({ operand }) => operand?.words.length === 0);

/** The pattern of words that a command begins with, as `case` of a shell reads it. */
const pattern = ({ name }: Command): string => `"${name}"*`;

function bash(): string {
  const following = [...words()].filter(([, next]) => next.length > 0);
  const named = (what: Option["completes"]) =>
    Object.keys(options)
      .filter((name) => option(name as OptionName).completes === what)
      .map((name) => `--${name}`)
      .join("|");
  return `# bash completion of satchel
_satchel() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} line words
  line="\${COMP_WORDS[*]:1:COMP_CWORD-1}"
  case "$before" in
    ${named("file")}) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    ${named("folder")}) mapfile -t COMPREPLY < <(compgen -d -- "$word"); return ;;
  esac
  case "$line" in
    "") words="${[...words().keys()].join(" ")} ${common.map((name) => `--${name}`).join(" ")}" ;;
${following.map(([first, next]) => `    "${first}") words="${next.join(" ")}" ;;`).join("\n")}
${rows
  .map(
    (command) =>
      `    ${pattern(command)}) words="${optionsOf(command)
        .map((name) => `--${name}`)
        .join(" ")}" ;;`,
  )
  .join("\n")}
    *) words="${common.map((name) => `--${name}`).join(" ")}" ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  case "$line" in
    ${takingFiles.map(pattern).join("|")}) [[ $word == -* ]] || mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
  esac
}
complete -F _satchel satchel
`;
}

/** A text between single quotes of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function zsh(): string {
  const offered = (name: OptionName): string => {
    const { value, completes, summary } = option(name);
    const action = { file: "_files", folder: "_files -/" };
    const argument = value === undefined ? "" : `:${value}:${completes ? action[completes] : ""}`;
    return quoted(`--${name}[${summary.replace(/[[\]:]/g, "\\$&")}]${argument}`);
  };
  const rest = (command: Command) => (takingFiles.includes(command as never) ? "'*:FILE:_files'" : "'*::'");
  const following = [...words()].filter(([, next]) => next.length > 0);
  return `#compdef satchel
_satchel() {
  local line="\${words[2,CURRENT-1]}"
  case "$line" in
    "") compadd ${[...words().keys()].join(" ")} ;;
${following.map(([first, next]) => `    "${first}") compadd ${next.join(" ")} ;;`).join("\n")}
  esac
  case "$line" in
${rows.map((command) => `    ${pattern(command)}) _arguments ${optionsOf(command).map(offered).join(" ")} ${rest(command)} ;;`).join("\n")}
    *) _arguments ${common.map(offered).join(" ")} '*::' ;;
  esac
}
if [ "$funcstack[1]" = _satchel ]; then _satchel "$@"; else compdef _satchel satchel; fi
`;
}

function fish(): string {
  const first = [...words().keys()];
  const lines = rows.flatMap((command) => {
    const [start = "", next] = command.name.split(" ");
    const condition = `__fish_seen_subcommand_from ${start}`;
    const begins = `complete -c satchel -n "not __fish_seen_subcommand_from ${first.join(" ")}" -a ${start}`;
    const follows = [...(next ? [next] : []), ...(command.operand?.words ?? [])];
    return [
      next ? begins : `${begins} -d ${quoted(command.summary)}`,
      ...follows.map((word) => `complete -c satchel -n "${condition}" -a ${word} -d ${quoted(command.summary)}`),
      ...(takingFiles.includes(command) ? [`complete -c satchel -n "${condition}" -F`] : []),
      ...command.options.map((name) => `complete -c satchel -n "${condition}" ${fishOption(name)}`),
    ];
  });
  return `# fish completion of satchel
complete -c satchel -f
${common.map((name) => `complete -c satchel ${fishOption(name)}`).join("\n")}
${lines.join("\n")}
`;
}

function fishOption(name: OptionName): string {
  const { short, value, completes, summary } = option(name);
  const argument = value === undefined ? "" : completes ? " -r -F" : " -x";
  return `-l ${name}${short ? ` -s ${short}` : ""}${argument} -d ${quoted(summary)}`;
}
