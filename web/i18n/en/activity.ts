import type { Shape } from "../shape.ts";
import type { activity as zh } from "../zh/activity.ts";

/** The log of who has used a text, a file or a link. */
export const activity: Shape<typeof zh> = {
  title: "Activity",
  off: "The log is off, so nothing new is recorded. The administrator can turn it on under Settings, Global.",
  empty: "Nobody has opened it yet.",
  month: "The last 30 days",
  lately: "The last 30 days: {{counts}}",
  nothing: "no activity",
  day: "Day (UTC)",
  csv: "Download CSV",
  more: "Show earlier entries",
  times: { one: "once", other: "{{count}} times" },
  unknownProgram: "unknown program",
  manyNetworks: "several networks",
  privacy:
    "Entries stay for {{days}} days. They name the network (/24 of IPv4, /48 of IPv6) and the kind of program, and never a full IP address.",
  events: {
    opened: "Opened",
    downloaded: "Downloaded",
    uploaded: "Uploaded",
    refused: "Refused",
  },
  counts: {
    opened: { one: "{{count}} opening", other: "{{count}} openings" },
    downloaded: { one: "{{count}} download", other: "{{count}} downloads" },
    uploaded: { one: "{{count}} upload", other: "{{count}} uploads" },
    refused: { one: "{{count}} refusal", other: "{{count}} refusals" },
  },
  outcomes: {
    broken: "interrupted",
    password: "wrong password",
    network: "network not allowed",
    gone: "expired or used up",
  },
};
