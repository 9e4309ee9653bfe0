import type MarkdownIt from "markdown-it";
import type { Token } from "markdown-it";

/** A piece of a page: a block, or a part of a long one. */
export interface Part {
  readonly html: string;
  /** The tags of what the part before has left open, in which this one goes on; empty for a block of its own. */
  readonly within: string;
}

/** How much one part holds, about, so that making and laying it out is not felt: tokens, and letters in each. */
const MOST = 500;
const LETTERS = 40;

/** Yields between blocks, because a browser has to have its turn while a long text is parsed. */
export function* blockTokens(md: MarkdownIt, text: string, env: unknown): Generator<undefined, Token[]> {
  const tokens: Token[] = [];
  // CommonMark 2.1 and 2.3: what ends a line, and what may not be in a text.
  const source = text.replace(/\r\n?/g, "\n").replaceAll("\0", "\uFFFD");
  const state = new md.block.State(source, md, env, tokens);
  const rules = md.block.ruler.getRules("");
  for (;;) {
    const line = state.skipEmptyLines(state.line);
    if (line >= state.lineMax) return tokens;
    state.line = line;
    if (!rules.some((rule) => rule(state, line, state.lineMax, false))) throw new Error(`No rule for line ${line}.`);
    yield;
  }
}

/** A page in parts. A long block, such as a quote of everything, is cut where one block within it ends and the next begins. */
export function* partsOf(md: MarkdownIt, tokens: readonly Token[], env: unknown): Generator<Part> {
  const open: Token[] = [];
  let before: readonly Token[] = [];
  let from = 0;
  let held = 0;
  for (const [at, token] of tokens.entries()) {
    const begins = token.nesting !== -1 && token.type !== "inline";
    const may = open.length === 0 || (held > MOST && tokens[at - 1]?.nesting !== 1);
    if (begins && may && at > from) {
      yield* partOf(md, tokens.slice(from, at), env, before);
      before = [...open];
      from = at;
      held = 0;
    }
    held += 1 + token.content.length / LETTERS;
    if (token.nesting === 1) open.push(token);
    if (token.nesting === -1) open.pop();
  }
  yield* partOf(md, tokens.slice(from), env, before);
}

function* partOf(md: MarkdownIt, tokens: Token[], env: unknown, open: readonly Token[]): Generator<Part> {
  md.core.process(Object.assign(new md.core.State("", md, env), { tokens }));
  const html = md.renderer.render(tokens, md.options, env);
  if (html !== "") yield { html, within: open.map((token) => md.renderer.render([token], md.options, env)).join("") };
}
