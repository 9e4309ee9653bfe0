import type MarkdownIt from "markdown-it";
import type { RuleBlock } from "markdown-it/lib/parser_block.mjs";
import type { RuleInline } from "markdown-it/lib/parser_inline.mjs";
import { lineOf } from "./line.ts";

/** `$a+b$`; a price list such as "$5 and $10" stays text: no space inside the dollars, no digit behind them. */
const inlineMath: RuleInline = (state, silent) => {
  const { src, pos } = state;
  if (src[pos] !== "$") return false;
  const marker = src[pos + 1] === "$" ? "$$" : "$";
  const from = pos + marker.length;
  const at = closingDollar(src, from, state.posMax, marker);
  if (at < 0) return false;
  if (!silent) {
    const token = state.push("math", "", 0);
    token.content = src.slice(from, at);
    token.meta = { display: marker === "$$" };
  }
  state.pos = at + marker.length;
  return true;
};

function closingDollar(source: string, from: number, end: number, marker: string): number {
  if (marker === "$" && /[\s$]/.test(source[from] ?? " ")) return -1;
  let at = source.indexOf(marker, from);
  while (at > from && source[at - 1] === "\\") at = source.indexOf(marker, at + 1);
  if (at <= from || at + marker.length > end) return -1;
  if (marker === "$" && (/\s/.test(source[at - 1] ?? "") || /[0-9]/.test(source[at + 1] ?? ""))) return -1;
  return at;
}

const textAt = (state: Parameters<RuleBlock>[0], line: number): string =>
  state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]);

/** `$$` alone on a line up to the next such line, or `$$ ... $$` on one line. */
const blockMath: RuleBlock = (state, startLine, endLine, silent) => {
  const first = textAt(state, startLine).trim();
  if (!first.startsWith("$$")) return false;
  const oneLine = first.length > 4 && first.endsWith("$$");
  if (!oneLine && first !== "$$") return false;
  const last = oneLine ? startLine : closingLine(state, startLine + 1, endLine);
  if (last < 0) return false;
  if (silent) return true;
  const token = state.push("math", "", 0);
  token.block = true;
  token.meta = { display: true };
  token.content = oneLine
    ? first.slice(2, -2)
    : state.getLines(startLine + 1, last, state.tShift[startLine] ?? 0, false);
  token.map = [startLine, last + 1];
  state.line = last + 1;
  return true;
};

function closingLine(state: Parameters<RuleBlock>[0], from: number, endLine: number): number {
  for (let line = from; line < endLine; line++) if (textAt(state, line).trim() === "$$") return line;
  return -1;
}

/** Marks formulas; the source stands in the page until KaTeX, loaded only then, takes its place. */
export function mathRules(md: MarkdownIt): void {
  md.inline.ruler.after("escape", "math", inlineMath);
  md.block.ruler.before("fence", "math", blockMath, { alt: ["paragraph", "reference", "blockquote", "list"] });
  md.renderer.rules.math = (tokens, index) => {
    const token = tokens[index];
    const tag = token?.block ? "div" : "span";
    const display = token?.meta?.display ? ` data-display="1"` : "";
    return `<${tag} class="md-math"${display}${lineOf(token)}>${md.utils.escapeHtml(token?.content ?? "")}</${tag}>`;
  };
}
