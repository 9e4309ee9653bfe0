import AlignCenter from "lucide-react/icons/align-vertical-distribute-center";
import ListTree from "lucide-react/icons/list-tree";
import Maximize from "lucide-react/icons/maximize-2";
import Minimize from "lucide-react/icons/minimize-2";
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from "react";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { classes } from "../../../lib/classes.ts";
import { browserStorage } from "../../../lib/storage.ts";
import type { Heading } from "../../../preview/markdown/outline.ts";
import { IconButton } from "../../../ui/button.tsx";
import { Skeleton } from "../../../ui/surface.tsx";
import { Segmented } from "../segmented.tsx";
import { OutlinePanel } from "../view/outline-panel.tsx";
import { EditorNotice } from "./editor-notice.tsx";
import { Help } from "./help/help.tsx";
import {
  type EditorMode,
  isLong,
  savedTypewriter,
  savedViewMode,
  savedWidth,
  saveTypewriter,
  saveViewMode,
  saveWidth,
  type ViewMode,
} from "./mode.ts";
import { type MoreItem, MoreMenu } from "./more-menu.tsx";
import { PictureInput, PictureNotes } from "./picture-notes.tsx";
import { PreviewPane } from "./preview-pane.tsx";
import { scrollTogether } from "./scroll-together.ts";
import { SizeCounter } from "./size-counter.tsx";
import type { EditorFocus } from "./surface.ts";
import { Toolbar } from "./toolbar.tsx";
import { toolOfKey } from "./tools.ts";
import { useHeadings } from "./use-headings.ts";
import { usePictures } from "./use-pictures.ts";
import { useSurface } from "./use-surface.ts";
import { ViewModeSwitch } from "./view-mode-switch.tsx";
import { WidthButton } from "./width-button.tsx";

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
  /** More that can be done with the text, in the menu. */
  readonly more?: readonly MoreItem[];
  /** Buttons beside the counter. */
  readonly tools?: ReactNode;
  readonly ref?: Ref<EditorHandle>;
}

/** Below this width of the window there is no room for text and preview side by side. */
const WIDE = "(min-width: 769px)";

function useWide(): boolean {
  const [wide, setWide] = useState(() => window.matchMedia(WIDE).matches);
  useEffect(() => {
    const query = window.matchMedia(WIDE);
    const change = () => setWide(query.matches);
    query.addEventListener("change", change);
    return () => query.removeEventListener("change", change);
  }, []);
  return wide;
}

