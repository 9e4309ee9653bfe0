import { type LanguageSigns, languageSigns, type Sign } from "./signs.ts";

/** Letters of a text that are looked at: what it is shows at its beginning. */
const LOOKED_AT = 64 * 1024;
/** Letters of one line that are looked at. */
const LINE = 300;
/** Lines that say enough. */
const LINES = 200;

/** What a text is that is not Markdown. */
export interface TextKind {
  /** What people call it: "JSON", "Python". */
  readonly name: string;
  /** The grammar of highlight.js that colours it; undefined where there is none. */
  readonly grammar: string | undefined;
}

const kind = (name: string, grammar?: string): TextKind => ({ name, grammar });

/** The lines of a text as the rules below look at them. */
interface Look {
  /** The beginning of the text. */
  readonly head: string;
  /** Whether `head` is all of it. */
  readonly whole: boolean;
  readonly lines: readonly string[];
  /** Those that are not blank. */
  readonly filled: readonly string[];
}

/**
 * Recognises code, data, logs and crontabs, which Markdown would make headings, lists and one paragraph of; undefined for Markdown, for
 * prose and for whatever is in doubt. It reads the first 64 KiB and of each line 300 letters, each a fixed number of times.
 */
export function recognise(text: string): TextKind | undefined {
  const look = lookAt(text);
  if (look.filled.length === 0) return undefined;
  for (const rule of [script, json, diff]) {
    const found = rule(look);
    if (found) return found;
  }
  if (hasFences(look) || hasFrontMatter(look)) return undefined;
  for (const rule of [log, crontab, markup, yaml, settings, table, code]) {
    const found = rule(look);
    if (found) return found;
  }
  return undefined;
}

function lookAt(text: string): Look {
  const whole = text.length <= LOOKED_AT;
  const head = (whole ? text : text.slice(0, LOOKED_AT)).replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  const all = head.split("\n", LINES + 1);
  // The last one may be torn.
  const lines = (whole || all.length === 1 ? all : all.slice(0, -1))
    .slice(0, LINES)
    .map((line) => line.slice(0, LINE).trimEnd());
  return { head, whole, lines, filled: lines.filter((line) => line.trim() !== "") };
}

const share = (lines: readonly string[], fits: (line: string) => boolean): number =>
  lines.length === 0 ? 0 : lines.filter(fits).length / lines.length;

const interpreters: readonly (readonly [RegExp, TextKind])[] = [
  [/python/, kind("Python", "python")],
  [/node|deno|bun/, kind("JavaScript", "javascript")],
  [/perl/, kind("Perl", "perl")],
  [/ruby/, kind("Ruby", "ruby")],
  [/php/, kind("PHP", "php")],
  [/pwsh/, kind("PowerShell", "powershell")],
  [/lua/, kind("Lua", "lua")],
];

/** A script says by what it is run. */
function script({ lines }: Look): TextKind | undefined {
  const [first = ""] = lines;
  if (!/^#! ?\/\S/.test(first)) return undefined;
  return interpreters.find(([name]) => name.test(first))?.[1] ?? kind("Shell", "bash");
}

const isParsed = (text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return value.length > 1 || (typeof value[0] === "object" && value[0] !== null);
    return typeof value === "object" && value !== null && Object.keys(value).length > 0;
  } catch {
    // What is no JSON may be many other things.
    return false;
  }
};

