import { useEffect, useEffectEvent, useState } from "react";

interface CountdownOptions {
  readonly seconds: number;
  /** While true the clock stands still. */
  readonly paused: boolean;
  readonly onEnd: () => void;
}

/** Seconds left, one less each second that is not paused (a hidden page pauses too); at 0 it ends once. */
export function useCountdown({ seconds, paused, onEnd }: CountdownOptions): number {
  const [left, setLeft] = useState(seconds);
  const end = useEffectEvent(onEnd);

  useEffect(() => {
    if (paused || left <= 0) return;
    const timer = setInterval(() => {
      if (!document.hidden) setLeft((before) => before - 1);
    }, 1000);
    return () => clearInterval(timer);
  }, [paused, left]);

  useEffect(() => {
    if (left <= 0) end();
  }, [left]);

  return left;
}
