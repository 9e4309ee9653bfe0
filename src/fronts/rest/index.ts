import type { House } from "../../house.ts";
import type { RequestContext } from "../context.ts";
import { bindActivity } from "./admin/activity.ts";
import { bindAdmin, bindAudit } from "./admin/admin.ts";
import { bindBackups } from "./admin/backups.ts";
import { bindDashboard } from "./admin/dashboard.ts";
import { bindImports } from "./admin/imports.ts";
import { bindKeys } from "./admin/keys.ts";
import { bindMounts } from "./admin/mounts.ts";
import { bindSettings } from "./admin/settings.ts";
import { bindSite } from "./admin/site.ts";
import { bindStorage } from "./admin/storage.ts";
import { bindCaches, bindSystem } from "./admin/system.ts";
import { bindWebhooks } from "./admin/webhooks.ts";
import { createBinder } from "./bind.ts";
import { createDocs } from "./docs.ts";
import { bindFsBytes } from "./fs/bytes.ts";
import { bindFsCopies } from "./fs/copies.ts";
import { bindFsEvents } from "./fs/events.ts";
import { bindFs } from "./fs/fs.ts";
import { bindFsJobs } from "./fs/jobs.ts";
import { bindFsTrash } from "./fs/trash.ts";
import { bindFsUploads } from "./fs/uploads.ts";
import { bindLinks } from "./links/links.ts";
import { bindSealedKeys } from "./links/sealed-keys.ts";
import { bindFileBytes } from "./shares/bytes.ts";
import { bindShareEvents } from "./shares/events.ts";
import { bindFiles } from "./shares/files.ts";
import { bindPastes } from "./shares/pastes.ts";
import { bindUploads } from "./shares/uploads.ts";
import { bindUrlUploads } from "./shares/url-uploads.ts";
import { bindThumbs } from "./thumbs.ts";

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
