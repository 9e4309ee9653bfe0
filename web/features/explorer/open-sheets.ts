import { createStore } from "../../lib/store.ts";

/** What lies open over the explorer, in whatever folder it was opened: the search stays while a result opens another one. */
export const searchOpen = createStore(false);
export const basketOpen = createStore(false);
export const trashOpen = createStore(false);
