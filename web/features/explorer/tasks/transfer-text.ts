import { type ApiFailure, failureText } from "../../../api/failure.ts";
import { t } from "../../../i18n/i18n.ts";

/** Returns why a copy between storages failed, as a sentence; the server's if there is no other. */
export function transferText(failure: ApiFailure): string {
  const { code, status } = failure;
  if (code === "network" || code === "timeout") return t(`tasks.trouble.${code}`);
  if (code === "getRefused")
    return status === 404 ? t("tasks.trouble.vanished") : t("tasks.trouble.unread", { status });
  if (code === "putRefused") return t("tasks.trouble.unwritten", { status });
  return failureText(failure);
}
