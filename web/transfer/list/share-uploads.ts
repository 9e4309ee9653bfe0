import { onStorageChange } from "../../api/storage-changes.ts";
import { browserPorts } from "../browser.ts";
import { createBrowserMemory } from "../resume/browser-memory.ts";
import { shareTarget } from "../targets/share-target.ts";
import { createUploads } from "./create-uploads.ts";

/** The uploads of this page that become shares. */
export const uploads = createUploads({ ...browserPorts, target: shareTarget, memory: createBrowserMemory("uploads") });

onStorageChange(uploads.reconsider);
