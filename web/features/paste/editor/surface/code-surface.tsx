import { redo, undo } from "@codemirror/commands";
import { markdown, markdownLanguage } from "@codemirror/lang-markdown";
import { Compartment, EditorState, type Extension, Prec, Transaction } from "@codemirror/state";
import { EditorView, placeholder as placeholderOf } from "@codemirror/view";
import { useEffect, useImperativeHandle, useMemo, useRef, useState } from "react";
import { openCodeView, showText } from "../../../../preview/text/editing/code-view.ts";
import { emojiHints } from "../emoji/hints.ts";
import { liveView } from "../live/live-view.ts";
import { markedWords } from "../live/marked-words.ts";
import type { Caret } from "./caret.ts";
import type { LineScroll, Shown, SurfaceProps } from "./surface.ts";

/** Room below the last line, so that it too can stand in the middle. */
const room = EditorView.theme({ ".cm-content": { paddingBottom: "45vh" } });

/** Keeps the caret's line in the middle of the editor while somebody writes or moves it by key; a press moves nothing. */
const typewriter = (): Extension => [
  // Before the measures of the editor, which know no such room.
  Prec.highest(room),
  EditorState.transactionExtender.of((transaction) => {
    const moves = transaction.docChanged || transaction.selection !== undefined;
    if (!moves || transaction.annotation(Transaction.userEvent) === undefined) return null;
    if (transaction.isUserEvent("select.pointer")) return null;
    return { effects: EditorView.scrollIntoView(transaction.newSelection.main.head, { y: "center" }) };
  }),
];

/** What is written has some room around it, at the bottom as much as there is below the last line. */
const margins = EditorView.scrollMargins.of(() => ({ top: 20, bottom: 20 }));

/** The measures of plain-surface.tsx, so that nothing moves when this takes its place. */
const measures = EditorView.theme({
  "&": { fontSize: "15px" },
  ".cm-scroller": { lineHeight: "28px" },
  ".cm-content": { padding: "20px 0" },
  ".cm-line": { padding: "0 16px" },
  // In each view of the text: a hint in the letters of live editing would break into other lines than the one before it.
  ".cm-placeholder": {
    ...{ fontFamily: "var(--font-sans)", fontSize: "15px", color: "var(--muted)", lineHeight: "28px" },
  },
  "@media (min-width: 640px)": { ".cm-line": { padding: "0 32px" } },
});

/** The editor that colours Markdown, continues lists and takes texts of any length. */
export function CodeSurface(props: SurfaceProps) {
  const { value, onChange, label, placeholder, markdown: isMarkdown, typewriter: isCentred, start, ref } = props;
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const changed = useRef(onChange);
  changed.current = onChange;
  /** The text the view sent last: coming back as `value` it needs no look at ten megabytes. */
  const sent = useRef(value);
  const [looks] = useState(() => new Compartment());
  const isLive = isMarkdown && props.live;
  const wanted = useMemo(() => looksOf(isMarkdown, isLive, isCentred), [isMarkdown, isLive, isCentred]);
  const worn = useRef(wanted);
  const first = useRef({ value, label, placeholder, start });

  useImperativeHandle(ref, () => ({
    caret: () => caretOf(view.current),
    focused: () => view.current?.hasFocus ?? false,
    focus: (caret) => view.current && focus(view.current, caret),
    scrolled: () => view.current?.scrollDOM.scrollTop ?? 0,
    settled: () => Promise.resolve(),
    edit(format) {
      const editor = view.current;
      if (!editor) return;
      const { from, to, insert, caret } = format(editor.state.doc.toString(), caretOf(editor));
      editor.dispatch({ changes: { from, to, insert }, selection: caret, scrollIntoView: true, userEvent: "input" });
      editor.focus();
    },
    undo: () => view.current && undo(view.current) && view.current.focus(),
    redo: () => view.current && redo(view.current) && view.current.focus(),
    lines: () => view.current && linesOf(view.current),
  }));

  useEffect(() => {
    const { value: text, label: name, placeholder: hint, start: from } = first.current;
    if (!box.current) return;
    const editor = openCodeView({
      parent: box.current,
      text,
      label: name,
      onText(next) {
        sent.current = next;
        changed.current(next);
      },
      extensions: [
        EditorView.lineWrapping,
        placeholderOf(hint),
        measures,
        margins,
        emojiHints(),
        looks.of(worn.current),
      ],
    });
    view.current = editor;
    if (from) begin(editor, from);
    return () => editor.destroy();
  }, [looks]);

  useEffect(() => {
    if (wanted === worn.current) return;
    worn.current = wanted;
    view.current?.dispatch({ effects: looks.reconfigure(wanted) });
  }, [looks, wanted]);

  useEffect(() => {
    if (value === sent.current || !view.current) return;
    sent.current = value;
    showText(view.current, value);
  }, [value]);

  return <div ref={box} className="h-full min-h-0 min-w-0 flex-1 overflow-hidden text-text" />;
}

