/** What Markdown marks lines with, and words in them; a reader sees none of it. */
const MARKS = /^(?:#{1,6}\s+|>\s?|[-*+]\s+(?:\[[ xX]\]\s+)?|\d+[.)]\s+)+/;
const EMPHASIS = /(?<![\p{L}\p{N}])[*_`~]{1,3}(?=\S)|(?<=\S)[*_`~]{1,3}(?![\p{L}\p{N}])/gu;
/** Lines of Markdown that are nothing but marks. */
const RULE = /^(?:`{3}.*|([-=*_])\1{2,})$/;

/** Characters of a text that are read for a line. */
const BEGINNING = 4000;

/** The lines at the beginning of a text that say something; of Markdown without its marks. */
export const readableLines = (text: string, isPlain: boolean): string[] =>
  text
    .slice(0, BEGINNING)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && (isPlain || !RULE.test(line)))
    .map((line) => (isPlain ? line : line.replace(MARKS, "").replace(EMPHASIS, "")));

/** The line that names a text: the first that is more than a bracket, and does not say what runs a script; empty when there is none. */
export const firstLine = (text: string, isPlain: boolean): string =>
  readableLines(text, isPlain).find((line) => !line.startsWith("#!") && /[\p{L}\p{N}]/u.test(line)) ?? "";
