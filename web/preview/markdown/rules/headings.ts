import type MarkdownIt from "markdown-it";
import type { Token } from "markdown-it";
import type { WrittenHeading } from "../outline.ts";
import { parseInline } from "./long.ts";
import type { TocEnv } from "./toc.ts";

/** What one rendering knows of its headings; lives in markdown-it's env. */
export interface HeadingsEnv extends TocEnv {
  /** Ids of headings by what GitHub calls them. */
  anchors?: ReadonlyMap<string, string>;
}

/** What GitHub makes of a heading, so that hand-written tables of contents (`[x](#some-heading)`) find their way. */
const anchorOf = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");

/** A heading's text without its markup. GitHub's anchors have the names of emoji, but nobody reads those. */
const plain = (tokens: readonly Token[], isAnchor: boolean): string =>
  tokens
    .map(({ type, content, children }) => {
      if (type === "image" || /^(?:text|text_special|code_inline|math)$/.test(type)) return content;
      if (children) return plain(children, isAnchor);
      return isAnchor && type === "emoji" ? content : "";
    })
    .join("");

/** Gives headings the ids h-0, h-1 ..., which no text can choose, and collects them; yields between them. */
export function* collectHeadings(
  md: MarkdownIt,
  tokens: readonly Token[],
  env: HeadingsEnv,
): Generator<undefined, readonly WrittenHeading[]> {
  const headings: WrittenHeading[] = [];
  const anchors = new Map<string, string>();
  for (const [index, token] of tokens.entries()) {
    const inline = token.type === "heading_open" ? tokens[index + 1] : undefined;
    if (!inline) continue;
    parseInline(md, inline, env);
    const children = inline.children ?? [];
    const named = plain(children, true);
    const text = plain(children, false).trim() || named;
    const anchor = anchorOf(named);
    const id = `h-${headings.length}`;
    token.attrSet("id", id);
    if (!anchors.has(anchor)) anchors.set(anchor, id);
    headings.push({ id, text, level: Number(token.tag.slice(1)), line: token.map?.[0] ?? 0 });
    yield;
  }
  Object.assign(env, { headings, anchors });
  return headings;
}

/** Points #links at the headings that were collected. */
export function headingRule(md: MarkdownIt): void {
  md.core.ruler.push("anchors", ({ tokens, env }) => {
    const { anchors }: HeadingsEnv = env;
    if (anchors?.size) for (const { children } of tokens) for (const child of children ?? []) point(child, anchors);
  });
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
