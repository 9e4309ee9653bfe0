import { createStore } from "../../../lib/store.ts";
import type { Entry } from "./entry.ts";

/** What was copied or cut in a folder and waits to be pasted into another. */
export interface Clip {
  readonly verb: "copy" | "move";
  readonly entries: readonly Entry[];
  readonly from: string;
}

/** Kept from folder to folder until the page is left. */
export const clipboard = createStore<Clip | undefined>(undefined);
