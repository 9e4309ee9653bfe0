import { browserPorts } from "./browser.ts";
import { createBrowserMemory } from "./memory.ts";
import { openUrl } from "./open-url.ts";
import { createUrlToStorage } from "./url-to-storage.ts";

/** The file from the web that this page brings into a share. */
export const urlUpload = createUrlToStorage({ ...browserPorts, memory: createBrowserMemory("uploads"), open: openUrl });
