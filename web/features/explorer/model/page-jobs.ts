import { call } from "../../../api/call.ts";
import { events } from "../../../api/event-stream.ts";
import { session } from "../../../api/session.ts";
import { browserPorts } from "../../../transfer/browser.ts";
import { createJobFeed } from "./job-feed.ts";

/** The server's jobs as this page follows them. */
export const jobFeed = createJobFeed({ call, events, sleep: browserPorts.sleep });

session.beforeSignOut(async () => jobFeed.forget());
