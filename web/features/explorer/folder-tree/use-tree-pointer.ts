import type { MouseEvent } from "react";
import { useLongPress } from "../folder/long-press.ts";
import type { Entry } from "../model/entry.ts";
import type { TreeRow } from "./rows.ts";

/** Makes the handlers of right clicks and long presses, which ask for the menu of a folder. */
export function useTreePointer(rows: readonly TreeRow[], onMenu: (entry: Entry, at: DOMRect) => void) {
  const menuOf = (target: EventTarget, at: DOMRect): boolean => {
    const key = target instanceof Element && target.closest("[data-row]")?.getAttribute("data-row");
    const row = rows.find((one) => one.key === key);
    if (row?.kind !== "folder") return false;
    onMenu(row.entry, at);
    return true;
  };
  const longPress = useLongPress((target, at) => void menuOf(target, at));
  return {
    ...longPress.handlers,
    onContextMenu(event: MouseEvent) {
      const place = new DOMRect(event.clientX, event.clientY, 0, 0);
      if (longPress.isLong() || menuOf(event.target, place)) event.preventDefault();
    },
    /** The tap that follows a long press opens nothing. */
    onClickCapture(event: MouseEvent) {
      if (!longPress.wasLong()) return;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}
