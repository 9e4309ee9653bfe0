import { session } from "../../../api/session.ts";
import { copyText } from "../../../lib/clipboard.ts";
import { uploads } from "../../../transfer/share-uploads.ts";
import { createDesk } from "./desk.ts";

/** The desk of this page. */
export const desk = createDesk({ uploads, copy: copyText, now: Date.now, window });

session.beforeSignOut(desk.forget);
// Each account remembers its own unfinished uploads, and nobody who is signed out sees any.
session.state.subscribe(() => void uploads.recall());
