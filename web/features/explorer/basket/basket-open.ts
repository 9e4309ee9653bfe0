import { createStore } from "../../../lib/store.ts";

/** Whether the basket lies open; it does so in whatever folder. */
export const basketOpen = createStore(false);
