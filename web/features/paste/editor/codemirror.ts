import type { EditorView } from "@codemirror/view";
import type { Caret } from "./surface.ts";

/** The caret of a CodeMirror view that may not be there yet. */
export function caretOfView(view: EditorView | undefined): Caret {
  const main = view?.state.selection.main;
  return { anchor: main?.anchor ?? 0, head: main?.head ?? 0 };
}

/** Focuses a view, with the caret at a place that is clamped to the text. */
export function focusView(view: EditorView | undefined, caret?: Caret): void {
  if (!view) return;
  const within = (at: number) => Math.min(at, view.state.doc.length);
  if (caret) {
    view.dispatch({ selection: { anchor: within(caret.anchor), head: within(caret.head) }, scrollIntoView: true });
  }
  view.focus();
}

/** Puts a text that came from outside (a cleared form, an imported file) into the view; its own changes need none of this. */
export function replaceWhole(view: EditorView | undefined, text: string): void {
  if (!view) return;
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
}
