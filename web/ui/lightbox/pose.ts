/** How a picture lies in its window: pure numbers, so that wheel, fingers, keys and buttons mean the same. */
export interface Pose {
  /** 1 is the whole picture in the window. */
  readonly scale: number;
  /** How far its middle is from that of the window, in pixels. */
  readonly x: number;
  readonly y: number;
  /** Quarter turns to the right. */
  readonly turns: number;
  readonly flipped: boolean;
}

/** The smallest and largest scale, and how much one step of the buttons changes it. */
export const SCALE = { least: 0.65, most: 8, step: 1.4 } as const;

export const fitting: Pose = { scale: 1, x: 0, y: 0, turns: 0, flipped: false };

/** A place in the window, from its middle, in pixels. */
interface Point {
  readonly x: number;
  readonly y: number;
}

const middle: Point = { x: 0, y: 0 };

/** Zooms by a factor; what is at the point stays there. */
export function zoomed(pose: Pose, factor: number, { x, y }: Point = middle): Pose {
  const scale = Math.min(SCALE.most, Math.max(SCALE.least, pose.scale * factor));
  // Close to the whole picture it snaps to it: nobody hits it otherwise.
  const snapped = Math.abs(scale - 1) < 0.04 ? 1 : scale;
  const by = snapped / pose.scale;
  if (snapped <= 1) return { ...pose, scale: snapped, x: 0, y: 0 };
  return { ...pose, scale: snapped, x: x - (x - pose.x) * by, y: y - (y - pose.y) * by };
}

export const turned = (pose: Pose): Pose => ({ ...pose, turns: (pose.turns + 1) % 4, x: 0, y: 0 });

export const flipped = (pose: Pose): Pose => ({ ...pose, flipped: !pose.flipped });

/** Moves by so many pixels, as far as the picture reaches beyond the window. */
export function moved(pose: Pose, by: Point, window: { readonly width: number; readonly height: number }): Pose {
  const reach = (size: number) => Math.max(0, (size * (pose.scale - 1)) / 2);
  const kept = (value: number, most: number) => Math.min(most, Math.max(-most, value));
  return { ...pose, x: kept(pose.x + by.x, reach(window.width)), y: kept(pose.y + by.y, reach(window.height)) };
}

/** The pose as CSS writes it; `shrink` is what a picture that lies on its side is made smaller by, so that all of it is seen. */
export function transformOf({ scale, x, y, turns, flipped }: Pose, shrink: number): string {
  const size = turns % 2 === 1 ? scale * shrink : scale;
  return `translate(${x}px, ${y}px) scale(${size}) rotate(${turns * 90}deg) scaleX(${flipped ? -1 : 1})`;
}
