import { HighlightStyle } from "@codemirror/language";
import { tags } from "@lezer/highlight";

/** The colours of code as tokens, the same as where it is read (preview/markdown/code.css). */
export const codeColours = HighlightStyle.define([
  { tag: tags.heading, color: "var(--text)", fontWeight: "650" },
  { tag: [tags.link, tags.url], color: "var(--accent)" },
  { tag: tags.strong, fontWeight: "650", color: "var(--text)" },
  { tag: tags.emphasis, fontStyle: "italic", color: "var(--text)" },
  { tag: tags.strikethrough, textDecoration: "line-through" },
  { tag: [tags.processingInstruction, tags.contentSeparator, tags.meta, tags.escape], color: "var(--muted)" },
  { tag: tags.quote, color: "var(--muted)" },
  { tag: [tags.monospace, tags.variableName, tags.punctuation, tags.operator], color: "var(--code-text)" },
  { tag: tags.comment, color: "var(--code-comment)", fontStyle: "italic" },
  { tag: [tags.keyword, tags.modifier, tags.tagName], color: "var(--code-keyword)" },
  { tag: [tags.string, tags.regexp, tags.special(tags.string)], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.atom, tags.labelName], color: "var(--code-number)" },
  { tag: [tags.function(tags.variableName), tags.definition(tags.variableName)], color: "var(--code-title)" },
  { tag: [tags.typeName, tags.className, tags.namespace], color: "var(--code-type)" },
  { tag: [tags.propertyName, tags.attributeName], color: "var(--code-variable)" },
]);
