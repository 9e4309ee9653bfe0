import { session } from "../../../../api/session/session.ts";
import { browserPorts } from "../../../../transfer/browser.ts";
import { createUploads } from "../../../../transfer/list/create-uploads.ts";
import { createBrowserMemory } from "../../../../transfer/resume/browser-memory.ts";
import { shareTarget } from "../../../../transfer/targets/share-target.ts";

/** The pictures that go into texts: apart from the list of the upload page, whose button sends everything in it. */
export const pictures = createUploads({
  ...browserPorts,
  target: shareTarget,
  memory: createBrowserMemory("pictures"),
});

session.beforeSignOut(pictures.forget);
