import { type ExposeParam, MdEditor, type ToolbarNames } from "md-editor-rt";
import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from "react";
import { languages } from "#contract/languages";
import { useLanguage } from "../../../i18n/i18n.ts";
import { useShownTheme } from "../../../lib/theme.ts";
import { sanitize } from "../../../preview/markdown/sanitize.ts";
import { markdownWords } from "../../../preview/markdown/words.ts";
import { caretOfView, focusView } from "./codemirror.ts";
import { configureRichEditor } from "./rich-config.ts";
import { RichPreview } from "./rich-preview.tsx";
import type { SurfaceProps } from "./surface.ts";

const writing: ToolbarNames[] = [
  "title",
  "bold",
  "italic",
  "strikeThrough",
  "-",
  "quote",
  "unorderedList",
  "orderedList",
  "task",
];
const inserting: ToolbarNames[] = ["link", "image", "table", "codeRow", "code", "mermaid", "katex"];
const tools: ToolbarNames[] = [...writing, ...inserting, "-", "revoke", "next", "="];
const phoneTools: ToolbarNames[] = [...tools, "previewOnly"];
const tightTools: ToolbarNames[] = [...tools, "preview"];
const deskTools: ToolbarNames[] = [
  ...writing,
  "-",
  ...inserting,
  "-",
  "revoke",
  "next",
  "=",
  "preview",
  "previewOnly",
  "catalog",
  "pageFullscreen",
];

/** Below this width of its own the toolbar for a desk would be cut. */
const DESK_TOOLS_WIDTH = 900;

const narrow = () => window.matchMedia("(max-width: 768px)").matches;

/** The Markdown editor with its live preview; a chunk of its own, because it is many times the size of everything else. */
export function RichSurface({ value, onChange, label, placeholder, start, ref }: SurfaceProps) {
  const language = useLanguage();
  const theme = useShownTheme();
  const [phone] = useState(narrow);
  const box = useRef<HTMLDivElement>(null);
  const [tight, setTight] = useState(phone);
  const toolbars = phone ? phoneTools : tight ? tightTools : deskTools;
  const editor = useRef<ExposeParam>(null);
  const first = useRef({ start });
  const configured = useRef<string>(undefined);
  // The editor reads its configuration while it mounts (anew in another language), so this cannot wait for an effect.
  if (configured.current !== language) configureRichEditor({ label, markdown: markdownWords() });
  configured.current = language;

  useImperativeHandle(ref, () => ({
    caret: () => caretOfView(editor.current?.getEditorView()),
    focused: () => editor.current?.getEditorView()?.hasFocus ?? false,
    focus: (caret) => focusView(editor.current?.getEditorView(), caret),
    settled: () => Promise.resolve(),
  }));

  useEffect(() => {
    const from = first.current.start;
    if (from?.focus) focusView(editor.current?.getEditorView(), from.caret);
  }, []);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => setTight(element.clientWidth < DESK_TOOLS_WIDTH);
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(element);
    return () => resized.disconnect();
  }, []);

  return (
    <div ref={box} className="h-full min-h-0 flex-1">
      <MdEditor
        key={language}
        ref={editor}
        value={value}
        onChange={onChange}
        theme={theme}
        language={languages[language].locale}
        placeholder={placeholder}
        className="rich-editor"
        style={{ height: "100%", border: 0 }}
        toolbars={toolbars}
        footers={[]}
        preview={!phone}
        previewComponent={RichPreview}
        sanitize={sanitize}
        mdHeadingId={({ index }) => `preview-h-${index}`}
        noHighlight
        noKatex
        noMermaid
        noEcharts
        noPrettier
        noUploadImg
        noImgZoomIn
      />
    </div>
  );
}
