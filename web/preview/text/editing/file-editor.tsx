import { LanguageDescription } from "@codemirror/language";
import { languages } from "@codemirror/language-data";
import { openSearchPanel } from "@codemirror/search";
import { Compartment, EditorState } from "@codemirror/state";
import { EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import { type Ref, type RefObject, useEffect, useImperativeHandle, useRef, useState } from "react";
import { openCodeView, showText } from "./code-view.ts";
import { runTextCommand, type TextCommand, textCommandKeys } from "./text-commands.ts";

/** Where the caret is and how much is marked; counted from 1. */
export interface CursorStatus {
  readonly line: number;
  readonly column: number;
  readonly lines: number;
  readonly characters: number;
  /** Characters that are marked. */
  readonly marked: number;
}

/** The names of all languages that an editor can colour. */
export const languageNames: readonly string[] = languages
  .map(({ name }) => name)
  .sort((one, other) => one.localeCompare(other));

/** The language of a file by its name; undefined when nobody knows. */
export const languageOfFile = (name: string): string | undefined =>
  LanguageDescription.matchFilename(languages, name)?.name;

export interface FileEditorHandle {
  focus(): void;
  search(): void;
  run(command: TextCommand): void;
}

interface FileEditorProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly label: string;
  /** One of `languageNames`. */
  readonly language: string | undefined;
  readonly wrap: boolean;
  readonly readOnly: boolean;
  readonly onSave: () => void;
  readonly onWrap: () => void;
  readonly onCursor: (cursor: CursorStatus) => void;
  readonly ref?: Ref<FileEditorHandle>;
}

const measures = EditorView.theme({
  "&": { fontSize: "13px" },
  ".cm-scroller": { lineHeight: "1.6" },
  ".cm-content": { padding: "12px 0" },
  ".cm-line": { padding: "0 16px 0 8px" },
  ".cm-gutters": { paddingLeft: "8px" },
});

/** The parts of an editor's configuration that change while it is open. */
const createParts = () => ({ language: new Compartment(), wrap: new Compartment(), readOnly: new Compartment() });

interface EditorStart {
  readonly parent: HTMLElement;
  readonly text: string;
  readonly label: string;
  readonly parts: ReturnType<typeof createParts>;
  /** The properties of now. */
  readonly live: RefObject<Pick<FileEditorProps, "onSave" | "onWrap" | "onCursor">>;
  readonly onText: (text: string) => void;
}

function openFileEditor({ parts, live, ...start }: EditorStart): EditorView {
  const act = (run: () => void) => () => {
    run();
    return true;
  };
  return openCodeView({
    ...start,
    extensions: [
      keymap.of([
        { key: "Mod-s", run: act(() => live.current.onSave()), preventDefault: true },
        { key: "Alt-z", run: act(() => live.current.onWrap()), preventDefault: true },
        ...textCommandKeys,
      ]),
      lineNumbers(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      measures,
      parts.language.of([]),
      parts.wrap.of([]),
      parts.readOnly.of([]),
      EditorView.updateListener.of((update) => {
        if (update.docChanged || update.selectionSet) live.current.onCursor(cursorStatusOf(update.state));
      }),
    ],
  });
}

/** A file of text for changing: numbered lines, colours of its language, search. */
export function FileEditor(props: FileEditorProps) {
  const { text, label, language, wrap, readOnly, ref } = props;
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const sent = useRef(text);
  const live = useRef(props);
  live.current = props;
  const first = useRef({ text, label });
  const [parts] = useState(createParts);

  useImperativeHandle(ref, () => ({
    focus: () => view.current?.focus(),
    search: () => view.current && openSearchPanel(view.current),
    run(command) {
      if (!view.current) return;
      runTextCommand(view.current, command);
      view.current.focus();
    },
  }));

  useEffect(() => {
    if (!box.current) return;
    const editor = openFileEditor({
      parent: box.current,
      ...first.current,
      parts,
      live,
      onText(next) {
        sent.current = next;
        live.current.onText(next);
      },
    });
    view.current = editor;
    live.current.onCursor(cursorStatusOf(editor.state));
    editor.focus();
    return () => editor.destroy();
  }, [parts]);

  useEffect(() => {
    if (text === sent.current || !view.current) return;
    sent.current = text;
    showText(view.current, text);
  }, [text]);

  useEffect(() => {
    view.current?.dispatch({ effects: parts.wrap.reconfigure(wrap ? EditorView.lineWrapping : []) });
  }, [parts, wrap]);

  useEffect(() => {
    view.current?.dispatch({ effects: parts.readOnly.reconfigure(EditorState.readOnly.of(readOnly)) });
  }, [parts, readOnly]);

  useEffect(() => {
    let left = false;
    const colour = async () => {
      const found = languages.find(({ name }) => name === language);
      // A language that does not load leaves the text without colours.
      const support = await found?.load().catch(() => undefined);
      if (!left) view.current?.dispatch({ effects: parts.language.reconfigure(support ?? []) });
    };
    void colour();
    return () => {
      left = true;
    };
  }, [parts, language]);

  return (
    <div ref={box} className="h-full min-h-0 min-w-0 flex-1 overflow-hidden bg-(--code-surface) text-(--code-text)" />
  );
}

function cursorStatusOf(state: EditorState): CursorStatus {
  const { main } = state.selection;
  const line = state.doc.lineAt(main.head);
  return {
    line: line.number,
    column: main.head - line.from + 1,
    lines: state.doc.lines,
    characters: state.doc.length,
    marked: main.to - main.from,
  };
}
