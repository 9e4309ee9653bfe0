import type { FileType } from "#contract/files";
import { t } from "../../i18n/i18n.ts";

/** Longer ones say nothing to a reader. */
const MAX_EXTENSION = 5;

/** What comes after the last dot of a name, in capitals; undefined when that is no ending. */
function endingOf(filename: string): string | undefined {
  const ending = /[^.]\.([A-Za-z0-9]+)$/.exec(filename)?.[1];
  return ending && ending.length <= MAX_EXTENSION ? ending.toUpperCase() : undefined;
}

/** The kind of a file in words, "PNG image"; needs the dictionary's part `file`. */
export function kindWords(type: FileType, filename: string): string {
  const kind = t(`file.kind.${type}`);
  const ending = endingOf(filename);
  return ending ? t("file.kindOf", { ending, kind }) : kind;
}
