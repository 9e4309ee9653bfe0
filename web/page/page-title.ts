import { useEffect } from "react";
import { createStore } from "../lib/store.ts";

/** The title of the current page, in place of its route's name; undefined without one. */
export const ownTitle = createStore<string | undefined>(undefined);

/** Sets the title of the page while it is shown. */
export function useOwnTitle(title: string): void {
  useEffect(() => {
    ownTitle.set(title);
    return () => ownTitle.set(undefined);
  }, [title]);
}
