import { useDeferredValue, useMemo } from "react";
import { formatBytes } from "#contract/format-bytes";
import { MAX_CONTENT_BYTES } from "#contract/limits";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { bytesOfText } from "../../../../lib/bytes.ts";
import { classes } from "../../../../lib/classes.ts";

/** From here on the counter warns. */
const WARN_BYTES = MAX_CONTENT_BYTES * 0.9;

type SizeState = "fine" | "near" | "over";

/** Compares a size with the limit of one share. */
export function sizeState(bytes: number): SizeState {
  if (bytes > MAX_CONTENT_BYTES) return "over";
  return bytes > WARN_BYTES ? "near" : "fine";
}

/** Shows nothing for an empty text, warns near the limit of a share and tells when it is passed. */
export function SizeCounter({ text }: { readonly text: string }) {
  const language = useLanguage();
  // Counting the bytes of a long text must not hold up the key that was pressed.
  const later = useDeferredValue(text);
  const bytes = useMemo(() => bytesOfText(later), [later]);
  if (bytes === 0) return null;
  const state = sizeState(bytes);
  const size = formatBytes(bytes, language);
  const characters = t("editing.characters", { count: later.length });
  const full = {
    fine: t("paste.editor.size", { size, characters }),
    near: t("paste.editor.sizeNear", { size }),
    over: t("paste.editor.sizeOver", { size }),
  }[state];
  return (
    <span
      role={state === "fine" ? undefined : "status"}
      title={full}
      className={classes(
        "whitespace-nowrap px-2 text-[13px] tabular-nums",
        state === "fine" ? "text-muted max-md:hidden" : "font-medium text-danger",
      )}
    >
      {state === "fine" ? characters : full}
    </span>
  );
}
