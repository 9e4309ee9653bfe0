import { t, useLanguage } from "../../../i18n/i18n.ts";

interface EditorNoticeProps {
  readonly loading: boolean;
  readonly failed: boolean;
  readonly long: boolean;
}

/** What should be known about the editor that is shown. */
export function EditorNotice({ loading, failed, long }: EditorNoticeProps) {
  useLanguage();
  const text = failed
    ? t("paste.editor.failed")
    : long
      ? t("paste.editor.tooLong")
      : loading
        ? t("paste.editor.loading")
        : "";
  return (
    <p aria-live="polite" className="min-w-0 truncate text-[13px] text-muted">
      {text}
    </p>
  );
}
