import type { ReactNode } from "react";
import type { BackupStatus } from "#contract/backups";
import { useCaches, useVersion } from "../../../api/dashboard.ts";
import { failureText } from "../../../api/failure.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { relativeTime } from "../../../lib/time.ts";
import { Link } from "../../../ui/link.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { TitledCard } from "./card.tsx";

interface SystemCardProps {
  /** What became of backups; undefined while it loads. */
  readonly backup: BackupStatus | undefined;
  /** Whether it leads to the page about all of it. */
  readonly more?: boolean;
}

interface Fact {
  readonly name: string;
  readonly value: ReactNode;
}

/** What runs here, since when, how much memory it takes, and when it was last backed up. */
export function SystemCard({ backup, more = false }: SystemCardProps) {
  useLanguage();
  const { data: version, error } = useVersion();
  const { data: caches } = useCaches();
  const facts: readonly Fact[] | undefined = version &&
    backup && [
      { name: t("admin.dashboard.system.version"), value: version.version },
      { name: t("admin.dashboard.system.environment"), value: version.environment },
      { name: t("admin.dashboard.system.storage"), value: version.storage },
      { name: t("admin.dashboard.system.uptime"), value: spanOf(version.uptime) },
      { name: t("admin.dashboard.system.memory"), value: caches ? `${caches.system.memory.rss} MB` : "…" },
      { name: t("admin.dashboard.system.backup"), value: <LastBackup backup={backup} /> },
    ];
  return (
    <TitledCard title={t("admin.dashboard.system.title")}>
      {error ? <Notice tone="error">{failureText(error)}</Notice> : null}
      {facts ? (
        <dl className="divide-y divide-line">
          {facts.map(({ name, value }) => (
            <div key={name} className="flex items-center justify-between gap-4 py-2">
              <dt className="text-muted">{name}</dt>
              <dd className="truncate text-right tabular-nums">{value}</dd>
            </div>
          ))}
        </dl>
      ) : null}
      {more && (
        <Link
          to="/admin/system"
          className="mt-3 inline-flex min-h-6 items-center self-start rounded font-medium text-accent hover:underline pointer-coarse:min-h-11"
        >
          {t("admin.dashboard.system.more")}
        </Link>
      )}
    </TitledCard>
  );
}

/** When the last backup became whole, and the way to all about it. */
function LastBackup({ backup: { last_whole: whole } }: { readonly backup: BackupStatus }) {
  const language = useLanguage();
  return (
    <Link
      to="/admin/settings/backup"
      className="inline-flex min-h-6 items-center rounded underline decoration-line-strong underline-offset-2 pointer-coarse:min-h-11"
    >
      {whole ? relativeTime(whole.ended_at, language, Date.now()) : t("admin.dashboard.system.noBackup")}
    </Link>
  );
}

/** Seconds in the two largest units that fit. */
function spanOf(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (days > 0) return t("admin.dashboard.system.days", { days, hours: hours % 24 });
  if (hours > 0) return t("admin.dashboard.system.hours", { hours, minutes: minutes % 60 });
  return t("admin.dashboard.system.minutes", { minutes });
}
