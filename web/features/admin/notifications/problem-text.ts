import type { DeliveryRecord } from "#contract/webhooks";
import { t } from "../../../i18n/i18n.ts";

/** Why a delivery did not arrive, in a sentence. */
export function problemText({ problem, status, clock_ahead: ahead }: DeliveryRecord): string {
  if (problem === null) return t("admin.webhooks.delivered");
  if (problem !== "clock") return t(`admin.webhooks.problems.${problem}`, { status: status ?? "" });
  const minutes = Math.round(Math.abs(ahead ?? 0) / 60);
  return t((ahead ?? 0) > 0 ? "admin.webhooks.clockAhead" : "admin.webhooks.clockBehind", { minutes });
}
