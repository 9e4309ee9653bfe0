import type { ComponentType } from "react";
import { createStore } from "../lib/store.ts";

/** What every page shows at its lower right corner once it has loaded: the app without a connection, its versions, its installation. */
export const corner = createStore<ComponentType | undefined>(undefined);
