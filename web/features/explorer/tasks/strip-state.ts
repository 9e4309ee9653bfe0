import { createStore } from "../../../lib/store.ts";

/** Whether the strip of tasks is open. */
export const stripOpen = createStore(false);

/** Whether there are tasks that no strip shows, because nothing moves: a menu has them. */
export const stripAway = createStore(false);
