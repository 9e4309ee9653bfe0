import type MarkdownIt from "markdown-it";
import type { Token } from "markdown-it";

/**
 * Letters of one paragraph that are parsed together, in UTF-16 units: each open bracket has the parser look to the paragraph's end.
 * A longer one is shown in pieces, which a browser lays out by themselves.
 */
const MAX_TOGETHER = 16_000;
const PIECE = 4000;

const isLong = ({ type, content }: Token): boolean => type === "inline" && content.length > MAX_TOGETHER;

/** Where a piece ends: behind a line, else behind a word. */
function endOfPiece(text: string, from: number): number {
  const end = from + PIECE;
  if (end >= text.length) return text.length;
  for (const sign of ["\n", " "]) {
    const at = text.lastIndexOf(sign, end);
    if (at > from) return at + 1;
  }
  // Not between the halves of a surrogate pair.
  const code = text.charCodeAt(end - 1);
  return code >= 0xd800 && code <= 0xdbff ? end - 1 : end;
}

/** Cuts paragraphs that are too long, such as a log without empty lines, into several that follow each other without a gap. */
export function cutLong(tokens: Token[]): Token[] {
  if (!tokens.some(isLong)) return tokens;
  return tokens.flatMap((token, at) => {
    const [open, close] = [tokens[at - 1], tokens[at + 1]];
    return isLong(token) && open?.type === "paragraph_open" && close ? piecesOf(open, token, close) : token;
  });
}

function piecesOf(open: Token, inline: Token, close: Token): Token[] {
  // In a list without empty lines paragraphs have no element of their own; pieces need one.
  open.hidden = false;
  close.hidden = false;
  const { content } = inline;
  const pieces: Token[] = [];
  let line = inline.map?.[0] ?? 0;
  for (let from = 0; from < content.length; ) {
    const end = endOfPiece(content, from);
    const piece = content.slice(from, end);
    const map: [number, number] = [line, line + piece.split("\n").length];
    if (from > 0) pieces.push(close, like(open, { map, attrs: [["class", "md-on"]] }));
    pieces.push(like(inline, { content: piece.replace(/\n$/, ""), children: [], map }));
    line = map[1] - 1;
    from = end;
  }
  return pieces;
}

const like = (token: Token, other: Partial<Token>): Token =>
  Object.assign(Object.create(Object.getPrototypeOf(token)), token, other);

/** Parses what is written within a block, unless that is done. Of a heading or a cell that is too long the rest stays as written. */
export function parseInline(md: MarkdownIt, token: Token, env: unknown): void {
  const { content, children } = token;
  if (token.type !== "inline" || !children || children.length > 0) return;
  const end = isLong(token) ? endOfPiece(content, 0) : content.length;
  md.inline.parse(content.slice(0, end), md, env, children);
  if (end < content.length) children.push(like(token, { type: "text", content: content.slice(end), children: null }));
}

/** Has blocks parsed by `parseInline`. */
export function longRule(md: MarkdownIt): void {
  md.core.ruler.at("inline", (state) => {
    for (const token of state.tokens) parseInline(md, token, state.env);
  });
}
