import type MarkdownIt from "markdown-it";
import type { Token } from "markdown-it";

/** The line of the text that a block begins at, where it is wanted. */
export function lineOf(token: Token | undefined): string {
  const line = token?.attrGet("data-line");
  return line ? ` data-line="${Number(line)}"` : "";
}

/** Marks blocks with their lines, by which an editor scrolls text and preview together; the reading page wants none. */
export function lineRule(md: MarkdownIt): void {
  md.core.ruler.push("lines", ({ tokens }) => {
    for (const token of tokens)
      if (token.map && token.nesting >= 0 && token.level < 4) token.attrSet("data-line", String(token.map[0]));
  });
}
