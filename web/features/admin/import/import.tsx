import { useQueryClient } from "@tanstack/react-query";
import FileInput from "lucide-react/icons/file-input";
import { useEffect, useRef } from "react";
import { formatBytes } from "#contract/format-bytes";
import { privateTexts as choices } from "#contract/imports";
import { MAX_IMPORT_BYTES } from "#contract/limits";
import { failureText, isFailure } from "../../../api/failure.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { useStore } from "../../../lib/store.ts";
import { Button } from "../../../ui/button.tsx";
import { Card, Skeleton } from "../../../ui/card.tsx";
import { Choices } from "../../../ui/form/choices.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { ProgressBar } from "../../../ui/upload-row/progress-bar.tsx";
import { Section } from "../frame/section.tsx";
import { type BackupImport, backupImport } from "./backup-import.ts";
import { Report } from "./report.tsx";

/** The import of a CloudPaste backup: what it would do first, then the import and what it did. */
export function Import() {
  useLanguage();
  const state = useStore(backupImport.state);
  const queries = useQueryClient();
  const { busy, plan, report, progress, error, stopped } = state;
  // An import that failed or was stopped has brought something, too.
  const over = report !== undefined || (busy === undefined && progress !== undefined) || stopped === true;
  useEffect(() => {
    if (over) void queries.invalidateQueries();
  }, [over, queries]);
  const shown = report ?? plan;
  return (
    <>
      <h1 className="mb-5 font-semibold text-xl">{t("admin.import.title")}</h1>
      <div className="grid gap-8">
        <Source state={state} />
        {error !== undefined && !isFailure(error, "aborted") && (
          <Notice tone="error" action={plan && <RunButton label={t("shell.actions.retry")} />}>
            {failureText(error)} {plan && t("admin.import.repeat")}
          </Notice>
        )}
        {stopped && <Notice tone="plain">{t("admin.import.stopped")}</Notice>}
        {busy === "plan" && <Reading />}
        {report && <Notice tone="ok">{t("admin.import.done")}</Notice>}
        {shown && <Report report={shown} />}
        {shown && !report && <Bar state={state} />}
      </div>
    </>
  );
}

/** Which file, and what becomes of the texts in it that were not public. */
function Source({ state: { file, privateTexts, busy, report } }: { readonly state: BackupImport }) {
  const language = useLanguage();
  const picker = useRef<HTMLInputElement>(null);
  const tooLarge = file !== undefined && file.size > MAX_IMPORT_BYTES;
  return (
    <Section title={t("admin.import.source")} text={t("admin.import.sourceText")}>
      <input
        ref={picker}
        type="file"
        accept=".json,application/json"
        hidden
        aria-label={t("admin.import.choose")}
        onChange={(event) => {
          const chosen = event.target.files?.[0];
          if (chosen) void backupImport.choose(chosen);
          // The same file may be chosen again.
          event.target.value = "";
        }}
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button
          variant={file ? "quiet" : "primary"}
          icon={<FileInput aria-hidden />}
          disabled={busy === "run"}
          onClick={() => picker.current?.click()}
        >
          {t(file ? "admin.import.chooseOther" : "admin.import.choose")}
        </Button>
        <p className="wrap-anywhere min-w-0 text-muted">
          {file ? `${file.name} · ${formatBytes(file.size, language)}` : t("admin.import.none")}
        </p>
      </div>
      {tooLarge && (
        <Notice tone="error" className="mt-3">
          {t("admin.import.tooLarge", { size: formatBytes(MAX_IMPORT_BYTES, language) })}
        </Notice>
      )}
      <div className="mt-5">
        <Choices
          legend={t("admin.import.private.legend")}
          choices={choices.map((value) => ({ value, label: t(`admin.import.private.${value}`) }))}
          value={privateTexts}
          disabled={busy !== undefined || report !== undefined}
          onChoose={(value) => void backupImport.decide(value)}
          className="grid max-w-md grid-cols-2 gap-2"
        />
        <p className="mt-1.5 text-[13px] text-muted">{t(`admin.import.private.${privateTexts}Text`)}</p>
      </div>
      <p className="mt-5 text-[13px] text-muted">{t("admin.import.pingvin")}</p>
    </Section>
  );
}

/** Stands in the place of the report while the server reads the file. */
function Reading() {
  useLanguage();
  return (
    <Section title={t("admin.import.reading")} text={t("admin.import.readingText")}>
      <div aria-busy className="grid gap-4">
        <Skeleton className="h-4 w-2/3" />
        <Skeleton className="h-4" />
        <Skeleton className="h-4" />
        <Skeleton className="h-4 w-4/5" />
        <Button className="justify-self-start" onClick={backupImport.reset}>
          {t("admin.import.cancel")}
        </Button>
      </div>
    </Section>
  );
}

const RunButton = ({ label }: { readonly label: string }) => (
  <Button variant="primary" onClick={() => void backupImport.start()}>
    {label}
  </Button>
);

/** Begins the import, and tells how far it is. */
function Bar({ state: { busy, plan, progress, error } }: { readonly state: BackupImport }) {
  useLanguage();
  const adds = plan?.kinds.reduce((sum, { added }) => sum + added, 0) ?? 0;
  if (busy !== "run" && error !== undefined) return null;
  return (
    <Card
      data-at-bottom
      className="sticky bottom-[calc(var(--strip)+12px)] z-10 flex flex-wrap items-center gap-3 p-3 shadow-float lg:ml-[17rem]"
    >
      {busy === "run" ? (
        <>
          <div className="grid min-w-0 flex-1 basis-56 gap-2">
            <p role="status">{progressText(plan, progress)}</p>
            <ProgressBar label={t("admin.import.running")} percent={percentOf(plan, progress)} still={false} />
          </div>
          <Button onClick={backupImport.stop}>{t("admin.import.stop")}</Button>
        </>
      ) : (
        <>
          <span className="mr-auto pl-1 text-muted max-sm:w-full">
            {t(adds > 0 ? "admin.import.ready" : "admin.import.nothing")}
          </span>
          {adds > 0 && <RunButton label={t("admin.import.run")} />}
        </>
      )}
    </Card>
  );
}

function progressText(plan: BackupImport["plan"], progress: BackupImport["progress"]): string {
  const kind = plan?.kinds.find((one) => one.kind === progress?.kind);
  if (!progress || !kind) return t("admin.import.running");
  return t("admin.import.progress", { kind: kind.title, done: progress.rows, all: kind.rows });
}

/** Of all rows that the plan has counted, those of earlier kinds are done. */
function percentOf(plan: BackupImport["plan"], progress: BackupImport["progress"]): number {
  if (!plan || !progress) return 0;
  const at = plan.kinds.findIndex(({ kind }) => kind === progress.kind);
  const rowsOf = (kinds: typeof plan.kinds) => kinds.reduce((sum, { rows }) => sum + rows, 0);
  const all = rowsOf(plan.kinds);
  return all === 0 ? 0 : Math.min(100, Math.round((100 * (rowsOf(plan.kinds.slice(0, at)) + progress.rows)) / all));
}
