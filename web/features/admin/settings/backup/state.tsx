import DatabaseBackup from "lucide-react/icons/database-backup";
import type { BackupRun, BackupStatus } from "#contract/backups";
import { formatBytes } from "#contract/format-bytes";
import { useBackups, useStartBackup } from "../../../../api/backups.ts";
import { failureText, failureTone } from "../../../../api/failure.ts";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { Button } from "../../../../ui/button.tsx";
import { Skeleton } from "../../../../ui/card.tsx";
import { Instant } from "../../../../ui/instant.tsx";
import { FailedNotice, Notice } from "../../../../ui/notice.tsx";

interface BackupStateProps {
  /** Whether it is said where backups go. */
  readonly hasTarget: boolean;
}

/** What became of the last backup, when the next one comes, and a button for one now. */
export function BackupState({ hasTarget }: BackupStateProps) {
  useLanguage();
  const { data: status, error, refetch } = useBackups();
  const { mutate: start, error: refusal, isPending } = useStartBackup();
  if (!status)
    return error ? <FailedNotice text={failureText(error)} onRetry={refetch} /> : <Skeleton className="h-32 w-full" />;
  const isRunning = status.running_since !== null;
  return (
    <div className="grid gap-4">
      <Problem status={status} />
      <Facts status={status} />
      <p className="text-[13px] text-muted">
        {status.recipient === null
          ? t("admin.settings.backup.keyOut")
          : t("admin.settings.backup.keyIn", { recipient: status.recipient })}
      </p>
      {refusal && <Notice tone={failureTone(refusal)}>{failureText(refusal)}</Notice>}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          icon={<DatabaseBackup aria-hidden />}
          busy={isPending || isRunning}
          disabled={!hasTarget && !isRunning}
          onClick={() => start()}
        >
          {t(isRunning ? "admin.settings.backup.running" : "admin.settings.backup.now")}
        </Button>
        {!hasTarget && <span className="text-[13px] text-muted">{t("admin.settings.backup.nowHint")}</span>}
      </div>
    </div>
  );
}

function Problem({ status: { problem, last } }: { readonly status: BackupStatus }) {
  useLanguage();
  if (problem === "late") return <Notice tone="error">{t("admin.settings.backup.late")}</Notice>;
  if (problem === null || !last) return null;
  return (
    <Notice tone="error">
      <p>{t("admin.settings.backup.failed")}</p>
      <p className="wrap-anywhere mt-1 font-mono text-[13px]">{last.error}</p>
    </Notice>
  );
}

function Facts({ status }: { readonly status: BackupStatus }) {
  const language = useLanguage();
  const { last, last_whole: whole, running_since: since, next_at: next } = status;
  const sumsOf = ({ size, rows, files }: BackupRun) =>
    t("admin.settings.backup.sums", { size: formatBytes(size, language), rows, files });
  const facts = [
    ...(since === null ? [] : [{ name: t("admin.settings.backup.since"), value: <Instant at={since} /> }]),
    {
      name: t("admin.settings.backup.lastWhole"),
      value: whole ? <Instant at={whole.ended_at} /> : t("admin.settings.backup.none"),
    },
    ...(whole ? [{ name: t("admin.settings.backup.content"), value: sumsOf(whole) }] : []),
    ...(whole?.place
      ? [{ name: t("admin.settings.backup.archive"), value: <code className="font-mono">{whole.place}</code> }]
      : []),
    ...(last && last.error !== null
      ? [{ name: t("admin.settings.backup.lastFailed"), value: <Instant at={last.ended_at} /> }]
      : []),
    { name: t("admin.settings.backup.next"), value: next ? <Instant at={next} /> : t("admin.settings.backup.off") },
  ];
  return (
    <dl className="-my-2 divide-y divide-line">
      {facts.map(({ name, value }) => (
        <div key={name} className="flex flex-wrap justify-between gap-x-4 gap-y-0.5 py-2">
          <dt className="text-muted">{name}</dt>
          <dd className="wrap-anywhere min-w-0 text-[13px] tabular-nums sm:text-right">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
