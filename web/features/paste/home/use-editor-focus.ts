import { type RefObject, useEffect } from "react";
import { bringsUpKeyboard } from "../../../lib/media.ts";
import { usePastedText } from "../../../ui/file-drop/use-pasted-text.ts";
import { inserted } from "../editor/formats.ts";
import type { EditorFocus } from "../editor/surface/surface.ts";

/**
 * Gives the editor the focus on arrival, and what is pasted wherever the focus is later. On a touch screen the focus would bring up the
 * keyboard over a page that nobody has seen yet.
 */
export function useEditorFocus(editor: RefObject<EditorFocus | null>): void {
  useEffect(() => {
    if (bringsUpKeyboard()) return;
    // A dialog, or a field that the address leads to, has it for a reason.
    if (document.activeElement && document.activeElement !== document.body) return;
    editor.current?.focus();
  }, [editor]);

  usePastedText((text) => editor.current?.edit(inserted(text)));
}
