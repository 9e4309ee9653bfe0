import { type ActivityDay, type ActivityEntry, type ActivityLog, activity as api } from "#contract/activity";
import { ACTIVITY_CHART_DAYS, RECENT_ACTIVITY } from "#contract/limits";
import { firstLine } from "#contract/text/first-line";
import type { Activity } from "../../../activity/activity.ts";
import type { ActivityMark, ActivityRow, DayCount, Subject } from "../../../activity/activity-table.ts";
import type { House } from "../../../house.ts";
import { iso } from "../../../lib/clock.ts";
import { disposition } from "../../../lib/mime.ts";
import { untrustedHeaders } from "../../bytes.ts";
import type { Bind } from "../bind.ts";

type Rooms = Pick<House, "activity" | "shares" | "links" | "settings">;

/** What is asked of a log. */
interface Asked {
  readonly format: "json" | "csv";
  readonly limit: number;
  readonly before?: string | undefined;
}

/** A subject, which its owner asks for, and its name in an address. */
type Owned = Subject & { readonly slug: string };

/** Logs of who has used texts, files and links, for their owners. */
export function bindActivity(bind: Bind, { activity, shares, links, settings }: Rooms): void {
  const answer = async ({ slug, ...subject }: Owned, { format, limit, before }: Asked) => {
    if (format === "csv") return csvOf(activity.all(subject), slug);
    const rows = await activity.page(subject, limit + 1, before === undefined ? undefined : markOf(before));
    const entries = rows.slice(0, limit);
    const last = rows.length > limit ? entries.at(-1) : undefined;
    const data: ActivityLog = {
      is_on: activity.isOn(),
      days: settings.get("activity_days"),
      entries: entries.map(entryOf),
      next: last ? `${last.at}.${last.id}` : null,
      ...(before === undefined && { chart: chartOf(await activity.chart(subject)) }),
    };
    return { data };
  };

  bind(api.paste, async ({ params: { id }, query, principal }) => {
    const { id: subject, slug } = await shares.pastes.find(principal, id);
    return await answer({ kind: "paste", id: subject, slug }, query);
  });

  bind(api.file, async ({ params: { id }, query, principal }) => {
    const { slug } = await shares.files.read(principal, id);
    return await answer({ kind: "file", id, slug }, query);
  });

  bind(api.link, async ({ params: { id }, query, principal }) => {
    const { row } = await links.read(principal, id);
    return await answer({ kind: "link", id, slug: row.slug }, query);
  });

  bind(api.recent, async () => {
    const rows = await activity.latest(RECENT_ACTIVITY);
    const entries = rows.map(({ kind, slug, title, ...row }) => ({
      ...entryOf({ kind, ...row }),
      ...{ kind, slug, title: (kind === "paste" ? firstLine(title, false) : title).slice(0, LONGEST_TITLE) },
    }));
    return { data: { is_on: activity.isOn(), entries } };
  });

  bind(api.clear, async () => ({ data: { deleted: await activity.clear() } }));
}

const LONGEST_TITLE = 120;

function markOf(before: string): ActivityMark {
  const [at, id = ""] = before.split(".");
  return { at: Number(at), id };
}

const entryOf = ({ at, event, outcome, name, network, program, bytes, times }: ActivityRow): ActivityEntry => ({
  ...{ at: iso(at), event, outcome, bytes, times },
  name: name || null,
  network: network || null,
  program: program || null,
});

const DAY = 86_400_000;

function chartOf({ first, counts }: { readonly first: number; readonly counts: readonly DayCount[] }): ActivityDay[] {
  const days = Array.from({ length: ACTIVITY_CHART_DAYS }, (_, index) => ({
    day: iso((first + index) * DAY).slice(0, 10),
    ...{ opened: 0, downloaded: 0, uploaded: 0, refused: 0 },
  }));
  for (const { day, event, times } of counts) {
    const one = days[day - first];
    if (one) one[event] = times;
  }
  return days;
}

/**
 * Programs for tables take what begins so for a formula, and run it, some the wide letters too (OWASP, "CSV Injection"). In many languages they
 * begin a cell at each semicolon, whatever stands around it.
 */
const FORMULA = /(^|[;\t]\s*)(?=[=+\-@\t\r\n＝＋－＠])/g;

/** A cell as RFC 4180 writes it, which is a text in every program. */
function cell(value: string | number | null): string {
  const text = String(value ?? "");
  const harmless = text.replace(FORMULA, "$1'");
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

const lineOf = (cells: readonly (string | number | null)[]): string => `${cells.map(cell).join(",")}\r\n`;

const head = ["time", "event", "outcome", "name", "network", "program", "bytes", "times"] as const;

const rowLine = ({ at, event, outcome, name, network, program, bytes, times }: ActivityRow): string =>
  lineOf([iso(at), event, outcome, name, network, program, bytes, times]);

/** All entries as a file, which is made as it is read. */
function csvOf(pages: ReturnType<Activity["all"]>, slug: string): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      // With a mark of its encoding, without which Excel takes names for those of an old one.
      start: (controller) => controller.enqueue(encoder.encode(`\uFEFF${lineOf(head)}`)),
      async pull(controller) {
        const { done, value } = await pages.next();
        if (done) return controller.close();
        controller.enqueue(encoder.encode(value.map(rowLine).join("")));
      },
      async cancel() {
        await pages.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
  const headers = {
    ...untrustedHeaders,
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": disposition("attachment", `${slug}-log.csv`),
    "cache-control": "no-store",
  };
  return new Response(body, { headers });
}
