import { useEffect, useRef } from "react";

/** Takes focus and sight to the heading of what has just taken the page's place; a page that was opened has them anyway. */
export function useArrival(arrived: boolean) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!arrived) return;
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [arrived]);
  return heading;
}
