import { call } from "../../../api/call.ts";
import { session } from "../../../api/session.ts";
import { copyText } from "../../../lib/clipboard.ts";
import { urlUpload } from "../../../transfer/url-uploads.ts";
import { createUrlDesk } from "./url-desk.ts";

/** The desk of this page for files on the web. */
export const urlDesk = createUrlDesk({ machine: urlUpload, call, copy: copyText, now: Date.now, window });

session.beforeSignOut(urlDesk.forget);
