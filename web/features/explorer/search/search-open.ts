import { createStore } from "../../../lib/store.ts";

/** Whether the search is open: it stays so while a result opens another folder. */
export const searchOpen = createStore(false);
