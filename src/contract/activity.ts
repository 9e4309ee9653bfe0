import { endpoint } from "./endpoint.ts";
import { queryNumber } from "./fields.ts";
import { ACTIVITY_PAGE, MAX_PAGE, RECENT_ACTIVITY } from "./limits.ts";
import * as z from "./schemas.ts";

/** The log of who has used a text, a file or a link, for its owner. */

export const activityEvents = ["opened", "downloaded", "uploaded", "refused"] as const;
/** Of what was refused: a wrong password, an address from outside of the networks, or a subject that had expired or was used up. */
const activityOutcomes = ["whole", "broken", "password", "network", "gone"] as const;

const idParam = z.object({ id: z.string().check(z.maxLength(64)) });

/** Milliseconds and an id. */
const MARK = /^\d{1,15}\.[\da-f-]{36}$/;

const query = z.object({
  /** `csv` is all of it, newest first, as a file. */
  format: z._default(z.enum(["json", "csv"]), "json"),
  limit: z._default(queryNumber(1, MAX_PAGE), ACTIVITY_PAGE),
  /** `next` of the page before. */
  before: z.optional(z.string().check(z.refine((text) => MARK.test(text)))),
});

const entry = z.object({
  at: z.string(),
  event: z.enum(activityEvents),
  outcome: z.enum(activityOutcomes),
  /** Of the file, where a link leads to several; null otherwise. */
  name: z.nullable(z.string()),
  /** /24 of IPv4, /48 of IPv6; null where only how often something happened is known. */
  network: z.nullable(z.string()),
  /** A family of programs and its system; null for one that is not known. */
  program: z.nullable(z.string()),
  /** null where nobody knows. */
  bytes: z.nullable(z.int()),
  /** How often it happened within the same second. */
  times: z.int(),
});

const day = z.object({
  /** As 2026-11-24, in UTC. */
  day: z.string(),
  opened: z.int(),
  downloaded: z.int(),
  uploaded: z.int(),
  refused: z.int(),
});

const log = {
  /** Whether anything is logged now, and for how many days. */
  is_on: z.boolean(),
  days: z.int(),
  /** Newest first. */
  entries: z.array(entry),
  /** null on the last page. */
  next: z.nullable(z.string()),
  /** The last thirty days, the oldest first; only on the first page. */
  chart: z.optional(z.array(day)),
};

const reading = {
  method: "GET",
  params: idParam,
  query,
  response: z.object({ data: z.object(log) }),
  // The other form of it is a file.
  exact: true,
  packable: true,
} as const;

/** An entry of any subject. */
const recentEntry = z.extend(entry, {
  kind: z.enum(["paste", "file", "link"]),
  slug: z.string(),
  /** Title or beginning of a text, name of a file, label or title of a link. */
  title: z.string(),
});

export const activity = {
  recent: endpoint({
    method: "GET",
    path: "/admin/activity",
    access: "admin",
    summary: `The last ${RECENT_ACTIVITY} entries of the logs of all texts, files and links that are there`,
    response: z.object({ data: z.object({ is_on: z.boolean(), entries: z.array(recentEntry) }) }),
  }),
  paste: endpoint({
    ...reading,
    path: "/pastes/:id/log",
    access: "text",
    summary: "Who has opened a text, newest first; `format=csv` is all of it as a file",
  }),
  file: endpoint({
    ...reading,
    path: "/files/:id/log",
    access: "file_share",
    summary: "Who has opened and downloaded a shared file, newest first; `format=csv` is all of it as a file",
  }),
  link: endpoint({
    ...reading,
    path: "/links/:id/log",
    access: "mount_view",
    summary:
      "Who has opened a link, and what they have downloaded and uploaded, newest first; `format=csv` is all of it as a file",
  }),
  clear: endpoint({
    method: "DELETE",
    path: "/admin/activity",
    access: "admin",
    audit: "activity.clear",
    summary: "Delete the logs of all texts, files and links",
    response: z.object({ data: z.object({ deleted: z.int() }) }),
  }),
};

export type ActivityEntry = z.output<typeof entry>;
export type ActivityDay = z.output<typeof day>;
export type ActivityLog = z.output<typeof reading.response>["data"];
export type RecentActivity = z.output<typeof activity.recent.response>["data"];
