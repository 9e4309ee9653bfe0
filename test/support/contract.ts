import { activity } from "#contract/activity";
import { admin, audit } from "#contract/admin";
import { backups } from "#contract/backups";
import { dashboard } from "#contract/dashboard";
import { files } from "#contract/files";
import { fsBytes } from "#contract/fs/bytes";
import { fsCopies } from "#contract/fs/copies";
import { fs } from "#contract/fs/fs";
import { fsJobs } from "#contract/fs/jobs";
import { fsTrash } from "#contract/fs/trash";
import { fsUploads } from "#contract/fs/uploads";
import { imports } from "#contract/imports";
import { keys } from "#contract/keys";
import { links } from "#contract/links";
import { mounts } from "#contract/mounts";
import { pastes } from "#contract/pastes";
import { sealedKeys } from "#contract/sealed-keys";
import { settings } from "#contract/settings";
import { site } from "#contract/site";
import { storage } from "#contract/storage";
import { caches, system } from "#contract/system";
import { uploads } from "#contract/uploads";
import { urlUploads } from "#contract/url-uploads";
import { webhooks } from "#contract/webhooks";

/** The whole contract. The server and its pages import one family at a time, so that a share page stays small. */
export const api = {
  activity,
  pastes,
  files,
  uploads,
  urlUploads,
  storage,
  mounts,
  fs,
  fsBytes,
  fsCopies,
  fsTrash,
  fsUploads,
  fsJobs,
  links,
  keys,
  imports,
  settings,
  site,
  backups,
  caches,
  admin,
  audit,
  dashboard,
  system,
  sealedKeys,
  webhooks,
};
