import { type CSSProperties, useMemo } from "react";
import { thumbHashToAverageRGBA } from "thumbhash";
import type { PictureFacts } from "#contract/files";

/** How much of the colour shows: a page of pictures that are on their way is to be calm. */
const STRENGTH = 0.6;

/**
 * The average colour of a picture as a background, for as long as the picture has not loaded. One colour: what the hash tells of the shapes
 * looks like a chequered pattern where a picture is full of details.
 */
export function useColours(picture: PictureFacts | undefined): CSSProperties | undefined {
  const hash = picture?.hash;
  return useMemo(() => {
    if (!hash) return undefined;
    const { r, g, b, a } = thumbHashToAverageRGBA(Uint8Array.from(atob(hash), (letter) => letter.charCodeAt(0)));
    const [red, green, blue] = [r, g, b].map((part) => Math.round(255 * Math.min(1, Math.max(0, part))));
    return { backgroundColor: `rgb(${red} ${green} ${blue} / ${(STRENGTH * a).toFixed(2)})` };
  }, [hash]);
}