/** One value, one on each line, or the beginning of one that is too long to be parsed. */
function json({ head, whole, filled }: Look): TextKind | undefined {
  const text = head.trim();
  if (!/^[{[]/.test(text)) return undefined;
  const found = kind("JSON", "json");
  if (whole && isParsed(text)) return found;
  const records = filled.slice(0, 20);
  if (records.length > 1 && records.every((line) => line.startsWith("{") && (line.length === LINE || isParsed(line))))
    return found;
  if (whole) return undefined;
  const isPart = (line: string) => /^\s*(?:"[^"]{0,200}"\s*[:,]|"[^"]{0,300}"?$|[\]}{[],?|[\d.-]+,?$)/.test(line);
  return /^[{[]\s*["{[\d]/.test(text) && share(filled, isPart) > 0.8 ? found : undefined;
}

function diff({ lines }: Look): TextKind | undefined {
  const has = (sign: RegExp) => lines.some((line) => sign.test(line));
  const isOne = has(/^@@ -\d+(?:,\d+)? \+\d+/) && (has(/^diff --git /) || (has(/^--- \S/) && has(/^\+\+\+ \S/)));
  return isOne ? kind("Diff", "diff") : undefined;
}

/** Blocks of code between lines of prose are Markdown's own. */
const hasFences = ({ lines }: Look): boolean => lines.some((line) => /^ {0,3}(?:```|~~~)/.test(line));

/** Settings between two lines of dashes, with a text below them. */
function hasFrontMatter({ lines }: Look): boolean {
  if (lines[0]?.trimEnd() !== "---") return false;
  const end = lines.indexOf("---", 1);
  if (end < 2 || end > 60) return false;
  const below = lines.slice(end + 1).filter((line) => line.trim() !== "");
  return below.length > 0 && share(below, isYamlLine) < 0.9;
}

const times: readonly RegExp[] = [
  /^\[?\d{4}[-/.]\d\d[-/.]\d\d[T ]\d\d:\d\d:\d\d/,
  /^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d /,
  /^\S{2,45} \S+ \S+ \[\d\d\/[A-Z][a-z]{2}\/\d{4}:/,
  /^\[?\d\d:\d\d:\d\d[.,]\d{3}\]? /,
  /^\[ {0,8}\d{1,8}\.\d{6}\] /,
  /^[IWEF]\d{4} \d\d:\d\d:\d\d/,
  /^(?:time|ts)="?\d{4}-\d\d-\d\d/,
  /^\[?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL|CRITICAL)\]?:? .*\d\d:\d\d:\d\d/,
];
const isTimed = (line: string): boolean => times.some((time) => time.test(line));
const isFrame = (line: string): boolean => /^\s+at \S|^\s+File "|^Caused by: |^\s+\.\.\. \d+ more/.test(line);

/** Lines that begin with an instant, and traces of what has failed. */
function log({ lines, filled }: Look): TextKind | undefined {
  const found = kind("Log");
  const entries = filled.filter((line) => !/^\s/.test(line));
  if (entries.length > 1 && share(entries, isTimed) >= 0.6) return found;
  const [only = ""] = filled;
  if (filled.length === 1 && isTimed(only) && /\b(?:DEBUG|INFO|WARN|ERROR|FATAL)\b/.test(only)) return found;
  const isTrace = /^Traceback \(most recent call last\)|^Exception in thread |^(?:[\w.]+\.)?\w+(?:Error|Exception)\b/;
  return lines.some((line) => isTrace.test(line)) && share(filled, isFrame) >= 0.2 ? found : undefined;
}

const field = String.raw`(?:\*|\d{1,2}(?:-\d{1,2})?|[A-Za-z]{3}(?:-[A-Za-z]{3})?)(?:/\d{1,2})?(?:,[\d*/A-Za-z-]{1,12}){0,30}`;
const cronLine = new RegExp(
  String.raw`^\s*(?:@(?:reboot|yearly|annually|monthly|weekly|daily|midnight|hourly)|(?:${field}\s+){4}${field})\s+\S`,
);
const isSetting = (line: string): boolean => /^[A-Z][A-Z0-9_]*\s*=/.test(line);

/** Times in five fields with a command. */
function crontab({ filled }: Look): TextKind | undefined {
  const said = filled.filter((line) => !line.startsWith("#"));
  const jobs = said.filter((line) => cronLine.test(line));
  if (jobs.length === 0 || !jobs.some((line) => /^\s*@|\*/.test(line) && /[/\w-]{2}/.test(line))) return undefined;
  return said.every((line) => cronLine.test(line) || isSetting(line)) ? kind("Crontab", "bash") : undefined;
}

/** Tags that Markdown has within it. */
const WITHIN_MARKDOWN =
  /^<(?:details|p|div|img|h[1-6]|a|picture|br|center|kbd|sub|sup|table|b|i|em|strong|video|audio|!--)\b/i;

/** Documents of tags. */
function markup({ head, filled }: Look): TextKind | undefined {
  const [first = ""] = filled;
  if (/^<!doctype html|^<html[\s>]/i.test(first.trim())) return kind("HTML", "xml");
  if (/^<\?xml\s|^<svg[\s>]/i.test(first.trim())) return kind("XML", "xml");
  if (/^<\?php\b/.test(first)) return kind("PHP", "php");
  const name = /^<([A-Za-z][\w:.-]{0,60})[\s>]/.exec(first)?.[1];
  if (!name || WITHIN_MARKDOWN.test(first) || !head.trimEnd().endsWith(`</${name}>`)) return undefined;
  return share(filled, (line) => /^\s*<[/!A-Za-z]/.test(line)) > 0.6 ? kind("XML", "xml") : undefined;
}

const isComment = (line: string): boolean => /^\s*#/.test(line);
const yamlKey = /^(?:\s*(?:- )?)(?:"[^"]{1,80}"|'[^']{1,80}'|[\w$./-]{1,80}):(?:\s|$)/;
const isYamlLine = (line: string): boolean =>
  yamlKey.test(line) ||
  /^\s*- \S/.test(line) ||
  /^(?:---|\.\.\.)$/.test(line) ||
  /^\s{2,}\S/.test(line) ||
  isComment(line);

/** Keys with others below them. */
function yaml({ filled }: Look): TextKind | undefined {
  const said = filled.filter((line) => !isComment(line));
  const keys = said.filter((line) => yamlKey.test(line));
  const isNested = said.some((line, at) => {
    const next = said[at + 1] ?? "";
    return /[\w"']: ?[|>]?-?$/.test(line) && yamlKey.test(line) && /^\s*- \S|^\s{1,}\S/.test(next);
  });
  const isAll = said.every(isYamlLine) && keys.length >= 3 && keys.length >= said.length * 0.5;
  // A list of things to do has its headings, and no keys in small letters.
  return isAll && isNested && share(keys, (line) => /^\s*(?:- )?["'$]?[a-z_]/.test(line)) > 0.5
    ? kind("YAML", "yaml")
    : undefined;
}

/** Sections of an INI or TOML file, or variables of an environment. */
function settings({ filled }: Look): TextKind | undefined {
  const said = filled.filter((line) => !/^\s*[#;]/.test(line));
  const isVariable = (line: string) => /^(?:export )?[A-Z][A-Z0-9_]*=/.test(line);
  if (said.length > 1 && said.every(isVariable)) return kind("Variables", "bash");
  const isSection = (line: string) => /^\s*\[{1,2}[\w."' :/-]{1,100}\]{1,2}$/.test(line);
  const isPair = (line: string) => /^\s*[\w.\-"' ]{1,80}=/.test(line);
  const pairs = said.filter(isPair).length;
  if (!said.some(isSection) || pairs < 2) return undefined;
  return share(said, (line) => isSection(line) || isPair(line) || /^\s+\S|^[\]}"]/.test(line)) > 0.9
    ? kind("INI", "ini")
    : undefined;
}

/** Rows with as many cells each. */
function table({ filled }: Look): TextKind | undefined {
  // A sign within quotes separates nothing.
  const rows = filled.map((line) => line.replace(/"[^"]*"/g, '""'));
  const [first = ""] = rows;
  for (const [sign, fewest] of [
    ["\t", 2],
    [",", 3],
    [";", 3],
  ] as const) {
    const count = first.split(sign).length;
    if (count < 2 || rows.length < fewest) continue;
    const isTight = rows.every(
      (row) => !row.includes(`${sign} `) && row.split(sign).length === count && !/[。，.!?]$/.test(row),
    );
    if (isTight && (count > 2 || sign === "\t" || /^[\w"-]+[,;][\w"-]+$/.test(first))) return kind("CSV");
  }
  return undefined;
}

/** Lines that no programming language has. */
const WORDS = /^["“(]?[\p{L}'’]+[,.:;!?)"”]*$/u;
const IDEOGRAPHS = /[\u4e00-\u9fff\u3040-\u30ff\uac00-\ud7af]{4}/;
const isRemark = (line: string): boolean => /^\s*(?:#|\/\/|\/?\*|--|;|<!--|"""|'''|%)/.test(line);

function isProse(line: string): boolean {
  if (/[{}=;<>$\\]|\w\(|\)$/.test(line)) return false;
  if (IDEOGRAPHS.test(line)) return !/["'`]/.test(line);
  const words = line.trim().split(/\s+/, 40);
  return words.length >= 4 && words.filter((word) => WORDS.test(word)).length >= words.length * 0.8;
}

const isMarkdownLine = (line: string): boolean =>
  /\]\(\S|^!\[|^\s*[-*+] (?:\[[ xX]\] )?[\p{L}*`[]|^\d{1,3}\. \S|^\s*\|.*\|\s*$|^>\s|\*\*[^*\s][^*]*\*\*/u.test(line);
const isCodeLine = (line: string): boolean =>
  /[;{}()[\],:\\|]\s*$|^\s*[)}\]]|^(?:\t| {2,})\S|^\s*[\w.$]+\s*(?:[:+*-]?=)\s*\S|^\w+(?:\.\w+)*\(/.test(line);

const weigh = (line: string, signs: readonly Sign[]): number =>
  signs.reduce((most, [weight, sign]) => (weight > most && sign.test(line) ? weight : most), 0);

/** The language that most lines have signs of, where few lines are anything else. */
function code({ filled }: Look): TextKind | undefined {
  const said = withoutQuoted(filled).filter((line) => !isRemark(line));
  if (said.length === 0) return undefined;
  if (share(said, isMarkdownLine) > 0.15) return undefined;
  const best = strongest(said);
  if (!best || best.weight < Math.max(3, said.length * 0.3)) return undefined;
  const { signs, name, grammar } = best.language;
  const others = said.filter((line) => weigh(line, signs) === 0);
  if (others.filter(isProse).length > said.length * 0.15) return undefined;
  return others.filter(isCodeLine).length >= others.length - said.length * 0.4 ? kind(name, grammar) : undefined;
}

interface Strongest {
  readonly language: LanguageSigns;
  readonly weight: number;
}

/** The language that the signs of these lines weigh most for. */
function strongest(lines: readonly string[]): Strongest | undefined {
  let best: Strongest | undefined;
  for (const language of languageSigns) {
    const { signs, needs } = language;
    const weight = lines.reduce((sum, line) => sum + weigh(line, signs), 0);
    if (weight > (best?.weight ?? 0) && (!needs || lines.some((line) => needs.test(line)))) best = { language, weight };
  }
  return best;
}

/** The lines outside of what Python quotes over many lines, which is prose more often than not. */
function withoutQuoted(lines: readonly string[]): string[] {
  let isQuoted = false;
  return lines.filter((line) => {
    const marks = line.match(/"""|'''/g)?.length ?? 0;
    const isInside = isQuoted;
    if (marks % 2 === 1) isQuoted = !isQuoted;
    return !isInside && marks === 0;
  });
}
