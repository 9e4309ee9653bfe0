import { useEffect } from "react";
import { createStore } from "./store.ts";

/** What the page on view calls itself, in place of the name of its route; undefined while it has no name of its own. */
export const ownTitle = createStore<string | undefined>(undefined);

/** Gives the page a title of its own for as long as it is shown. */
export function useOwnTitle(title: string): void {
  useEffect(() => {
    ownTitle.set(title);
    return () => ownTitle.set(undefined);
  }, [title]);
}
