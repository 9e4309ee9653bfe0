import type MarkdownIt from "markdown-it";
import type { StateCore, Token } from "markdown-it";
import { type AlertKind, alertKinds } from "#contract/text/markdown-alerts";
import type { MarkdownWords } from "../word-shapes.ts";

const mark = new RegExp(String.raw`^\[!(${alertKinds.join("|")})\][ \t]*(?:\n|$)`, "i");

/** Turns a quote that begins with `[!NOTE]` on a line of its own into a callout with that name, as GitHub does. */
export function alertRule(md: MarkdownIt, { alerts }: Pick<MarkdownWords, "alerts">): void {
  const titleOf = (kind: AlertKind, quote: Token, { Token: Make }: StateCore): Token => {
    const title = new Make("html_block", "", 0);
    title.content = `<p class="md-alert-title">${md.utils.escapeHtml(alerts[kind])}</p>\n`;
    title.level = quote.level + 1;
    return title;
  };
  md.core.ruler.before("inline", "alerts", (state) => {
    const { tokens } = state;
    for (let index = tokens.length - 1; index >= 2; index -= 1) {
      const [quote, paragraph, inline] = tokens.slice(index - 2, index + 1);
      if (quote?.type !== "blockquote_open" || paragraph?.type !== "paragraph_open" || !inline) continue;
      const [first, name = ""] = mark.exec(inline.content) ?? [];
      const kind = alertKinds.find((one) => one === name.toLowerCase());
      if (first === undefined || kind === undefined) continue;
      quote.attrJoin("class", `md-alert md-alert-${kind}`);
      inline.content = inline.content.slice(first.length);
      const title = titleOf(kind, quote, state);
      // A first paragraph of nothing else is the title alone.
      if (inline.content === "") tokens.splice(index - 1, 3, title);
      else tokens.splice(index - 1, 0, title);
    }
  });
}
