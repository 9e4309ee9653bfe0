import type { GallerySettings } from "../model/preferences.ts";

/** The height of a picture in widths, until it is known. */
const GUESSED = 0.75;
/** The narrowest column that fits by itself, in pixels. */
const NARROWEST = 200;

/** Where a picture lies, in pixels. */
export interface Tile {
  readonly index: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** So many columns as somebody wants, or as fit. */
function columnsFor(width: number, { columns, across }: GallerySettings): number {
  if (columns > 0) return columns;
  return Math.max(2, Math.min(6, Math.floor((width + across) / (NARROWEST + across))));
}

/** Lays pictures of different heights into columns, each where there is most room; `ratios` are their heights in widths. */
export function layOut(ratios: readonly (number | undefined)[], width: number, settings: GallerySettings) {
  const count = columnsFor(width, settings);
  const column = Math.max(1, (width - settings.across * (count - 1)) / count);
  const heights = Array.from({ length: count }, () => 0);
  const tiles = ratios.map((ratio = GUESSED, index): Tile => {
    const place = heights.indexOf(Math.min(...heights));
    const top = heights[place] ?? 0;
    const height = Math.round(column * ratio);
    heights[place] = top + height + settings.down;
    return { index, left: place * (column + settings.across), top, width: column, height };
  });
  return { tiles, columns: count, height: Math.max(0, ...heights) };
}

/** The tiles that reach into a stretch, in pixels. */
export const within = (tiles: readonly Tile[], from: number, to: number): readonly Tile[] =>
  tiles.filter(({ top, height }) => top < to && top + height > from);
