import { type RefObject, useEffect, useEffectEvent } from "react";
import { bringsUpKeyboard } from "../../../lib/media.ts";
import { inserted } from "../editor/formats.ts";
import type { EditorFocus } from "../editor/surface.ts";

/** What takes text that is typed or pasted itself; a dialog is about something else than the text. */
const TAKES_TEXT = "input, textarea, select, [contenteditable='true'], dialog, [role='dialog'], [role='menu']";

/** Reports whether a paste would go nowhere. */
const isLost = (target: EventTarget | null): boolean =>
  !(target instanceof Element && target.closest(TAKES_TEXT)) && document.querySelector("dialog[open]") === null;

/**
 * Gives the editor the focus on arrival, and what is pasted wherever the focus is later. On a touch screen the focus would bring up the
 * keyboard over a page that nobody has seen yet.
 */
export function useArrival(editor: RefObject<EditorFocus | null>): void {
  useEffect(() => {
    if (bringsUpKeyboard()) return;
    // A dialog, or a field that the address leads to, has it for a reason.
    if (document.activeElement && document.activeElement !== document.body) return;
    editor.current?.focus();
  }, [editor]);

  const take = useEffectEvent((event: ClipboardEvent) => {
    if (event.defaultPrevented || !isLost(event.target)) return;
    const text = event.clipboardData?.getData("text/plain").replaceAll("\r\n", "\n") ?? "";
    if (text === "") return;
    event.preventDefault();
    editor.current?.edit(inserted(text));
  });
  useEffect(() => {
    const paste = (event: ClipboardEvent) => take(event);
    document.addEventListener("paste", paste);
    return () => document.removeEventListener("paste", paste);
  }, []);
}