const language = markdown({ base: markdownLanguage, completeHTMLTags: false, extensions: markedWords });
const live = liveView();
const centred = typewriter();

/** What can be switched while somebody writes; each part is the same one each time, so that what has been parsed stays. */
const looksOf = (isMarkdown: boolean, isLive: boolean, isCentred: boolean): Extension => [
  isMarkdown ? language : [],
  isLive ? live : [],
  isCentred ? centred : [],
];

function begin(view: EditorView, { caret, scrolled, shown, focus: focused }: NonNullable<SurfaceProps["start"]>): void {
  const { length } = view.state.doc;
  const within = (at: number) => Math.min(at, length);
  view.dispatch({ selection: { anchor: within(caret.anchor), head: within(caret.head) } });
  if (focused) view.focus();
  if (shown) {
    const options = { y: "start", yMargin: shown.below } as const;
    view.dispatch({ effects: EditorView.scrollIntoView(within(shown.at), options) });
    hold(view, { at: within(shown.at), below: shown.below }, HOLDING_FRAMES);
  } else view.scrollDOM.scrollTop = scrolled;
}

/** Frames in which a letter is held at its height: lines above it are laid out meanwhile, and are not as high as was estimated. */
const HOLDING_FRAMES = 10;

function hold(view: EditorView, { at, below }: Shown, frames: number): void {
  view.requestMeasure({
    read: () => (view.coordsAtPos(at)?.top ?? Number.NaN) - view.scrollDOM.getBoundingClientRect().top - below,
    write(off) {
      if (Math.abs(off) >= 1) view.scrollDOM.scrollTop += off;
      if (frames > 0) requestAnimationFrame(() => view.dom.isConnected && hold(view, { at, below }, frames - 1));
    },
  });
}

function caretOf(view: EditorView | undefined): Caret {
  const main = view?.state.selection.main;
  return { anchor: main?.anchor ?? 0, head: main?.head ?? 0 };
}

/** Focuses a view, with the caret at a place that is clamped to the text. */
function focus(view: EditorView, caret?: Caret): void {
  const within = (at: number) => Math.min(at, view.state.doc.length);
  if (caret) {
    view.dispatch({ selection: { anchor: within(caret.anchor), head: within(caret.head) }, scrollIntoView: true });
  }
  view.focus();
}

function linesOf(view: EditorView): LineScroll {
  return {
    element: view.scrollDOM,
    top() {
      const height = view.scrollDOM.scrollTop - view.documentPadding.top;
      const block = view.lineBlockAtHeight(height);
      const line = view.state.doc.lineAt(block.from).number - 1;
      return line + Math.min(1, Math.max(0, (height - block.top) / block.height));
    },
    go(line) {
      const whole = Math.min(Math.floor(line), view.state.doc.lines - 1);
      const block = view.lineBlockAt(view.state.doc.line(whole + 1).from);
      view.scrollDOM.scrollTop = block.top + block.height * (line - whole) + view.documentPadding.top;
    },
  };
}
