import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, keymap, placeholder as placeholderOf } from "@codemirror/view";
import { useEffect, useImperativeHandle, useRef } from "react";
import { caretOfView, focusView, replaceWhole } from "./codemirror.ts";
import type { SurfaceProps } from "./surface.ts";

const theme = EditorView.theme({
  "&": { height: "100%", color: "inherit", backgroundColor: "transparent", fontSize: "15px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--font-mono, monospace)", lineHeight: "28px" },
  ".cm-content": { padding: "20px 16px", caretColor: "currentColor" },
  ".cm-cursor": { borderLeftColor: "currentColor" },
});

/** Text mode for long texts: draws only the lines in sight, so that ten megabytes can be typed into without a pause. */
export function LargeSurface({ value, onChange, label, placeholder, start, ref }: SurfaceProps) {
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const changed = useRef(onChange);
  changed.current = onChange;
  /** The text the view sent last: coming back as `value` it needs no look at ten megabytes. */
  const sent = useRef(value);
  const first = useRef({ value, label, placeholder, start });

  useImperativeHandle(ref, () => ({
    caret: () => caretOfView(view.current),
    focused: () => view.current?.hasFocus ?? false,
    focus: (caret) => focusView(view.current, caret),
    settled: () => Promise.resolve(),
  }));

  useEffect(() => {
    const { value: doc, label: name, placeholder: hint, start: from } = first.current;
    const editor = new EditorView({
      ...(box.current ? { parent: box.current } : {}),
      state: EditorState.create({
        doc,
        extensions: [
          history(),
          drawSelection(),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ "aria-label": name, tabindex: "0" }),
          placeholderOf(hint),
          theme,
          EditorView.updateListener.of((update) => {
            if (!update.docChanged) return;
            sent.current = update.state.doc.toString();
            changed.current(sent.current);
          }),
        ],
      }),
    });
    view.current = editor;
    if (from?.focus) focusView(editor, from.caret);
    return () => editor.destroy();
  }, []);

  useEffect(() => {
    if (value !== sent.current) replaceWhole(view.current, value);
  }, [value]);

  return <div ref={box} className="h-full min-h-60 flex-1 overflow-hidden text-text" />;
}
