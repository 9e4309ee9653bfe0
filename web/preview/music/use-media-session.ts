import { useEffect, useEffectEvent } from "react";

interface Session {
  readonly title: string;
  readonly artist?: string | undefined;
  readonly album?: string | undefined;
  /** Where the cover is drawn from. */
  readonly cover?: string | undefined;
  /** Plays the recording before or after; undefined where there is none. */
  readonly previous: (() => void) | undefined;
  readonly next: (() => void) | undefined;
}

/** Tells a device what plays, for its lock screen and its keys, for as long as the player is there. */
export function useMediaSession({ title, artist = "", album = "", cover, previous, next }: Session): void {
  const onPrevious = useEffectEvent(() => previous?.());
  const onNext = useEffectEvent(() => next?.());
  const [hasPrevious, hasNext] = [previous !== undefined, next !== undefined];
  useEffect(() => {
    if (!("mediaSession" in navigator)) return;
    const artwork = cover ? [{ src: cover }] : [];
    navigator.mediaSession.metadata = new MediaMetadata({ title, artist, album, artwork });
    return () => {
      navigator.mediaSession.metadata = null;
    };
  }, [title, artist, album, cover]);
  useEffect(() => {
    if (!("mediaSession" in navigator)) return;
    navigator.mediaSession.setActionHandler("previoustrack", hasPrevious ? () => onPrevious() : null);
    navigator.mediaSession.setActionHandler("nexttrack", hasNext ? () => onNext() : null);
    return () => {
      for (const action of ["previoustrack", "nexttrack"] as const)
        navigator.mediaSession.setActionHandler(action, null);
    };
  }, [hasPrevious, hasNext]);
}
