import type MarkdownIt from "markdown-it";
import type { Token } from "markdown-it";

const box = /^\[([ xX])\]\s+/;

/** Turns `- [ ] text` into a labelled checkbox; whoever reads may tick it, nobody keeps it. */
export function taskRule(md: MarkdownIt): void {
  md.core.ruler.after("inline", "tasks", (state) => {
    state.tokens.forEach((token, index) => {
      const item = state.tokens[index - 2];
      if (token.type === "inline" && item?.type === "list_item_open") tick(token, item, state.Token);
    });
  });
}

function tick(inline: Token, item: Token, Make: typeof Token): void {
  const first = inline.children?.[0];
  const match = first?.type === "text" ? box.exec(first.content) : null;
  if (!first || !match || !inline.children) return;
  first.content = first.content.slice(match[0].length);
  const open = new Make("html_inline", "", 0);
  open.content = `<label><input type="checkbox"${match[1] === " " ? "" : " checked"}> `;
  const close = new Make("html_inline", "", 0);
  close.content = "</label>";
  inline.children.unshift(open);
  inline.children.push(close);
  item.attrJoin("class", "md-task");
}
