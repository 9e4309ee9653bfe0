import { EditorSelection, type TransactionSpec } from "@codemirror/state";
import type { EditorView, KeyBinding } from "@codemirror/view";
import { toLocalInput } from "../../../lib/time.ts";

/** Changes what is marked, or the word at the caret. */
const changesLetters =
  (change: (letters: string) => string) =>
  (view: EditorView): TransactionSpec => {
    const { state } = view;
    return state.changeByRange((range) => {
      const { from, to } = range.empty ? (state.wordAt(range.head) ?? range) : range;
      const insert = change(state.sliceDoc(from, to));
      const end = from + insert.length;
      const after = range.empty ? EditorSelection.cursor(Math.min(range.head, end)) : EditorSelection.range(from, end);
      return { changes: { from, to, insert }, range: after };
    });
  };

/** The time of day in the person's zone, "2026-11-23 04:39:05": it sorts, and every language reads it. */
function now(): string {
  const instant = new Date();
  return `${toLocalInput(instant.toISOString()).replace("T", " ")}:${String(instant.getSeconds()).padStart(2, "0")}`;
}

/** What can be done to a text beside writing it, in the order of the menu. */
const commands = {
  timestamp: { key: "Alt-Shift-t", change: (view: EditorView) => view.state.replaceSelection(now()) },
  upperCase: { key: "Alt-Shift-u", change: changesLetters((letters) => letters.toUpperCase()) },
  lowerCase: { key: "Alt-Shift-l", change: changesLetters((letters) => letters.toLowerCase()) },
} as const;

export type TextCommand = keyof typeof commands;

/** Does it, unless the text may not be changed at the moment. */
export function runTextCommand(view: EditorView, command: TextCommand): void {
  if (view.state.readOnly) return;
  view.dispatch(commands[command].change(view), { userEvent: "input", scrollIntoView: true });
}

const names = Object.keys(commands) as TextCommand[];

/** Them all, with their keys as they are labelled: "Alt+Shift+T". */
export const textCommands = names.map((command) => ({
  command,
  keys: commands[command].key.replaceAll("-", "+").replace(/.$/, (letter) => letter.toUpperCase()),
}));

export const textCommandKeys: readonly KeyBinding[] = names.map((command) => ({
  key: commands[command].key,
  preventDefault: true,
  run(view) {
    runTextCommand(view, command);
    return true;
  },
}));
