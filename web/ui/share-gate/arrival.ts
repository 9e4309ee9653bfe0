import { useEffect, useRef, useState } from "react";

/** What has put something in the page's place; undefined when the page began with it. */
export type Arrival = "opened" | "edited" | undefined;

/** Takes focus and sight to the heading of what has just taken the page's place; a page that was opened has them anyway. */
export function useArrival(arrival: Arrival) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!arrival) return;
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [arrival]);
  return heading;
}

/** The key of a share's page: another slug is another page, unless it is the new one of the share that is shown. */
export function usePageKey(slug: string) {
  const [moved, setMoved] = useState<{ readonly key: string; readonly slug: string }>();
  const key = moved?.slug === slug ? moved.key : slug;
  return { key, moveTo: (next: string) => setMoved({ key, slug: next }) };
}
