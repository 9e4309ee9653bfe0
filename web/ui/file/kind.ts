import type { FileType } from "#contract/files";
import { t } from "../../i18n/i18n.ts";

/** Longer ones say nothing to a reader. */
const MAX_EXTENSION = 5;

/** What comes after the last dot of a name, in capitals; undefined when that is no ending. */
function endingOf(filename: string): string | undefined {
  const ending = /[^.]\.([A-Za-z0-9]+)$/.exec(filename)?.[1];
  return ending && ending.length <= MAX_EXTENSION ? ending.toUpperCase() : undefined;
}

/** Languages by the endings of their source files. */
const sources: Readonly<Record<string, string>> = {
  ...{ py: "Python", js: "JavaScript", mjs: "JavaScript", jsx: "JavaScript", ts: "TypeScript", tsx: "TypeScript" },
  ...{ java: "Java", kt: "Kotlin", c: "C", h: "C", cpp: "C++", hpp: "C++", cc: "C++", cs: "C#", go: "Go", rs: "Rust" },
  ...{ php: "PHP", rb: "Ruby", swift: "Swift", sh: "Shell", bash: "Shell", bat: "Batch", ps1: "PowerShell" },
  ...{
    sql: "SQL",
    css: "CSS",
    scss: "SCSS",
    html: "HTML",
    htm: "HTML",
    vue: "Vue",
    lua: "Lua",
    r: "R",
    scala: "Scala",
  },
};

type Named = "word" | "excel" | "powerpoint" | "markdown" | "plain" | "data" | "log" | "archive";

/** Kinds that people call by a name, by endings. */
const named: Readonly<Record<string, Named>> = {
  ...{ doc: "word", docx: "word", odt: "word", rtf: "word" },
  ...{ xls: "excel", xlsx: "excel", ods: "excel" },
  ...{ ppt: "powerpoint", pptx: "powerpoint", odp: "powerpoint" },
  ...{ md: "markdown", markdown: "markdown", txt: "plain", log: "log" },
  ...{ json: "data", xml: "data", csv: "data", yml: "data", yaml: "data", toml: "data" },
  ...{ zip: "archive", tar: "archive", gz: "archive", tgz: "archive", rar: "archive", bz2: "archive", xz: "archive" },
};

/** The kind of a file as people call it, "Python source", "Excel sheet", "PNG image"; needs the dictionary's part `file`. */
export function kindWords(type: FileType, filename: string): string {
  const ending = endingOf(filename) ?? (/[^.]\.7z$/i.test(filename) ? "7Z" : undefined);
  const low = ending?.toLowerCase() ?? "";
  const language = Object.hasOwn(sources, low) ? sources[low] : undefined;
  if (language !== undefined) return sourceWords(language);
  const name = Object.hasOwn(named, low) ? named[low] : undefined;
  if (name && ending) return t(`file.named.${name}`, { ending });
  const kind = t(`file.kind.${type}`);
  return ending ? t("file.kindOf", { ending, kind }) : kind;
}

/** Source code of a language. */
export const sourceWords = (language: string): string => t("file.source", { language });
