import Download from "lucide-react/icons/download";
import type { ActivityEntry } from "#contract/activity";
import { formatBytes } from "#contract/format-bytes";
import { type ActivitySubject, useActivity, useSaveActivity } from "../../../api/activity.ts";
import { failureText } from "../../../api/failure.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { classes } from "../../../lib/classes.ts";
import { explorerOf } from "../../../lib/explorer-address.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { Button } from "../../../ui/button.tsx";
import { Skeleton } from "../../../ui/card.tsx";
import { Instant } from "../../../ui/instant.tsx";
import { Link } from "../../../ui/link.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { ActivityChart } from "./chart.tsx";

interface ActivityProps {
  readonly subject: ActivitySubject;
  readonly slug: string;
  /** Where a file of that name is, as far as that is known; null for one that was moved or deleted. */
  readonly placeOf?: (name: string) => string | null | undefined;
}

/** Who has used a text, a file or a link: a chart of a month, and what happened last. */
export function Activity({ subject, slug, placeOf }: ActivityProps) {
  useLanguage();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useActivity(subject);
  const save = useSaveActivity(subject, slug);
  const first = data?.pages[0];
  const entries = data?.pages.flatMap((page) => page.entries) ?? [];
  const failure = error ?? save.error;
  return (
    <section aria-labelledby="activity" className="grid grid-cols-1 gap-3">
      <div className="flex min-h-9 items-center justify-between gap-3">
        <h3 id="activity" className="font-semibold text-muted text-xs">
          {t("admin.activity.title")}
        </h3>
        {entries.length > 0 && (
          <Button
            variant="plain"
            className="-mr-3.5"
            icon={<Download aria-hidden />}
            busy={save.isPending}
            onClick={() => save.mutate()}
          >
            {t("admin.activity.csv")}
          </Button>
        )}
      </div>
      {failure && (
        <Notice tone="error" action={error && <Button onClick={() => refetch()}>{t("shell.actions.retry")}</Button>}>
          {failureText(failure)}
        </Notice>
      )}
      {!first && !error && <Skeleton className="h-32" />}
      {first && !first.is_on && <Notice tone="plain">{t("admin.activity.off")}</Notice>}
      {first?.is_on && entries.length === 0 && <p className="text-muted">{t("admin.activity.empty")}</p>}
      {first?.chart && entries.length > 0 && <ActivityChart days={first.chart} />}
      {entries.length > 0 && <Entries entries={entries} placeOf={placeOf} />}
      {hasNextPage && (
        <Button busy={isFetchingNextPage} onClick={() => fetchNextPage()} className="justify-self-start">
          {t("admin.activity.more")}
        </Button>
      )}
      {first?.is_on && <p className="text-[13px] text-muted">{t("admin.activity.privacy", { days: first.days })}</p>}
    </section>
  );
}

interface EntriesProps {
  readonly entries: readonly ActivityEntry[];
  readonly placeOf: ActivityProps["placeOf"] | undefined;
}

const Entries = ({ entries, placeOf }: EntriesProps) => (
  <ol className="divide-y divide-line rounded-lg border border-line px-3.5">
    {entries.map((entry, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: two entries may be alike in everything, and none moves
      <li key={`${entry.at} ${index}`} className="py-2">
        <Entry entry={entry} place={entry.name === null ? undefined : placeOf?.(entry.name)} />
      </li>
    ))}
  </ol>
);

/** What is said of an event that went another way than it was to. */
const reasonOf = ({ outcome }: ActivityEntry): string | undefined =>
  outcome === "whole" ? undefined : t(`admin.activity.outcomes.${outcome}`);

interface EntryProps {
  readonly entry: ActivityEntry;
  /** Where its file is. */
  readonly place: string | null | undefined;
}

function Entry({ entry, place }: EntryProps) {
  const language = useLanguage();
  const { at, event, name, network, program, bytes, times } = entry;
  const facts = [
    program ?? t("admin.activity.unknownProgram"),
    ...(bytes === null || bytes === 0 ? [] : [formatBytes(bytes, language)]),
    ...(times > 1 ? [t("admin.activity.times", { count: times })] : []),
  ];
  const what = [t(`admin.activity.events.${event}`), reasonOf(entry)].filter(Boolean).join(" · ");
  return (
    <>
      <div className="flex items-baseline justify-between gap-3">
        <span className={classes("wrap-anywhere min-w-0", reasonOf(entry) && "text-danger")}>
          {what}
          {name !== null && <FileName name={name} place={place} />}
        </span>
        <Instant at={at} className="shrink-0 text-[13px] text-muted" />
      </div>
      <p className="wrap-anywhere text-[13px] text-muted">
        <span className="font-mono">{network ?? t("admin.activity.manyNetworks")}</span>
        {facts.map((fact) => ` · ${fact}`)}
      </p>
    </>
  );
}

/** The name of a file, which leads to it where that is known. */
function FileName({ name, place }: Pick<EntryProps, "place"> & { readonly name: string }) {
  const shown = <bdi className="font-medium">{shownName(name)}</bdi>;
  if (place === undefined) return <span className="ml-1.5 text-text">{shown}</span>;
  if (place === null)
    return (
      <span className="ml-1.5 text-muted">
        {shown} · {t("link.received.gone")}
      </span>
    );
  return (
    <Link to={explorerOf(place)} className="ml-1.5 rounded text-accent hover:underline">
      {shown}
    </Link>
  );
}
