import { admin } from "./admin.ts";
import { audit } from "./audit.ts";
import { caches } from "./caches.ts";
import { files } from "./files.ts";
import { fs } from "./fs.ts";
import { fsCopies } from "./fs-copies.ts";
import { fsFiles } from "./fs-files.ts";
import { fsJobs } from "./fs-jobs.ts";
import { fsUploads } from "./fs-uploads.ts";
import { keys } from "./keys.ts";
import { mounts } from "./mounts.ts";
import { pastes } from "./pastes.ts";
import { settings } from "./settings.ts";
import { storage } from "./storage.ts";
import { system } from "./system.ts";
import { uploads } from "./uploads.ts";

/** The whole contract, for the server and its tests. Pages import their own family, so that a share page stays small. */
export const api = {
  pastes,
  files,
  uploads,
  storage,
  mounts,
  fs,
  fsFiles,
  fsCopies,
  fsUploads,
  fsJobs,
  keys,
  settings,
  caches,
  admin,
  audit,
  system,
};
