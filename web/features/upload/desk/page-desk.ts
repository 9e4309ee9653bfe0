import { session } from "../../../api/session.ts";
import { copyText } from "../../../lib/clipboard.ts";
import { uploads } from "../../../transfer/browser.ts";
import { createDesk } from "./desk.ts";

/** The desk of this page. */
export const desk = createDesk({ uploads, copy: copyText, now: Date.now, window });

// A session that ended by itself is begun again by the same person, and the files go on.
session.state.subscribe(() => {
  if (session.state.get().authType === "none" && session.reason.get() === "loggedOut") void desk.forget();
});
