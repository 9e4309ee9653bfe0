import { type DragEvent, useEffect, useRef } from "react";
import type { TreeRow } from "./rows.ts";

/** How long something is held over a closed folder until that opens, in milliseconds. */
const HELD = 700;

/** Makes the handlers that open a closed folder over which something is held: it may be meant for one within. */
export function useSpring(rows: readonly TreeRow[], change: (path: string, open: boolean) => void) {
  const held = useRef<{ readonly key: string | null; readonly timer: ReturnType<typeof setTimeout> }>(undefined);
  const end = () => {
    clearTimeout(held.current?.timer);
    held.current = undefined;
  };
  useEffect(() => () => clearTimeout(held.current?.timer), []);
  return {
    onDragOver({ target }: DragEvent) {
      const place = target instanceof Element ? target.closest("[data-row]") : null;
      const key = place?.getAttribute("data-row") ?? null;
      if (held.current?.key === key) return;
      end();
      const row = rows.find((one) => one.key === key);
      const isClosed = row?.kind === "folder" && row.expanded === false;
      held.current = { key, timer: setTimeout(() => isClosed && change(row.path, true), HELD) };
    },
    onDragLeave({ currentTarget, relatedTarget }: DragEvent) {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) end();
    },
    onDrop: end,
  };
}
