import type { Language } from "#contract/languages";
import { Lru } from "../../lib/cache.ts";
import type { PublicText } from "../../shares/public-facts.ts";
import { isAlike } from "./alike-markdown.ts";
import { type RenderedText, renderMarkdown } from "./markdown.ts";
import { type Summary, summaryOfText } from "./summary.ts";
import type { Values } from "./template.ts";
import { servedWords, timesOf } from "./words.ts";

/** Bytes of the largest text that its page brings: the worst Markdown of this size holds the server for some 60 ms, once. */
const MAX_SERVED_TEXT = 32 * 1024;
/** Letters of texts, and of what was made of them, that are kept in memory. */
const KEPT = 8 * 1024 * 1024;

export interface ServedText {
  readonly content: string;
  readonly summary: Summary | undefined;
  /** What fills the page; undefined where that is left to its scripts. */
  readonly values: Values | undefined;
}

/** Renders texts, each once per version and language, however many ask at the same time. */
export function createServedTexts() {
  const rendered = new Lru<string, ServedText>(
    KEPT,
    ({ content, values }) => content.length + (values?.body?.length ?? 0),
  );
  const running = new Map<string, Promise<ServedText | undefined>>();

  const render = async (key: string, facts: PublicText, language: Language): Promise<ServedText | undefined> => {
    const content = await facts.content();
    if (content === undefined) return undefined;
    const summary = summaryOfText(facts, content);
    const text = { content, summary, values: valuesOf(facts, content, language) };
    rendered.set(key, text);
    return text;
  };

  return async (facts: PublicText, language: Language): Promise<ServedText | undefined> => {
    if (facts.size > MAX_SERVED_TEXT) return undefined;
    const key = `${facts.id} ${facts.version} ${language}`;
    const kept = rendered.get(key) ?? running.get(key);
    if (kept) return await kept;
    const made = render(key, facts, language).finally(() => running.delete(key));
    running.set(key, made);
    return await made;
  };
}

/** The places of the page that brings a text (web/features/paste/view/served-text.tsx). */
function valuesOf(facts: PublicText, content: string, language: Language): ServedText["values"] {
  const words = servedWords[language];
  const text: RenderedText | undefined = facts.plain ? plainText(content) : renderMarkdown(content, words);
  if (!text) return undefined;
  const { html, headings } = text;
  const items = headings.map(({ id, text }) => `<li><a href="#${id}">${text}</a></li>`).join("");
  const isWhole = !facts.plain && isAlike(content);
  return {
    // The pages show it as it is where their own text is the same one (web/features/paste/view/markdown-text.tsx).
    whole: isWhole ? `${facts.id} ${facts.version} ${language}` : undefined,
    renders: isWhole || facts.plain ? undefined : "",
    remark: facts.remark ? Bun.escapeHTML(facts.remark.toWellFormed()) : undefined,
    ...timesOf(facts, language),
    outline: headings.length > 1 ? items : undefined,
    body: html,
    plain: facts.plain ? "" : undefined,
    ...(facts.plain && { gutter: `${String(content.split("\n").length).length + 2}ch` }),
  };
}

/** A text as it was written. An element of its own for each line would be more than the text, so it has no numbers
 * yet. A line end behind <pre> is none, so that one goes before the text. */
const plainText = (content: string): RenderedText => ({
  html: `\n${Bun.escapeHTML(content.toWellFormed())}`,
  headings: [],
});
