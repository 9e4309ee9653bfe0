import type MarkdownIt from "markdown-it";
import type { Token } from "markdown-it";
import { type Heading, type OutlineNode, outline } from "../outline.ts";

/** What GitHub makes of a heading, so that hand-written tables of contents (`[x](#some-heading)`) find their way. */
const anchorOf = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");

/** A heading's text without its markup. */
const plain = (tokens: readonly Token[]): string =>
  tokens
    .map((token) => (token.type === "image" ? token.content : token.children ? plain(token.children) : textOf(token)))
    .join("");

const textOf = (token: Token): string =>
  token.type === "text" || token.type === "code_inline" || token.type === "math" ? token.content : "";

/** Gives headings the ids h-0, h-1 ..., which no text can choose, collects them in env and points #links at them. */
export function headingRule(md: MarkdownIt): void {
  md.core.ruler.push("headings", (state) => {
    const headings: Heading[] = [];
    const anchors = new Map<string, string>();
    state.tokens.forEach((token, index) => {
      if (token.type !== "heading_open") return;
      const text = plain(state.tokens[index + 1]?.children ?? []).trim();
      const id = `h-${headings.length}`;
      token.attrSet("id", id);
      if (!anchors.has(anchorOf(text))) anchors.set(anchorOf(text), id);
      headings.push({ id, text, level: Number(token.tag.slice(1)), line: token.map?.[0] ?? 0 });
    });
    // Footnotes are parsed later as single lines with the same env: they must not empty the list.
    if (headings.length > 0) state.env.headings = headings;
    state.tokens.forEach((token, index) => {
      const [open, close] = [state.tokens[index - 1], state.tokens[index + 1]];
      if (token.type !== "inline" || token.level !== 1 || open?.type !== "paragraph_open" || !close) return;
      if (headings.length === 0 || token.children?.length !== 1 || !contents.test(token.content)) return;
      // A list is no part of a paragraph.
      open.hidden = close.hidden = true;
      const list = new state.Token("html_inline", "", 0);
      list.content = listed(outline(headings), md);
      token.children = [list];
    });
    for (const token of state.tokens) for (const child of token.children ?? []) point(child, anchors);
  });
}

/** A paragraph that stands for the table of contents. */
const contents = /^\[(?:toc|\[toc\])\]$/i;

/** The headings as lists of links to them. */
function listed(nodes: readonly OutlineNode[], md: MarkdownIt): string {
  const items = nodes.map(
    ({ id, text, children }) => `<li><a href="#${id}">${md.utils.escapeHtml(text)}</a>${listed(children, md)}</li>`,
  );
  return items.length > 0 ? `<ul>${items.join("")}</ul>` : "";
}

function point(token: Token, anchors: ReadonlyMap<string, string>): void {
  const href = token.type === "link_open" ? token.attrGet("href") : null;
  if (!href?.startsWith("#")) return;
  const id = anchors.get(decode(href.slice(1)).toLowerCase());
  if (id) token.attrSet("href", `#${id}`);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
