import MarkdownIt from "markdown-it";
import type { Heading } from "./outline.ts";
import { bareLinkRule } from "./rules/bare-links.ts";
import { codeRules } from "./rules/code.ts";
import { footnoteRules, type NotesEnv, renderNotes } from "./rules/footnotes.ts";
import { headingRule } from "./rules/headings.ts";
import { lineRule } from "./rules/line.ts";
import { linkRules } from "./rules/links.ts";
import { mathRules } from "./rules/math.ts";
import { pairRules } from "./rules/pairs.ts";
import { tableRules } from "./rules/tables.ts";
import { taskRule } from "./rules/tasks.ts";
import { sanitize } from "./sanitize.ts";
import type { MarkdownWords } from "./word-shapes.ts";

interface RenderedMarkdown {
  readonly html: string;
  readonly headings: readonly Heading[];
}

const options = { html: false, linkify: true, breaks: true, typographer: false } as const;

/** Teaches a parser what we understand beside CommonMark, and how links, images, code and tables are shown. */
function readingRules(md: MarkdownIt, words: MarkdownWords, origin: string): void {
  bareLinkRule(md);
  pairRules(md);
  mathRules(md);
  footnoteRules(md);
  taskRule(md);
  codeRules(md, words);
  tableRules(md, words);
  linkRules(md, { origin, words });
}

/** The headings of a text, without rendering it. */
export function headingsOf(text: string): readonly Heading[] {
  const md = new MarkdownIt({ ...options, linkify: false });
  pairRules(md);
  mathRules(md);
  footnoteRules(md);
  // Of what stands within blocks only that of headings is looked at.
  md.core.ruler.at("inline", ({ tokens, env }) => {
    for (const [index, { content, children }] of tokens.entries())
      if (children && tokens[index - 1]?.type === "heading_open") md.inline.parse(content, md, env, children);
  });
  headingRule(md);
  const env: { headings?: Heading[] } = {};
  md.parse(text, env);
  return env.headings ?? [];
}

interface Rendering {
  readonly words: MarkdownWords;
  readonly origin: string;
  /** Blocks say at which line of the text they begin. */
  readonly lines?: boolean | undefined;
}

interface MarkdownBlocks {
  /** The HTML of each block of the page, before the second wall. */
  readonly blocks: readonly string[];
  readonly headings: readonly Heading[];
}

/** Markdown as blocks of HTML before the second wall, so that a page that changes lets pass only what is new. */
export function markdownBlocks(text: string, { words, origin, lines }: Rendering): MarkdownBlocks {
  const md = new MarkdownIt(options);
  readingRules(md, words, origin);
  headingRule(md);
  if (lines) lineRule(md);
  const env: NotesEnv & { headings?: Heading[] } = {};
  const tokens = md.parse(text, env);
  const blocks: string[] = [];
  let [from, depth] = [0, 0];
  for (const [index, { nesting }] of tokens.entries()) {
    depth += nesting;
    if (depth > 0) continue;
    blocks.push(md.renderer.render(tokens.slice(from, index + 1), md.options, env));
    from = index + 1;
  }
  const notes = renderNotes(md, env, words.notes);
  return { blocks: notes ? [...blocks, notes] : blocks, headings: env.headings ?? [] };
}

/** The same as one text; pure, so that tests can hold the first wall alone. */
export function markdownHtml(text: string, rendering: Rendering): RenderedMarkdown {
  const { blocks, headings } = markdownBlocks(text, rendering);
  return { html: blocks.join(""), headings };
}

/** Markdown as HTML for reading; formulas, diagrams and code colours are added later by `enhance`. */
export function renderMarkdown(text: string, rendering: Rendering): RenderedMarkdown {
  const { html, headings } = markdownHtml(text, rendering);
  return { html: sanitize(html), headings };
}
