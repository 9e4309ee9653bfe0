import ListTree from "lucide-react/icons/list-tree";
import Maximize from "lucide-react/icons/maximize-2";
import Minimize from "lucide-react/icons/minimize-2";
import type { ReactNode } from "react";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { classes } from "../../../../lib/classes.ts";
import { IconButton } from "../../../../ui/button.tsx";
import { kindName } from "../../kind-name.ts";
import { Segmented } from "../../segmented.tsx";
import type { EditorMode, PreviewWidth } from "../mode.ts";
import type { Outline } from "../preview/use-outline.ts";
import type { useSurface } from "../surface/use-surface.ts";
import type { View } from "../use-view-mode.ts";
import { EditorNotice } from "./editor-notice.tsx";
import { type MoreItem, MoreMenu } from "./more-menu.tsx";
import { SizeCounter } from "./size-counter.tsx";
import { ViewModeSwitch } from "./view-mode-switch.tsx";
import { WidthButton } from "./width-button.tsx";

interface EditorBarProps {
  readonly text: string;
  readonly mode: EditorMode;
  readonly onMode: (mode: EditorMode) => void;
  /** What the text was recognised as. */
  readonly kind: string | undefined;
  readonly control: Pick<ReturnType<typeof useSurface>, "loading" | "failed" | "chosen">;
  readonly view: View;
  readonly width: PreviewWidth;
  readonly onWidth: (width: PreviewWidth) => void;
  readonly outline: Outline;
  /** The editor fills the window. */
  readonly full: boolean;
  readonly onFull: () => void;
  /** Buttons beside the counter. */
  readonly tools: ReactNode;
  /** More that can be done with the text, in the menu. */
  readonly items: readonly MoreItem[];
}

/** The line above the text: how it is written and shown, how long it is, and what else can be done with it. */
export function EditorBar(props: EditorBarProps) {
  const { text, mode, onMode, kind, control, view, width, onWidth, outline, full, onFull, tools, items } = props;
  const { viewMode, wide, long, isMarkdown, isRendered } = view;
  useLanguage();
  const isTold = control.failed || (long && isMarkdown);
  return (
    <div
      className={classes(
        "flex min-h-12 items-center gap-1 border-line border-b px-2 sm:gap-2 sm:px-6",
        isTold && "max-sm:flex-wrap",
      )}
    >
      <Segmented
        label={t("paste.editor.mode")}
        value={mode}
        onChange={(next) => {
          control.chosen();
          onMode(next);
        }}
        choices={[
          { value: "rich", label: t("paste.editor.rich") },
          { value: "plain", label: t("paste.editor.plain") },
        ]}
      />
      {kind ? (
        <span role="status" className="ml-1 truncate text-[13px] text-muted">
          <span className="sr-only">{t("paste.editor.recognised", { kind: kindName(kind) })}</span>
          <span aria-hidden title={t("paste.editor.recognised", { kind: kindName(kind) })}>
            {kindName(kind)}
          </span>
        </span>
      ) : null}
      <EditorNotice loading={control.loading} failed={control.failed} long={long && isMarkdown} />
      <div className="ml-auto flex items-center gap-1">
        <SizeCounter text={text} />
        {/* Before the switch, so that this stays under the pointer when the button goes. */}
        {isRendered && wide ? <WidthButton width={width} onChange={onWidth} /> : null}
        {isMarkdown ? <ViewModeSwitch viewMode={viewMode} wide={wide} long={long} onChange={view.choose} /> : null}
        {outline.possible ? (
          <IconButton
            label={t("editing.outline")}
            aria-pressed={outline.pressed}
            onClick={outline.toggle}
            className="max-lg:hidden"
          >
            <ListTree aria-hidden />
          </IconButton>
        ) : null}
        <IconButton label={t(full ? "editing.leaveFull" : "editing.full")} onClick={onFull} className="max-sm:hidden">
          {full ? <Minimize aria-hidden /> : <Maximize aria-hidden />}
        </IconButton>
        {tools}
        <MoreMenu text={text} markdown={isMarkdown && !long} items={items} />
      </div>
    </div>
  );
}
