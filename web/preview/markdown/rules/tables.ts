import type MarkdownIt from "markdown-it";
import type { MarkdownWords } from "../word-shapes.ts";
import { lineOf } from "./line.ts";

const alignment = /text-align:\s*(left|center|right)/;

/** Tables scroll in a box of their own, and align by attribute: style attributes do not pass the second wall. */
export function tableRules(md: MarkdownIt, words: MarkdownWords): void {
  const label = md.utils.escapeHtml(words.table);
  md.renderer.rules.table_open = (tokens, index) =>
    `<div class="md-table"${lineOf(tokens[index])} tabindex="0" role="region" aria-label="${label}"><table>\n`;
  md.renderer.rules.table_close = () => "</table></div>\n";
  for (const cell of ["th_open", "td_open"]) {
    md.renderer.rules[cell] = (tokens, index) => {
      const tag = cell.slice(0, 2);
      const align = alignment.exec(tokens[index]?.attrGet("style") ?? "")?.[1];
      return align ? `<${tag} align="${align}">` : `<${tag}>`;
    };
  }
}
