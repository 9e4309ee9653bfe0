import type { RecentActivity } from "#contract/activity";
import { useRecentActivity } from "../../../api/dashboard.ts";
import { failureText } from "../../../api/failure.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { classes } from "../../../lib/classes.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { Skeleton } from "../../../ui/card.tsx";
import { Instant } from "../../../ui/instant.tsx";
import { Link } from "../../../ui/link.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { TitledCard } from "./card.tsx";

/** Where the share of an entry is found. */
const lists = { paste: "text-management", file: "file-management", link: "link-management" } as const;
const kinds = { paste: "text", file: "file", link: "link" } as const;

/** What happened last to whatever is shared. */
export function RecentCard() {
  useLanguage();
  const { data, error } = useRecentActivity();
  return (
    <TitledCard title={t("admin.dashboard.recent.title")} className="lg:col-span-2">
      {error ? <Notice tone="error">{failureText(error)}</Notice> : null}
      {!data && !error && <Skeleton className="h-56 w-full" />}
      {data && !data.is_on && (
        <p className="text-muted">
          {t("admin.dashboard.recent.off")}{" "}
          <Link to="/admin/settings/global" className="text-accent hover:underline">
            {t("admin.dashboard.recent.settings")}
          </Link>
        </p>
      )}
      {data?.is_on && data.entries.length === 0 && <p className="text-muted">{t("admin.dashboard.recent.empty")}</p>}
      {data && data.entries.length > 0 && (
        <ol className="divide-y divide-line">
          {data.entries.map((entry, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two entries may be alike in everything, and none moves
            <Entry key={`${entry.at} ${index}`} entry={entry} />
          ))}
        </ol>
      )}
    </TitledCard>
  );
}

function Entry({ entry }: { readonly entry: RecentActivity["entries"][number] }) {
  const { at, event, outcome, kind, slug, title, name, program, times } = entry;
  const isWrong = outcome !== "whole";
  const facts = [
    t(`admin.dashboard.recent.${kinds[kind]}`),
    ...(name === null ? [] : [shownName(name)]),
    ...(program === null ? [] : [program]),
    ...(times > 1 ? [t("admin.activity.times", { count: times })] : []),
  ];
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 py-2">
      <p className="min-w-0 truncate">
        <span className={classes(isWrong ? "text-danger" : "text-muted")}>
          {t(`admin.activity.events.${event}`)}
          {isWrong && ` · ${t(`admin.activity.outcomes.${outcome}`)}`}
        </span>{" "}
        <Link to={`/admin/${lists[kind]}?search=${encodeURIComponent(slug)}`} className="font-medium hover:underline">
          <bdi>{title === "" ? `/${slug}` : shownName(title)}</bdi>
        </Link>
      </p>
      <Instant at={at} className="text-[13px] text-muted" />
      <p className="col-span-2 truncate text-[13px] text-muted">{facts.join(" · ")}</p>
    </li>
  );
}
