import { type ApiFailure, failureText } from "../../../api/failure.ts";
import { t } from "../../../i18n/i18n.ts";

/** What went wrong on the way of a file between two storages, as a sentence; failures without one show the server's. */
export function transferText(failure: ApiFailure): string {
  const { code, status } = failure;
  if (code === "network" || code === "timeout") return t(`tasks.trouble.${code}`);
  if (code === "getRefused")
    return status === 404 ? t("tasks.trouble.vanished") : t("tasks.trouble.unread", { status });
  if (code === "putRefused") return t("tasks.trouble.unwritten", { status });
  return failureText(failure);
}
