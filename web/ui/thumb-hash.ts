import { type CSSProperties, useMemo } from "react";
import { thumbHashToDataURL } from "thumbhash";
import type { PictureFacts } from "#contract/files";

/** The colours of a picture as a background, for as long as the picture has not loaded. */
export function useColours(picture: PictureFacts | undefined): CSSProperties | undefined {
  const hash = picture?.hash;
  return useMemo(() => {
    if (!hash) return undefined;
    const bytes = Uint8Array.from(atob(hash), (letter) => letter.charCodeAt(0));
    return { backgroundImage: `url(${thumbHashToDataURL(bytes)})`, backgroundSize: "100% 100%" };
  }, [hash]);
}
