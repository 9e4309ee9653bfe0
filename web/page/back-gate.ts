import { createStore } from "../lib/store.ts";

/** Hears of Back and Forward before the router, and may keep it from hearing; undefined while nobody minds. */
export const backGate = createStore<((event: PopStateEvent) => void) | undefined>(undefined);

// Listeners of the window are called in the order in which they came, capturing or not: this module loads before the router starts.
window.addEventListener("popstate", (event) => backGate.get()?.(event));
