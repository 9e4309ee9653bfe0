import { call } from "../../../api/call.ts";
import { session } from "../../../api/session/session.ts";
import { events } from "../../../api/transport/event-stream.ts";
import { browserPorts } from "../../../transfer/browser.ts";
import { createJobFeed } from "./job-feed.ts";

/** The server's jobs as this page follows them. */
export const jobFeed = createJobFeed({ call, events, sleep: browserPorts.sleep });

session.beforeSignOut(async () => jobFeed.forget());
