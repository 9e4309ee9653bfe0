import { browserPorts } from "./browser.ts";
import { createBrowserMemory } from "./memory.ts";
import { openUrl } from "./open-url.ts";
import { createUrlToStorage } from "./url-to-storage.ts";

/** This page's transfer of a file from the web into a share. */
export const urlUpload = createUrlToStorage({ ...browserPorts, memory: createBrowserMemory("uploads"), open: openUrl });
