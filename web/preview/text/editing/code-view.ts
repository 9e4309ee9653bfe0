import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from "@codemirror/commands";
import { indentUnit, syntaxHighlighting } from "@codemirror/language";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightSpecialChars,
  type KeyBinding,
  keymap,
} from "@codemirror/view";
import { t } from "../../../i18n/i18n.ts";
import { codeColours } from "./colours.ts";

/** Tab belongs to the text. An empty one has no use for it, and has the focus on arrival: there it leads on, as everywhere. */
const tab: KeyBinding = {
  key: "Tab",
  run: (view) => view.state.doc.length > 0 && indentMore(view),
  shift: (view) => view.state.doc.length > 0 && indentLess(view),
};

const look = EditorView.theme({
  "&": { height: "100%", color: "inherit", backgroundColor: "transparent" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--font-mono, monospace)" },
  ".cm-content": { caretColor: "currentColor" },
  ".cm-cursor": { borderLeftColor: "currentColor" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "color-mix(in srgb, var(--accent) 22%, transparent)",
  },
  ".cm-selectionMatch, .cm-searchMatch": { backgroundColor: "color-mix(in srgb, var(--accent) 14%, transparent)" },
  ".cm-searchMatch-selected": { outline: "2px solid var(--accent)", borderRadius: "2px" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--sunken) 60%, transparent)" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--muted)", borderRight: "0" },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--text)" },
  ".cm-panels": { backgroundColor: "var(--surface)", color: "var(--text)" },
  ".cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-panel.cm-search": { padding: "8px 44px 8px 12px", fontFamily: "var(--font-sans, inherit)", fontSize: "13px" },
  ".cm-panel.cm-search label": { fontSize: "13px", marginRight: "8px" },
  ".cm-panel.cm-search [name=close]": { top: "8px", right: "8px", width: "32px", height: "32px", fontSize: "18px" },
  ".cm-textfield": {
    backgroundColor: "var(--raised)",
    border: "1px solid var(--line)",
    borderRadius: "8px",
    padding: "6px 10px",
    color: "var(--text)",
    fontSize: "13px",
  },
  ".cm-button": {
    backgroundImage: "none",
    backgroundColor: "var(--raised)",
    border: "1px solid var(--line)",
    borderRadius: "8px",
    padding: "6px 10px",
    color: "var(--text)",
    fontSize: "13px",
    cursor: "pointer",
  },
});

/** The words of the search panel, by the English ones that stand in it. */
const phrases = (): Record<string, string> => ({
  Find: t("editing.find.find"),
  Replace: t("editing.find.replace"),
  next: t("editing.find.next"),
  previous: t("editing.find.previous"),
  all: t("editing.find.all"),
  "match case": t("editing.find.matchCase"),
  regexp: t("editing.find.regexp"),
  "by word": t("editing.find.byWord"),
  replace: t("editing.find.replaceOne"),
  "replace all": t("editing.find.replaceAll"),
  close: t("shell.actions.close"),
  "replaced match on line $": t("editing.find.replacedAt", { line: "$" }),
  "replaced $ matches": t("editing.find.replaced", { count: "$" }),
  "current match": t("editing.find.current"),
  "on line": t("editing.find.onLine"),
  "Go to line": t("editing.find.goToLine"),
  go: t("editing.find.go"),
});

interface CodeViewParts {
  readonly parent: HTMLElement;
  readonly text: string;
  /** Accessible name of the text field. */
  readonly label: string;
  readonly onText: (text: string) => void;
  readonly extensions: readonly Extension[];
}

/** Opens a text for editing: only the lines in sight are drawn, so that ten megabytes can be typed into without a pause. */
export function openCodeView({ parent, text, label, onText, extensions }: CodeViewParts): EditorView {
  return new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        ...extensions,
        history(),
        drawSelection(),
        dropCursor(),
        highlightSpecialChars(),
        highlightSelectionMatches(),
        search({ top: true }),
        indentUnit.of("  "),
        EditorState.tabSize.of(4),
        // Escape and then Tab leaves the text, for those who have only the keyboard.
        keymap.of([...searchKeymap, ...defaultKeymap, ...historyKeymap, tab]),
        EditorState.phrases.of(phrases()),
        EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
        syntaxHighlighting(codeColours),
        look,
        EditorView.updateListener.of((update) => update.docChanged && onText(update.state.doc.toString())),
      ],
    }),
  });
}

/** Shows a text that came from outside: only what differs is changed, so that caret and scroll stay where they can. */
export function showText(view: EditorView, text: string): void {
  const before = view.state.doc.toString();
  const most = Math.min(before.length, text.length);
  let head = 0;
  while (head < most && before[head] === text[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === text.at(-1 - tail)) tail += 1;
  if (head === before.length && head === text.length) return;
  view.dispatch({ changes: { from: head, to: before.length - tail, insert: text.slice(head, text.length - tail) } });
}
