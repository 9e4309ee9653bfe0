import MarkdownIt from "markdown-it";
import type { WrittenHeading } from "./outline.ts";
import { blockTokens, type Part, partsOf } from "./parts.ts";
import type { Relative } from "./relative.ts";
import { alertRule } from "./rules/alerts.ts";
import { bareLinkRule } from "./rules/bare-links.ts";
import { codeRules } from "./rules/code.ts";
import { emojiRule } from "./rules/emoji.ts";
import { footnoteRules, type NotesEnv, renderNotes } from "./rules/footnotes.ts";
import { collectHeadings, type HeadingsEnv, headingRule } from "./rules/headings.ts";
import { lineRule } from "./rules/line.ts";
import { linkRules } from "./rules/links.ts";
import { cutLong, longRule } from "./rules/long.ts";
import { mathRules } from "./rules/math.ts";
import { mediaRule } from "./rules/media.ts";
import { pairRules } from "./rules/pairs.ts";
import { tableRules } from "./rules/tables.ts";
import { taskRule } from "./rules/tasks.ts";
import { tocRule } from "./rules/toc.ts";
import type { MarkdownWords } from "./word-shapes.ts";

const options = { html: false, linkify: true, breaks: true, typographer: false } as const;

export interface Rendering {
  readonly words: MarkdownWords;
  readonly origin: string;
  /** Blocks say at which line of the text they begin. */
  readonly lines?: boolean | undefined;
  /** What relative addresses lead to; else they are of this page. */
  readonly relative?: Relative | undefined;
  /** It was sealed: images wait for a click, those of this origin too. */
  readonly isSealed?: boolean | undefined;
}

/** A parser that knows what we understand beside CommonMark, and how links, images, code and tables are shown. */
function parser({ words, origin, lines, relative, isSealed }: Rendering): MarkdownIt {
  const md = new MarkdownIt(options);
  longRule(md);
  bareLinkRule(md);
  pairRules(md);
  mathRules(md);
  emojiRule(md);
  footnoteRules(md);
  tocRule(md, words);
  taskRule(md);
  alertRule(md, words);
  codeRules(md, words);
  tableRules(md, words);
  linkRules(md, { origin, words, relative, isSealed });
  mediaRule(md, origin);
  headingRule(md);
  if (lines) lineRule(md);
  return md;
}

function ended<Result>(steps: Generator<unknown, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The headings of a text, without rendering it. */
export function headingsOf(text: string): readonly WrittenHeading[] {
  const md = new MarkdownIt({ ...options, linkify: false });
  pairRules(md);
  mathRules(md);
  emojiRule(md);
  footnoteRules(md);
  tocRule(md, { contents: "" });
  const env = {};
  return ended(collectHeadings(md, ended(blockTokens(md, text, env)), env));
}

/** What comes of a step: nothing yet, the headings of the whole text, then its parts in their order. */
export type Step = undefined | { readonly headings: readonly WrittenHeading[] } | Part;

/**
 * Markdown as HTML for reading, before the second wall, in steps short enough that a page can have its turn between them; formulas,
 * diagrams and code colours are added later by `enhance`.
 */
export function* render(text: string, rendering: Rendering): Generator<Step, void> {
  const md = parser(rendering);
  const env: NotesEnv & HeadingsEnv = {};
  const tokens = cutLong(yield* blockTokens(md, text, env));
  yield { headings: yield* collectHeadings(md, tokens, env) };
  yield* partsOf(md, tokens, env);
  yield* renderNotes(md, env, rendering.words.notes);
}
