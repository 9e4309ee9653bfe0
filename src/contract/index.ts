import { admin } from "./admin.ts";
import { audit } from "./audit.ts";
import { caches } from "./caches.ts";
import { files } from "./files.ts";
import { keys } from "./keys.ts";
import { mounts } from "./mounts.ts";
import { pastes } from "./pastes.ts";
import { settings } from "./settings.ts";
import { storage } from "./storage.ts";
import { system } from "./system.ts";
import { uploads } from "./uploads.ts";

/** The whole contract, for the server and its tests. Pages import their own family, so that a share page stays small. */
export const api = { pastes, files, uploads, storage, mounts, keys, settings, caches, admin, audit, system };
