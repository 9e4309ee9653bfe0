import { type FocusEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";

/** Up to so many rows are simply drawn. */
const FEW = 40;
/** Pixels beyond the screen in which rows are drawn, too, so that a quick scroll shows no gap. */
const MARGIN = 600;
/** Pixels of scrolling that go unnoticed. */
const GRAIN = 200;

/** A part of a long list: a row, or the height of rows that are not drawn. */
type Piece =
  | { readonly kind: "row"; readonly index: number }
  | { readonly kind: "gap"; readonly before: number; readonly height: number };

/** What of the list is near the screen, in pixels from the upper edge of the list. */
interface Near {
  readonly top: number;
  readonly bottom: number;
}

/**
 * Draws of a long list only what is near the screen, whatever it is that scrolls, and the row that has the focus. Rows may
 * have any height: those that were drawn are measured, the others count as `estimate` pixels. Spread `events` onto the list and
 * give it one child for each piece, in order.
 */
export function useWindowed<List extends HTMLElement>(
  list: RefObject<List | null>,
  ids: readonly string[],
  estimate: number,
) {
  const long = ids.length > FEW;
  const [near, setNear] = useState<Near>({ top: 0, bottom: MARGIN });
  const [focused, setFocused] = useState<string>();
  const [heights, setHeights] = useState<ReadonlyMap<string, number>>(new Map());
  const pieces = long ? piecesOf({ ids, near, focused, heightOf: (id) => heights.get(id) ?? estimate }) : allOf(ids);
  const drawn = useRef({ pieces, ids });
  useLayoutEffect(() => {
    drawn.current = { pieces, ids };
  });

  useLayoutEffect(() => {
    const element = list.current;
    if (!long || !element) return;
    const look = () => setNear((now) => nearOf(element, now));
    const resized = new ResizeObserver(() => {
      setHeights((now) => measured(element, drawn.current, now));
      look();
    });
    resized.observe(element);
    look();
    // Some element around the list may scroll in the window's place.
    window.addEventListener("scroll", look, { capture: true, passive: true });
    window.addEventListener("resize", look);
    return () => {
      resized.disconnect();
      window.removeEventListener("scroll", look, { capture: true });
      window.removeEventListener("resize", look);
    };
  }, [list, long]);

  // Rows change their height as they go along.
  useEffect(() => {
    const element = list.current;
    if (long && element) setHeights((now) => measured(element, drawn.current, now));
  });

  const events = {
    onFocus({ target }: FocusEvent<List>) {
      const at = Array.from(list.current?.children ?? []).findIndex((child) => child.contains(target));
      const piece = drawn.current.pieces[at];
      setFocused(piece?.kind === "row" ? drawn.current.ids[piece.index] : undefined);
    },
    onBlur: () => setFocused(undefined),
  };
  return { pieces, events };
}

/** The looks of a gap. A browser that held on to it would scroll back whenever it becomes shorter. */
export const gapStyle = (height: number) => ({ height, overflowAnchor: "none" }) as const;

const allOf = (ids: readonly string[]): Piece[] => ids.map((_, index) => ({ kind: "row", index }));

interface Window {
  readonly ids: readonly string[];
  readonly near: Near;
  readonly focused: string | undefined;
  readonly heightOf: (id: string) => number;
}

/** The rows near the screen and the one with the focus, with gaps of the height of what is between them. */
export function piecesOf({ ids, near, focused, heightOf }: Window): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  let gap = 0;
  for (const [index, id] of ids.entries()) {
    const height = heightOf(id);
    const isNear = at + height > near.top && at < near.bottom;
    if (isNear || id === focused) {
      if (gap > 0) pieces.push({ kind: "gap", before: index, height: gap });
      gap = 0;
      pieces.push({ kind: "row", index });
    } else {
      gap += height;
    }
    at += height;
  }
  if (gap > 0) pieces.push({ kind: "gap", before: ids.length, height: gap });
  return pieces;
}

function nearOf(element: HTMLElement, now: Near): Near {
  const { top: edge } = element.getBoundingClientRect();
  const top = Math.floor((-edge - MARGIN) / GRAIN) * GRAIN;
  const bottom = Math.ceil((window.innerHeight - edge + MARGIN) / GRAIN) * GRAIN;
  return now.top === top && now.bottom === bottom ? now : { top, bottom };
}

interface Drawn {
  readonly pieces: readonly Piece[];
  readonly ids: readonly string[];
}

/** The heights as they are now; the same map when none has changed. */
function measured(element: HTMLElement, { pieces, ids }: Drawn, now: ReadonlyMap<string, number>) {
  const found: [id: string, height: number][] = [];
  for (const [at, child] of Array.from(element.children).entries()) {
    const piece = pieces[at];
    const id = piece?.kind === "row" ? ids[piece.index] : undefined;
    if (id === undefined) continue;
    const { height } = child.getBoundingClientRect();
    if (height > 0 && Math.abs((now.get(id) ?? 0) - height) >= 0.5) found.push([id, height]);
  }
  if (found.length === 0) return now;
  const there = new Set(ids);
  return new Map([...[...now].filter(([id]) => there.has(id)), ...found]);
}
