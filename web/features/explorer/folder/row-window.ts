import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { useReturn } from "./scroll-positions.ts";

/** Rows beyond the edges that are drawn, too, so that a quick scroll shows no gap. */
const MARGIN = 8;

/** What of a place that scrolls can be seen, in pixels. */
interface Seen {
  readonly top: number;
  readonly height: number;
  readonly width: number;
}

const unseen: Seen = { top: 0, height: 0, width: 0 };

/** Follows how a place scrolls and what size it has; tells only when it has moved by `grain` pixels. */
export function useSeen(place: RefObject<HTMLElement | null>, grain: number): Seen {
  const [seen, setSeen] = useState(unseen);
  useLayoutEffect(() => {
    const element = place.current;
    if (!element) return;
    const look = () => {
      const { scrollTop, clientHeight: height, clientWidth: width } = element;
      const top = Math.floor(scrollTop / grain) * grain;
      setSeen((now) =>
        now.top === top && now.height === height && now.width === width ? now : { top, height, width },
      );
    };
    look();
    const resized = new ResizeObserver(look);
    resized.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      resized.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, [place, grain]);
  return seen;
}

/** The rows of equal height to be drawn: from one index up to another, which is not among them. */
export function windowOf({ top, height }: Pick<Seen, "top" | "height">, rowHeight: number, count: number) {
  const from = Math.max(0, Math.floor(top / rowHeight) - MARGIN);
  const to = Math.min(count, Math.ceil((top + height) / rowHeight) + MARGIN);
  return { from: Math.min(from, to), to };
}

/** Brings a stretch of a place that scrolls into view, below what is stuck to its upper edge. */
export function reveal(element: HTMLElement, { top, height }: { top: number; height: number }, stuck: number): void {
  const low = top + height - element.clientHeight + stuck;
  if (element.scrollTop > top) element.scrollTop = top;
  else if (element.scrollTop < low) element.scrollTop = low;
}

/** The entry that the keyboard is on, and its row; -1 for none that is shown. */
interface Stood {
  readonly path: string | undefined;
  readonly row: number;
}

/** Scrolls to an entry whenever the keyboard comes to it; where it is only moved, because others came or went, nothing scrolls. */
export function useReveal(
  place: RefObject<HTMLElement | null>,
  { path, row }: Stood,
  rowHeight: number,
  stuck: number,
): void {
  const returned = useRef(useReturn() !== undefined);
  const shown = row < 0 ? undefined : path;
  const show = useEffectEvent(() => {
    // Whoever comes back is where they were, be the entry they were on in view or not.
    if (returned.current) returned.current = false;
    else if (place.current) reveal(place.current, { top: row * rowHeight, height: rowHeight }, stuck);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows of another height lie elsewhere
  useEffect(() => {
    if (shown !== undefined) show();
  }, [shown, rowHeight]);
}
