import { type ClipboardEvent, type ReactNode, type Ref, useDeferredValue, useImperativeHandle, useMemo } from "react";
import { RICH_TEXT_CHARACTERS } from "#contract/limits";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { formatBytes } from "../../../lib/bytes.ts";
import { classes } from "../../../lib/classes.ts";
import { Segmented } from "../../../ui/segmented.tsx";
import { Skeleton } from "../../../ui/surface.tsx";
import { bytesOf, sizeState } from "./size.ts";
import type { EditorFocus } from "./surface.ts";
import { useSurface } from "./use-surface.ts";

interface TextEditorProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly label: string;
  readonly placeholder: string;
  /** Buttons beside the counter. */
  readonly tools?: ReactNode;
  readonly ref?: Ref<EditorFocus>;
}

/** The editor with its switch between Markdown and plain text and its counter; it fills the box around it. */
export function TextEditor({ value, onChange, label, placeholder, tools, ref }: TextEditorProps) {
  useLanguage();
  const { shown, mode, loading, withheld, failed, choose, surface } = useSurface(value.length);
  const { Surface } = shown;
  useImperativeHandle(ref, () => ({ focus: () => surface.current?.focus() }));
  const large = shown.kind === "large" || withheld;
  // Browsers take seconds for each megabyte that is pasted into a text area: a long text goes around it.
  const paste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData("text/plain").replaceAll("\r\n", "\n");
    if (shown.kind === "large" || value.length + pasted.length <= RICH_TEXT_CHARACTERS) return;
    event.preventDefault();
    event.stopPropagation();
    const { anchor, head } = surface.current?.caret() ?? { anchor: value.length, head: value.length };
    onChange(value.slice(0, Math.min(anchor, head)) + pasted + value.slice(Math.max(anchor, head)));
  };
  return (
    <div className="flex min-h-0 flex-1 flex-col" onPasteCapture={paste}>
      <div className="flex min-h-12 items-center gap-2 border-b border-line px-3 sm:px-6">
        <Segmented
          label={t("paste.editor.mode")}
          value={large ? "plain" : mode}
          onChange={choose}
          choices={[
            { value: "rich", label: t("paste.editor.rich"), disabled: large },
            { value: "plain", label: t("paste.editor.plain") },
          ]}
        />
        <EditorNotice loading={loading} failed={failed} large={large} />
        <div className="ml-auto flex items-center gap-1">
          <SizeCounter text={value} />
          {tools}
        </div>
      </div>
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
          start={shown.start}
        />
      )}
    </div>
  );
}

function EditorNotice({ loading, failed, large }: { loading: boolean; failed: boolean; large: boolean }) {
  const text = failed
    ? t("paste.editor.failed")
    : large
      ? t("paste.editor.tooLong")
      : loading
        ? t("paste.editor.loading")
        : "";
  return (
    <p aria-live="polite" className="truncate text-[13px] text-muted">
      {text}
    </p>
  );
}

/** Shows nothing for an empty text, warns near the limit of a share and tells when it is passed. */
function SizeCounter({ text }: { text: string }) {
  const language = useLanguage();
  // Counting the bytes of a long text must not hold up the key that was pressed.
  const later = useDeferredValue(text);
  const bytes = useMemo(() => bytesOf(later), [later]);
  if (bytes === 0) return null;
  const state = sizeState(bytes);
  const size = formatBytes(bytes, language);
  const full = {
    fine: t("paste.editor.size", { size }),
    near: t("paste.editor.sizeNear", { size }),
    over: t("paste.editor.sizeOver", { size }),
  }[state];
  return (
    <span
      role={state === "fine" ? undefined : "status"}
      title={full}
      className={classes(
        "px-2 text-[13px] whitespace-nowrap tabular-nums",
        state === "fine" ? "text-muted" : "font-medium text-danger",
      )}
    >
      {state === "fine" ? size : full}
    </span>
  );
}
