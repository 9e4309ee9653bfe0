import { useEffect, useEffectEvent } from "react";

/** What takes text that is pasted itself; a dialog is about something else than the page. */
const TAKES_TEXT = "input, textarea, select, [contenteditable='true'], dialog, [role='dialog'], [role='menu']";

/** Reports whether a paste would go nowhere. */
const isLost = (target: EventTarget | null): boolean =>
  !(target instanceof Element && target.closest(TAKES_TEXT)) && document.querySelector("dialog[open]") === null;

/** Takes text that is pasted where nothing else would take it. */
export function usePastedText(onText: (text: string) => void): void {
  const take = useEffectEvent((event: ClipboardEvent) => {
    if (event.defaultPrevented || !isLost(event.target)) return;
    const text = event.clipboardData?.getData("text/plain").replaceAll("\r\n", "\n") ?? "";
    if (text === "") return;
    event.preventDefault();
    onText(text);
  });
  useEffect(() => {
    const paste = (event: ClipboardEvent) => take(event);
    document.addEventListener("paste", paste);
    return () => document.removeEventListener("paste", paste);
  }, []);
}
