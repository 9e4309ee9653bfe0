import { createStore } from "../lib/store.ts";

/** Tells whether signing out now would break something off; whoever may have such a thing under way says how to find out. */
export const signingOut = createStore<(() => boolean) | undefined>(undefined);
