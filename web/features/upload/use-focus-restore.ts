import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from "react";

const reachable = ":is(button:not(:disabled), a[href], [tabindex])";

interface Trail {
  /** What had the focus, unless it was given away on purpose. */
  element: Element | undefined;
  row: Element | undefined;
  /** Where the row stood. */
  index: number;
  bar: Element | undefined;
}

/**
 * Gives the focus to what is next when what had it goes away with a change: to the row, to the one that has taken its place,
 * to the bar, or to the first control. Else it would fall to the top of the page. It looks after each rendering of the
 * component that calls it; a row is an `li`, a bar has `data-bar`.
 */
export function useFocusRestore<Place extends HTMLElement>(place: RefObject<Place | null>) {
  const trail = useRef<Trail>({ element: undefined, row: undefined, index: -1, bar: undefined });
  useLayoutEffect(() => {
    const { element } = trail.current;
    if (!place.current || !element || element.isConnected || document.activeElement !== document.body) return;
    next(place.current, trail.current)?.focus({ preventScroll: true });
  });
  return {
    onFocus({ target }: FocusEvent<Place>) {
      trail.current.element = target;
      // A dialog belongs to what has opened it.
      if (target.closest("dialog")) return;
      const row = target.closest("li") ?? undefined;
      trail.current.row = row;
      trail.current.index = row ? rowsIn(place.current).indexOf(row) : -1;
      trail.current.bar = target.closest("[data-bar]") ?? undefined;
    },
    onBlur({ target }: FocusEvent<Place>) {
      // Not when only the window loses it.
      if (document.activeElement !== target) trail.current.element = undefined;
    },
  };
}

const rowsIn = (place: Element | null): Element[] => Array.from(place?.querySelectorAll("li") ?? []);

function next(place: Element, { row, index, bar }: Trail): HTMLElement | null {
  const rows = rowsIn(place);
  const neighbour = row?.isConnected ? row : rows[Math.min(index, rows.length - 1)];
  const within = (around: Element | undefined) => around?.querySelector<HTMLElement>(reachable) ?? null;
  return within(neighbour) ?? (bar?.isConnected ? within(bar) : null) ?? within(place);
}
