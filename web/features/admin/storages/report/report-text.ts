import type { StorageReport } from "#contract/storage-report";
import { t } from "../../../../i18n/i18n.ts";

type Step = StorageReport["result"]["steps"][number];

/** How an examination went; advised is one that passed with something to do. */
export type Mark = "passed" | "advised" | "failed" | "skipped";

export function markOf({ success, skipped, advice }: Pick<Step, "success" | "skipped" | "advice">): Mark {
  if (skipped) return "skipped";
  if (!success) return "failed";
  return advice === null ? "passed" : "advised";
}

/** Milliseconds as people say them. */
export function timeText(duration: number): string {
  if (duration < 1) return "< 1 ms";
  return duration < 1000 ? `${Math.round(duration)} ms` : `${(duration / 1000).toFixed(1)} s`;
}

interface Found {
  readonly summary: string;
  readonly report: StorageReport;
}

/** A report to be sent to somebody who can help. */
export function reportText(name: string, { summary, report }: Found): string {
  const { steps, connectionInfo: info } = report.result;
  const place = [info.provider, info.endpoint, info.bucket, info.region].filter(Boolean).join(" · ");
  return [`${t("storage.report.title", { name })}: ${summary}`, place, "", ...steps.flatMap(linesOf)].join("\n");
}

function linesOf(step: Step): string[] {
  const time = step.skipped ? "" : ` (${timeText(step.duration)})`;
  const line = `[${t(`storage.report.${markOf(step)}`)}] ${step.name}${time}: ${step.message}`;
  return step.advice ? [line, `  ${step.advice}`] : [line];
}
