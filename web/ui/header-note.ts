import type { ComponentType } from "react";
import { createStore } from "../lib/store.ts";

/** What a feature shows in the header of every page once it has something to say; it loads with that feature. */
export const headerNote = createStore<ComponentType | undefined>(undefined);
