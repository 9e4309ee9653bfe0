import AlignCenter from "lucide-react/icons/align-vertical-distribute-center";
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from "react";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { classes } from "../../../lib/classes.ts";
import { browserStorage } from "../../../lib/storage.ts";
import { Skeleton } from "../../../ui/card.tsx";
import { OutlinePanel } from "../view/outline-panel.tsx";
import { EditorBar } from "./bar/editor-bar.tsx";
import type { MoreItem } from "./bar/more-menu.tsx";
import { Toolbar } from "./bar/toolbar.tsx";
import { toolOfKey } from "./bar/tools.ts";
import { Help } from "./help/help.tsx";
import { type EditorMode, isLong, savedTypewriter, savedWidth, saveTypewriter, saveWidth } from "./mode.ts";
import { PictureInput, PictureNotes } from "./pictures/picture-notes.tsx";
import { usePictures } from "./pictures/use-pictures.ts";
import { PreviewPane } from "./preview/preview-pane.tsx";
import { scrollTogether } from "./preview/scroll-together.ts";
import { useOutline } from "./preview/use-outline.ts";
import type { EditorFocus } from "./surface/surface.ts";
import { useSurface } from "./surface/use-surface.ts";
import { useViewMode, type View } from "./use-view-mode.ts";

/** The editor as the page around it uses it. */
export interface EditorHandle extends EditorFocus {
  /** Takes pictures that are dropped or pasted into the text; false when they are none or were meant for something else. */
  offerPictures(files: readonly File[], onto: EventTarget | null): boolean;
}

interface TextEditorProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly label: string;
  readonly placeholder: string;
  /** Whether the text is Markdown, or is meant as it is written. */
  readonly mode: EditorMode;
  readonly onMode: (mode: EditorMode) => void;
  /** What the text was recognised as. */
  readonly kind?: string | undefined;
  /** More that can be done with the text, in the menu. */
  readonly more?: readonly MoreItem[];
  /** Buttons beside the counter. */
  readonly tools?: ReactNode;
  readonly ref?: Ref<EditorHandle>;
}

type SurfaceControl = ReturnType<typeof useSurface>;

/** Whether the caret's line stays in the middle, and the item of the menu that changes it. */
function useTypewriter() {
  const [typewriter, setTypewriter] = useState(() => savedTypewriter(browserStorage));
  const item: MoreItem = {
    id: "typewriter",
    label: t(typewriter ? "editing.typewriter.stop" : "editing.typewriter.start"),
    icon: <AlignCenter aria-hidden />,
    run: () => {
      setTypewriter(!typewriter);
      saveTypewriter(browserStorage, !typewriter);
    },
  };
  return { typewriter, item };
}

/** Scrolls the text and its preview together, while both are in sight. */
function useScrollTogether(
  { shown, surface }: SurfaceControl,
  { viewMode }: View,
  preview: RefObject<HTMLElement | null>,
) {
  const together = useRef<ReturnType<typeof scrollTogether>>(undefined);
  useEffect(() => {
    const lines = shown.kind === "code" && viewMode === "split" ? surface.current?.lines?.() : undefined;
    if (!lines || !preview.current) return;
    const tie = scrollTogether(lines, preview.current);
    together.current = tie;
    return () => {
      together.current = undefined;
      tie.end();
    };
  }, [shown.kind, viewMode, surface, preview]);
  return together;
}

/** Takes a long text that is pasted around the text area: browsers take seconds there for each megabyte. */
function pasteLong(event: ClipboardEvent, { shown, surface }: SurfaceControl, { value, onChange }: TextEditorProps) {
  const pasted = event.clipboardData.getData("text/plain").replaceAll("\r\n", "\n");
  if (shown.kind === "code" || !isLong(value.length + pasted.length)) return;
  event.preventDefault();
  event.stopPropagation();
  const { anchor, head } = surface.current?.caret() ?? { anchor: value.length, head: value.length };
  onChange(value.slice(0, Math.min(anchor, head)) + pasted + value.slice(Math.max(anchor, head)));
}

