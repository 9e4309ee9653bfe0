import { createStore } from "../../../lib/store.ts";

/** Whether the trash lies open; it does so in whatever folder. */
export const trashOpen = createStore(false);
