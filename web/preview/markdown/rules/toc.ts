import type MarkdownIt from "markdown-it";
import type { RuleBlock } from "markdown-it/lib/parser_block.mjs";
import { type Heading, type OutlineNode, outline } from "../outline.ts";
import type { MarkdownWords } from "../word-shapes.ts";
import { lineOf } from "./line.ts";

/** Links of all tables of contents of a page: a text can ask for thousands of tables of thousands of headings. */
const MOST_LINKS = 1000;

/** What one rendering knows of its headings; lives in markdown-it's env. */
export interface TocEnv {
  headings?: readonly Heading[];
  /** markdown-it's own: the addresses that the text defines, by their names in capitals. */
  references?: { readonly TOC?: unknown };
  /** How many links there may still be, and what they lead to. */
  toc?: { left: number; readonly named: readonly Heading[] };
}

const toc: RuleBlock = (state, startLine, _endLine, silent) => {
  const from = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
  if (state.src[from] !== "[" || (state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  const line = state.src.slice(from, state.eMarks[startLine]);
  if (!/^\[(?:toc|\[toc\])\]\s*$/i.test(line)) return false;
  if (silent) return true;
  const token = state.push("toc", "", 0);
  token.content = line;
  token.map = [startLine, startLine + 1];
  state.line = startLine + 1;
  return true;
};

/** Turns `[toc]` on a line of its own into links to the headings, nested as these are; without headings into nothing. */
export function tocRule(md: MarkdownIt, words: Pick<MarkdownWords, "contents">): void {
  const safe = md.utils.escapeHtml;
  const list = (nodes: readonly OutlineNode[]): string =>
    nodes.length === 0 ? "" : `<ul>${nodes.map(item).join("")}</ul>`;
  const item = ({ id, text, children }: OutlineNode): string =>
    `<li><a href="#${id}">${safe(text)}</a>${list(children)}</li>`;
  md.block.ruler.before("table", "toc", toc, { alt: ["paragraph", "reference", "blockquote", "list"] });
  md.renderer.rules.toc = (tokens, index, _options, env: TocEnv) => {
    // What the text itself says that the words lead to.
    if (env.references?.TOC) return `<p>${md.renderInline(tokens[index]?.content ?? "", env)}</p>`;
    env.toc ??= { left: MOST_LINKS, named: (env.headings ?? []).filter(({ text }) => text !== "") };
    const { left, named } = env.toc;
    const shown = named.slice(0, left);
    env.toc.left -= shown.length;
    if (shown.length === 0) return "";
    const more = shown.length < named.length ? "<p>…</p>" : "";
    return `<nav class="md-toc" aria-label="${safe(words.contents)}"${lineOf(tokens[index])}>${list(outline(shown))}${more}</nav>`;
  };
}