/** The editor: Markdown with its toolbar and preview, or plain text. It fills the box around it. */
export function TextEditor(props: TextEditorProps) {
  useLanguage();
  const { value, onChange, mode, onMode, label, placeholder, more = [], tools, ref } = props;
  const control = useSurface(mode, value.length);
  const { shown, withheld, chosen, surface } = control;
  const { Surface } = shown;
  const wide = useWide();
  const [wanted, setWanted] = useState<ViewMode>(() => savedViewMode(browserStorage, wide));
  const [typewriter, setTypewriter] = useState(() => savedTypewriter(browserStorage));
  const [width, setWidth] = useState(() => savedWidth(browserStorage));
  const [full, setFull] = useState(false);
  const [helping, setHelping] = useState(false);
  const [outlined, setOutlined] = useState(false);
  const [rendered, setRendered] = useState<readonly Heading[]>([]);
  const preview = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLDivElement>(null);
  const together = useRef<ReturnType<typeof scrollTogether>>(undefined);
  const picker = useRef<HTMLInputElement>(null);
  const live = useRef(value);
  live.current = value;
  const pictures = usePictures({ surface, text: () => live.current, write: onChange });

  const long = isLong(value.length);
  const isMarkdown = mode === "rich";
  const viewMode: ViewMode = !isMarkdown || long ? "write" : wanted === "split" && !wide ? "live" : wanted;
  const isRendered = viewMode === "split" || viewMode === "read";
  const canOutline = isMarkdown && !long;
  const own = useHeadings(value, outlined && canOutline && !isRendered);
  const headings = isRendered ? rendered : own;
  const see = (next: ViewMode) => {
    setWanted(next);
    saveViewMode(browserStorage, next);
  };

  const canCentre = shown.kind === "code" && viewMode !== "read";
  const centre = {
    id: "typewriter",
    label: t(typewriter ? "editing.typewriter.stop" : "editing.typewriter.start"),
    icon: <AlignCenter aria-hidden />,
    run: () => {
      setTypewriter(!typewriter);
      saveTypewriter(browserStorage, !typewriter);
    },
  };

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

  useEffect(() => {
    const lines = shown.kind === "code" && viewMode === "split" ? surface.current?.lines?.() : undefined;
    if (!lines || !preview.current) return;
    const tie = scrollTogether(lines, preview.current);
    together.current = tie;
    return () => {
      together.current = undefined;
      tie.end();
    };
  }, [shown.kind, viewMode, surface]);

  // Browsers take seconds for each megabyte that is pasted into a text area: a long text goes around it.
  const paste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData("text/plain").replaceAll("\r\n", "\n");
    if (shown.kind === "code" || !isLong(value.length + pasted.length)) return;
    event.preventDefault();
    event.stopPropagation();
    const { anchor, head } = surface.current?.caret() ?? { anchor: value.length, head: value.length };
    onChange(value.slice(0, Math.min(anchor, head)) + pasted + value.slice(Math.max(anchor, head)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && full && !event.defaultPrevented) setFull(false);
    const tool = (event.ctrlKey || event.metaKey) && isMarkdown ? toolOfKey(event) : undefined;
    if (!tool || !(event.target instanceof Node && field.current?.contains(event.target))) return;
    event.preventDefault();
    event.stopPropagation();
    if ("format" in tool) surface.current?.edit(tool.format);
    else setHelping(true);
  };
  const onHeadings = useCallback((next: readonly Heading[]) => {
    setRendered(next);
    together.current?.again();
  }, []);
  const goTo = ({ id, line }: Heading) => {
    if (viewMode !== "read") {
      const at = endOfLine(value, line);
      surface.current?.focus({ anchor: at, head: at });
      surface.current?.lines?.()?.go(line);
    }
    preview.current?.querySelector(`#${id}`)?.scrollIntoView({ block: "start" });
  };

  return (
    <div
      className={classes(
        "flex min-h-0 flex-1 flex-col bg-raised",
        full &&
          "fixed inset-0 z-40 h-dvh pr-[env(safe-area-inset-right)] pb-[env(safe-area-inset-bottom)] pl-[env(safe-area-inset-left)]",
      )}
      onPasteCapture={paste}
      onKeyDownCapture={onKeyDown}
    >
      <div className="flex min-h-12 items-center gap-1 border-line border-b px-2 sm:gap-2 sm:px-6">
        <Segmented
          label={t("paste.editor.mode")}
          value={mode}
          onChange={(next) => {
            chosen();
            onMode(next);
          }}
          choices={[
            { value: "rich", label: t("paste.editor.rich") },
            { value: "plain", label: t("paste.editor.plain") },
          ]}
        />
        <EditorNotice loading={control.loading} failed={control.failed} long={long && isMarkdown} />
        <div className="ml-auto flex items-center gap-1">
          <SizeCounter text={value} />
          {/* Before the switch, so that this stays under the pointer when the button goes. */}
          {isRendered && wide ? (
            <WidthButton
              width={width}
              onChange={(next) => {
                setWidth(next);
                saveWidth(browserStorage, next);
              }}
            />
          ) : null}
          {isMarkdown ? <ViewModeSwitch viewMode={viewMode} wide={wide} long={long} onChange={see} /> : null}
          {canOutline ? (
            <IconButton
              label={t("editing.outline")}
              aria-pressed={outlined}
              onClick={() => setOutlined(!outlined)}
              className="max-lg:hidden"
            >
              <ListTree aria-hidden />
            </IconButton>
          ) : null}
          <IconButton
            label={t(full ? "editing.leaveFull" : "editing.full")}
            onClick={() => setFull(!full)}
            className="max-sm:hidden"
          >
            {full ? <Minimize aria-hidden /> : <Maximize aria-hidden />}
          </IconButton>
          {tools}
          <MoreMenu text={value} markdown={isMarkdown && !long} items={canCentre ? [...more, centre] : more} />
        </div>
      </div>
      {isMarkdown && viewMode !== "read" ? (
        <Toolbar surface={surface} onPicture={() => picker.current?.click()} onHelp={() => setHelping(true)} />
      ) : null}
      {helping ? <Help onClose={() => setHelping(false)} /> : null}
      <PictureInput ref={picker} onPick={pictures.take} />
      <PictureNotes pictures={pictures} />
      <div className="flex min-h-0 flex-1">
        {outlined && canOutline ? (
          <aside className="w-56 shrink-0 overflow-y-auto border-line border-r p-3 max-lg:hidden">
            <OutlinePanel headings={headings} onGo={goTo} />
          </aside>
        ) : null}
        <div ref={field} className={classes("flex min-h-0 min-w-0 flex-1", viewMode === "read" && "hidden")}>
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
        {viewMode === "split" ? <div className="w-px shrink-0 bg-line" /> : null}
        {isRendered ? (
          <PreviewPane ref={preview} text={value} width={wide ? width : "desk"} onHeadings={onHeadings} />
        ) : null}
      </div>
    </div>
  );
}

/** Where a line ends, counted from 0. */
function endOfLine(text: string, line: number): number {
  let at = -1;
  for (let passed = 0; passed <= line; passed += 1) {
    at = text.indexOf("\n", at + 1);
    if (at < 0) return text.length;
  }
  return at;
}
