import type MarkdownIt from "markdown-it";
import type { RuleInline } from "markdown-it/lib/parser_inline.mjs";

/** A short name as GitHub writes it: `:rocket:`, `:+1:`, `:100:`. */
const NAME = /:(?:[+-]1|(?=\w*[a-z0-9])\w[\w-]{0,39}):(?!\w)/y;

/** `:rocket:` for itself; not within a word, a time or the path of a module. */
const emoji: RuleInline = (state, silent) => {
  const { src, pos, tokens, pending } = state;
  if (src[pos] !== ":") return false;
  const follows = pending === "" && tokens.at(-1)?.type === "emoji";
  if (!follows && /[\w:]/.test(src[pos - 1] ?? "")) return false;
  NAME.lastIndex = pos;
  const name = NAME.exec(src)?.[0];
  if (name === undefined || pos + name.length > state.posMax) return false;
  if (!silent) state.push("emoji", "", 0).content = name;
  state.pos = pos + name.length;
  return true;
};

/** Marks what may be the name of an emoji; it stands in the page as it is written until the list of them, loaded only then, is there. */
export function emojiRule(md: MarkdownIt): void {
  md.inline.ruler.after("escape", "emoji", emoji);
  md.renderer.rules.emoji = (tokens, index) =>
    `<span class="md-emoji">${md.utils.escapeHtml(tokens[index]?.content ?? "")}</span>`;
}
