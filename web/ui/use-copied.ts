import { useEffect, useState } from "react";
import { t } from "../i18n/i18n.ts";
import { copyText } from "../lib/clipboard.ts";

/** How long it is said, in milliseconds. */
const SHOWN = 1800;

/** Copies texts and says for a moment how that went; `said` is empty else. */
export function useCopied() {
  const [outcome, setOutcome] = useState<"copied" | "copyFailed">();
  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(undefined), SHOWN);
    return () => clearTimeout(timer);
  }, [outcome]);
  return {
    copied: outcome === "copied",
    said: outcome ? t(`shell.actions.${outcome}`) : "",
    copy: async (text: string) => setOutcome((await copyText(text)) ? "copied" : "copyFailed"),
  };
}
