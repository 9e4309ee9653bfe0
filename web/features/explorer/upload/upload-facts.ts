import { formatBytes } from "#contract/format-bytes";
import type { Language } from "#contract/languages";
import { t } from "../../../i18n/i18n.ts";
import type { UploadTotals } from "../../../transfer/uploads.ts";
import { percentOf, timeText } from "../../../ui/upload-row/amounts.ts";

/** How the uploads stand together: how far, how fast and how long it takes, or what became of them. */
export function uploadFacts(totals: UploadTotals, underWay: boolean, language: Language): string[] {
  const { files, completed, failed, sent, size, active, speed, secondsLeft } = totals;
  if (underWay)
    return [
      ...(active ? [] : [t("upload.bar.paused")]),
      t("upload.bar.files", { done: completed, count: files }),
      `${percentOf(sent, size)}%`,
      ...(active && speed > 0 ? [t("tasks.speed", { speed: formatBytes(speed, language) })] : []),
      ...(active && secondsLeft !== undefined ? [t("upload.row.left", { time: timeText(secondsLeft, language) })] : []),
    ];
  if (failed > 0) return [t("explorer.upload.someFailed", { done: completed, failed })];
  if (files === 0) return [t("explorer.upload.calledOff")];
  return [t("explorer.upload.allDone", { count: completed }), formatBytes(sent, language)];
}
