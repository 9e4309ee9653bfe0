import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { classes } from "../../../../lib/classes.ts";

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
    <p
      aria-live="polite"
      className={classes(
        "min-w-0 text-[13px] text-muted",
        // On a phone what stays has a line of its own, below what can be pressed.
        failed || long ? "max-sm:order-last max-sm:basis-full max-sm:px-2 max-sm:pb-2 sm:truncate" : "truncate",
      )}
    >
      {text}
    </p>
  );
}
