import type { Token } from "markdown-it";

/** The attribute by which the editor scrolls text and preview together; the reading page sets none. */
export function lineOf(token: Token | undefined): string {
  const line = token?.attrGet("data-line");
  return line ? ` data-line="${Number(line)}"` : "";
}