/** The editor: Markdown with its toolbar and preview, or plain text. It fills the box around it. */
export function TextEditor(props: TextEditorProps) {
  useLanguage();
  const { value, onChange, mode, onMode, kind, label, placeholder, more = [], tools, ref } = props;
  const control = useSurface(mode, value.length);
  const { shown, surface } = control;
  const view = useViewMode(mode, value.length);
  const { viewMode, wide, isMarkdown } = view;
  const { typewriter, item } = useTypewriter();
  const [width, setWidth] = useState(() => savedWidth(browserStorage));
  const [full, setFull] = useState(false);
  const [helping, setHelping] = useState(false);
  const preview = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLDivElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const live = useRef(value);
  live.current = value;
  const pictures = usePictures({ surface, text: () => live.current, write: onChange });
  const together = useScrollTogether(control, view, preview);
  const outline = useOutline({ text: value, view, surface, preview, together });

  useImperativeHandle(ref, () => ({
    focus: (caret) => surface.current?.focus(caret),
    edit: (format) => surface.current?.edit(format),
    offerPictures: (files, onto) =>
      isMarkdown &&
      viewMode !== "read" &&
      onto instanceof Node &&
      field.current?.contains(onto) === true &&
      pictures.take(files),
  }));

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && full && !event.defaultPrevented) setFull(false);
    const tool = (event.ctrlKey || event.metaKey) && isMarkdown ? toolOfKey(event) : undefined;
    if (!tool || !(event.target instanceof Node && field.current?.contains(event.target))) return;
    event.preventDefault();
    event.stopPropagation();
    if ("format" in tool) surface.current?.edit(tool.format);
    else setHelping(true);
  };

  return (
    <div
      className={classes(
        "flex min-h-0 flex-1 flex-col bg-raised",
        full &&
          "covers-window fixed inset-0 z-40 h-dvh pr-[env(safe-area-inset-right)] pb-[env(safe-area-inset-bottom)] pl-[env(safe-area-inset-left)]",
      )}
      onPasteCapture={(event) => pasteLong(event, control, props)}
      onKeyDownCapture={onKeyDown}
    >
      <EditorBar
        text={value}
        {...{ mode, onMode, kind, control, view, width, outline, full, tools }}
        onWidth={(next) => {
          setWidth(next);
          saveWidth(browserStorage, next);
        }}
        onFull={() => setFull(!full)}
        items={shown.kind === "code" && viewMode !== "read" ? [...more, item] : more}
      />
      {isMarkdown && viewMode !== "read" ? (
        <Toolbar surface={surface} onPicture={() => picker.current?.click()} onHelp={() => setHelping(true)} />
      ) : null}
      {helping ? <Help onClose={() => setHelping(false)} /> : null}
      <PictureInput ref={picker} onPick={pictures.take} />
      <PictureNotes pictures={pictures} />
      <div className="flex min-h-0 flex-1">
        {outline.pressed && outline.possible ? (
          <aside className="w-56 shrink-0 overflow-y-auto border-line border-r p-3 max-lg:hidden">
            <OutlinePanel headings={outline.headings} onGo={outline.goTo} />
          </aside>
        ) : null}
        <TextField ref={field} {...{ value, onChange, label, placeholder, control, view, typewriter }} />
        {viewMode === "split" ? <div className="w-px shrink-0 bg-line" /> : null}
        {view.isRendered ? (
          <PreviewPane ref={preview} text={value} width={wide ? width : "desk"} onHeadings={outline.onHeadings} />
        ) : null}
      </div>
    </div>
  );
}

interface TextFieldProps extends Pick<TextEditorProps, "value" | "onChange" | "label" | "placeholder"> {
  readonly ref: Ref<HTMLDivElement>;
  readonly control: SurfaceControl;
  readonly view: View;
  readonly typewriter: boolean;
}

/** What the text is written in; hidden while it is only read. */
function TextField({ ref, control, view, typewriter, value, onChange, label, placeholder }: TextFieldProps) {
  const { shown, withheld, surface } = control;
  const { viewMode, isMarkdown, long } = view;
  const { Surface } = shown;
  return (
    <div ref={ref} className={classes("flex min-h-0 min-w-0 flex-1", viewMode === "read" && "hidden")}>
      {withheld ? (
        <div className="grid flex-1 content-start gap-3 p-6">
          <Skeleton className="h-4 w-11/12" />
          <Skeleton className="h-4 w-3/4" />
        </div>
      ) : (
        <Surface
          ref={surface}
          value={value}
          onChange={onChange}
          label={label}
          placeholder={placeholder}
          // Its parser takes a paragraph in one go: one of ten megabytes held each key for seconds.
          markdown={isMarkdown && !long}
          live={viewMode === "live"}
          typewriter={typewriter}
          start={shown.start}
        />
      )}
    </div>
  );
}
