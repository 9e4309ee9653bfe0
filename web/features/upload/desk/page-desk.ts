import { copyText } from "../../../lib/clipboard.ts";
import { uploads } from "../../../transfer/browser.ts";
import { createDesk } from "./desk.ts";

/** The desk of this page. */
export const desk = createDesk({ uploads, copy: copyText, now: Date.now, window });
