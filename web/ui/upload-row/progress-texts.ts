import { formatBytes } from "#contract/format-bytes";
import type { Language } from "#contract/languages";
import { t } from "../../i18n/i18n.ts";
import type { UploadItem } from "../../transfer/uploads.ts";
import { percentOf, timeText } from "./amounts.ts";
import { startsAgain } from "./problems.ts";

/** What has arrived of a file, of how much. */
export const sentOf = ({ sent, file }: UploadItem, language: Language): string =>
  t("upload.row.sentOf", { sent: formatBytes(sent, language), size: formatBytes(file.size, language) });

/** How a file on its way stands: how far, how fast and how long it takes, or what it waits for. */
export function progressTexts(item: UploadItem, language: Language): string[] {
  if (item.state === "idle") return [t("upload.row.idle")];
  if (item.state === "paused") {
    return [t("upload.row.paused"), ...(startsAgain(item) ? [t("upload.row.startsAgain")] : [])];
  }
  if (item.state === "aborted") return [t("upload.row.aborted")];
  if (item.waiting) return [t(`upload.row.${item.waiting}`)];
  if (item.finishing) return [t("upload.row.finishing")];
  const { speed, secondsLeft } = item;
  return [
    `${percentOf(item.sent, item.file.size)}%`,
    ...(speed > 0 ? [t("upload.row.speed", { speed: formatBytes(speed, language) })] : []),
    ...(secondsLeft === undefined ? [] : [t("upload.row.left", { time: timeText(secondsLeft, language) })]),
  ];
}
