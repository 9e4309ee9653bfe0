/** How large pages are drawn. Points and pixels are the same at a scale of 1. */
export interface PageSize {
  readonly width: number;
  readonly height: number;
}

export type Zoom = "width" | "page" | number;

/** Scales that can be picked, and how much a step changes it. */
export const zooms: readonly number[] = [0.5, 0.75, 1, 1.25, 1.5, 2, 3];
export const STEP = 1.25;
const LEAST = 0.25;
const MOST = 5;

/** The scale at which a page fits into its room, or that was picked. */
export function fitTo(zoom: Zoom, page: PageSize, room: PageSize): number {
  if (typeof zoom === "number") return zoom;
  const across = room.width / page.width;
  const scale = zoom === "width" ? Math.min(across, 2) : Math.min(across, room.height / page.height);
  return Math.min(MOST, Math.max(LEAST / 2, scale));
}

/** A step from a scale. */
export const zoomed = (scale: number | undefined, factor: number): number =>
  Math.round(Math.min(MOST, Math.max(LEAST, (scale ?? 1) * factor)) * 100) / 100;
