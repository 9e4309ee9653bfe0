import { useState } from "react";
import { formatBytes } from "#contract/format-bytes";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { useStore } from "../../../lib/store.ts";
import type { Uploads } from "../../../transfer/uploads.ts";
import { Button } from "../../../ui/button.tsx";
import { FactLine } from "../../../ui/share-gate/fact-line.tsx";
import { percentOf, timeText } from "../../../ui/upload-row/amounts.ts";
import { ProgressBar } from "../../../ui/upload-row/progress-bar.tsx";
import type { Stage } from "../state/rows-by-state.ts";
import { StopDialog } from "../stop-dialog.tsx";

interface TotalProps {
  readonly uploads: Uploads;
  readonly stage: Stage;
}

/** How far everything together has got, and what concerns all of it. */
export function Total({ uploads, stage: { moving, paused } }: TotalProps) {
  const language = useLanguage();
  const [asking, setAsking] = useState(false);
  const { files, completed, sent, size, speed, secondsLeft, active } = useStore(uploads.totals);
  const percent = percentOf(sent, size);
  const waits = active && moving.every(({ waiting }) => waiting === "connection");
  const moves = active && !waits;
  return (
    <section aria-label={t("upload.bar.progress")} className="grid gap-2.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 basis-64">
          <p className="font-medium tabular-nums">
            {t(`upload.bar.${moves ? "uploading" : waits ? "waiting" : "paused"}`)} {percent}%
          </p>
          <FactLine>
            {files > 1 ? t("upload.bar.files", { done: completed, count: files }) : null}
            {t("upload.row.sentOf", { sent: formatBytes(sent, language), size: formatBytes(size, language) })}
            {moves && speed > 0 ? t("upload.row.speed", { speed: formatBytes(speed, language) }) : null}
            {moves && secondsLeft !== undefined
              ? t("upload.row.left", { time: timeText(secondsLeft, language) })
              : null}
          </FactLine>
        </div>
        <div className="flex gap-2 max-sm:w-full max-sm:*:flex-1">
          {moving.some(({ canPause }) => canPause) ? (
            <Button onClick={uploads.pauseAll}>{t("upload.bar.pauseAll")}</Button>
          ) : null}
          {paused.length > 0 ? <Button onClick={uploads.resumeAll}>{t("upload.bar.resumeAll")}</Button> : null}
          <Button onClick={() => setAsking(true)}>{t("upload.bar.cancelAll")}</Button>
        </div>
      </div>
      <ProgressBar label={t("upload.bar.progress")} percent={percent} still={!moves} />
      {asking && (
        <StopDialog title={t("upload.bar.stopTitle")} onStop={uploads.cancelAll} onClose={() => setAsking(false)} />
      )}
    </section>
  );
}
