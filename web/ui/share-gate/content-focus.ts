import { useEffect, useRef, useState } from "react";

/** What led to the present content; undefined if the page was opened with it. */
export type ContentChange = "opened" | "edited" | undefined;

/** Moves focus and scroll position to the heading of content that has just replaced the page's. A page that was just opened needs neither. */
export function useContentFocus(change: ContentChange) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!change) return;
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [change]);
  return heading;
}

/** Returns the React key of a share's page: another slug is another page, unless it is the new slug of the same share. */
export function usePageKey(slug: string) {
  const [moved, setMoved] = useState<{ readonly key: string; readonly slug: string }>();
  const key = moved?.slug === slug ? moved.key : slug;
  return { key, moveTo: (next: string) => setMoved({ key, slug: next }) };
}
