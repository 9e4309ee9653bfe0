import type { House } from "../../house.ts";
import type { RequestContext } from "../context.ts";
import { bindActivity } from "./activity.ts";
import { bindAdmin, bindAudit } from "./admin.ts";
import { bindBackups } from "./backups.ts";
import { createBinder } from "./bind.ts";
import { bindDashboard } from "./dashboard.ts";
import { createDocs } from "./docs.ts";
import { bindFileBytes } from "./file-bytes.ts";
import { bindFiles } from "./files.ts";
import { bindFs } from "./fs.ts";
import { bindFsBytes } from "./fs-bytes.ts";
import { bindFsCopies } from "./fs-copies.ts";
import { bindFsEvents } from "./fs-events.ts";
import { bindFsJobs } from "./fs-jobs.ts";
import { bindFsTrash } from "./fs-trash.ts";
import { bindFsUploads } from "./fs-uploads.ts";
import { bindImports } from "./imports.ts";
import { bindKeys } from "./keys.ts";
import { bindLinks } from "./links.ts";
import { bindMounts } from "./mounts.ts";
import { bindPastes } from "./pastes.ts";
import { bindSealedKeys } from "./sealed-keys.ts";
import { bindSettings } from "./settings.ts";
import { bindShareEvents } from "./share-events.ts";
import { bindSite } from "./site.ts";
import { bindStorage } from "./storage.ts";
import { bindCaches, bindSystem } from "./system.ts";
import { bindThumbs } from "./thumbs.ts";
import { bindUploads } from "./uploads.ts";
import { bindUrlUploads } from "./url-uploads.ts";
import { bindWebhooks } from "./webhooks.ts";

/** The JSON API below /api, and its description at /docs/json. */
export function createRest(house: House) {
  const { bind, admit, bound, fetch } = createBinder({
    identify: house.access.identify,
    visitor: house.access.keys.visitor,
    granted: house.vfs.grants.holder,
    isSealed: house.vfs.grants.isSealed,
    limiter: house.access.limiter,
    audit: house.access.audit,
    log: house.log,
  });
  bindPastes(bind, house);
  bindFiles(bind, house);
  bindFileBytes(bind, house);
  bindShareEvents(bind, house);
  bindUploads(bind, house);
  bindUrlUploads(bind, house);
  bindStorage(bind, house);
  bindMounts(bind, house);
  bindFs(bind, house);
  bindFsEvents(bind, house, admit);
  bindFsCopies(bind, house);
  bindFsTrash(bind, house);
  bindFsUploads(bind, house);
  bindFsBytes(bind, house);
  bindThumbs(bind, house);
  bindFsJobs(bind, house, admit);
  bindLinks(bind, house);
  bindSealedKeys(bind, house);
  bindActivity(bind, house);
  bindKeys(bind, house);
  bindImports(bind, house);
  bindSettings(bind, house);
  bindSite(bind, house);
  bindBackups(bind, house);
  bindWebhooks(bind, house);
  bindCaches(bind, house);
  bindAdmin(bind, house);
  bindAudit(bind, house);
  bindDashboard(bind, house);
  bindSystem(bind, house);
  const docs = createDocs(bound);
  return {
    bound,
    admit,
    fetch: (request: Request, context: RequestContext) =>
      context.path === "/docs/json" && isReading(request) ? docs(context) : fetch(request, context),
  };
}

const isReading = ({ method }: Request): boolean => method === "GET" || method === "HEAD";
