import jsTokens from "js-tokens";
import { analyse } from "scslre";
import type { Source } from "../sources.ts";

/**
 * Regular expressions that go back and forth between two repetitions that both take a character, as in `\s*.*\s*$`: a text made for
 * them costs the square or the cube of its length, or more. Returns each as file:line, pattern, and what such a text consists of.
 */
export function slowPatterns({ path, text }: Source): string[] {
  const found: string[] = [];
  let line = 1;
  for (const { type, value } of jsTokens(text, { jsx: path.endsWith("x") })) {
    if (type === "RegularExpressionLiteral")
      found.push(...slowWith(value).map((pick) => `${path}:${line} ${value} on ${JSON.stringify(pick)}`));
    line += value.split("\n").length - 1;
  }
  return [...new Set(found)];
}

/** Characters whose repetition makes a pattern slow. A search that begins anew at each of them is not looked for: that is a square. */
function slowWith(literal: string): string[] {
  const end = literal.lastIndexOf("/");
  const pattern = { source: literal.slice(1, end), flags: literal.slice(end + 1) };
  return analyse(pattern, { reportTypes: { Move: false } }).reports.map(({ character }) => character.pick);
}
