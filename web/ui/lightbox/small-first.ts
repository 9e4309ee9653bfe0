import { useEffect, useState } from "react";

/** Pixels that the small form of a picture has across, where the picture has as many. */
const SMALL_WIDTH = 1280;

interface Forms {
  readonly whole: string | undefined;
  readonly small: string | undefined;
  /** Whether somebody looks closer than the window shows all of it. */
  readonly isClose: boolean;
}

/** Reports whether the small form has all the pixels that this window shows. */
const isEnough = (): boolean => window.innerWidth * window.devicePixelRatio <= SMALL_WIDTH;

/** Which form of a picture is drawn: the small one until somebody looks closer, and until the whole one has arrived, which may be decoded first. */
export function useSmallFirst({ whole, small, isClose }: Forms) {
  const [vain, setVain] = useState<string>();
  const [arrived, setArrived] = useState<string>();
  const [enough] = useState(isEnough);
  const begins = enough && small !== undefined && vain !== small;
  const isDue = begins && isClose && whole !== undefined && arrived !== whole;

  useEffect(() => {
    if (!isDue || whole === undefined) return;
    const picture = new Image();
    picture.onload = () => setArrived(whole);
    picture.src = whole;
    return () => {
      picture.onload = null;
      picture.src = "";
    };
  }, [isDue, whole]);

  const isSmall = begins && arrived !== whole;
  return {
    src: isSmall ? small : whole,
    /** Call when what is drawn did not load; returns whether the whole one is drawn now. */
    onVain(): boolean {
      if (isSmall) setVain(small);
      return isSmall;
    },
  };
}
