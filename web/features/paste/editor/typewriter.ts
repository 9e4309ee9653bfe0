import { EditorState, type Extension, Prec, Transaction } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

/** Room below the last line, so that it too can stand in the middle. */
const room = EditorView.theme({ ".cm-content": { paddingBottom: "45vh" } });

/** Keeps the caret's line in the middle of the editor while somebody writes or moves it by key; a press moves nothing. */
export const typewriter = (): Extension => [
  // Before the measures of the editor, which know no such room.
  Prec.highest(room),
  EditorState.transactionExtender.of((transaction) => {
    const moves = transaction.docChanged || transaction.selection !== undefined;
    if (!moves || transaction.annotation(Transaction.userEvent) === undefined) return null;
    if (transaction.isUserEvent("select.pointer")) return null;
    return { effects: EditorView.scrollIntoView(transaction.newSelection.main.head, { y: "center" }) };
  }),
];
