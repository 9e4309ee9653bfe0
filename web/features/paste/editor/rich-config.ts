import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { Prec } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { config } from "md-editor-rt";
import styles from "md-editor-rt/lib/style.css" with { type: "text" };
import screenfull from "screenfull";
import { readingRules } from "../../../preview/markdown/render.ts";
import { renderNotes } from "../../../preview/markdown/rules/footnotes.ts";
import type { MarkdownWords } from "../../../preview/markdown/word-shapes.ts";
import ours from "./rich-editor.css" with { type: "text" };

const STYLE_ID = "md-editor-style";

interface RichWords {
  /** Accessible name of the text field. */
  readonly label: string;
  readonly markdown: MarkdownWords;
}

/** The editor's own style sheet as an element: imported as a style it would stand in everybody's first style sheet. */
function addStyles(): void {
  if (document.getElementById(STYLE_ID)) return;
  const style = document.createElement("style");
  style.id = STYLE_ID;
  // Its @import fetches themes for the preview, which wears the reading page's clothes here.
  style.textContent = styles.replace(/@import[^;]+;/g, "") + ours;
  document.head.append(style);
}

/** The colours of code as tokens: the editor's own are too pale to be read. */
const colours = HighlightStyle.define([
  { tag: tags.heading, color: "var(--text)", fontWeight: "650" },
  { tag: [tags.link, tags.url], color: "var(--accent)" },
  { tag: tags.strong, fontWeight: "650", color: "var(--text)" },
  { tag: tags.emphasis, fontStyle: "italic", color: "var(--text)" },
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

/**
 * Sets md-editor-rt up to render with the reading page's own Markdown and to ask nobody for anything: what it would fetch from a
 * CDN (highlighting, formulas, diagrams, formatting) is switched off in rich-surface.tsx and done as on the reading page. Must run
 * before the editor is mounted, because it reads the configuration once.
 */
export function configureRichEditor(words: RichWords): void {
  addStyles();
  config({
    editorExtensions: { screenfull: { instance: screenfull } },
    codeMirrorExtensions: (extensions) => [
      ...extensions,
      { type: "aria", extension: EditorView.contentAttributes.of({ "aria-label": words.label, tabindex: "0" }) },
      { type: "colours", extension: Prec.highest(syntaxHighlighting(colours)) },
    ],
    // Its heading rule feeds the outline; all others have a counterpart of ours.
    markdownItPlugins: (plugins) => plugins.filter(({ type }) => type === "heading"),
    markdownItConfig: (md) => {
      readingRules(md, words.markdown, location.origin);
      const render = md.render.bind(md);
      md.render = (text, env = {}) => render(text, env) + renderNotes(md, env, words.markdown.notes);
    },
  });
}
