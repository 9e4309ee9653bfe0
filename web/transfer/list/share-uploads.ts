import { onStorageChange } from "../api/storage-changes.ts";
import { browserPorts } from "./browser.ts";
import { createUploads } from "./create-uploads.ts";
import { createBrowserMemory } from "./memory.ts";
import { shareTarget } from "./share-target.ts";

/** The uploads of this page that become shares. */
export const uploads = createUploads({ ...browserPorts, target: shareTarget, memory: createBrowserMemory("uploads") });

onStorageChange(uploads.reconsider);
