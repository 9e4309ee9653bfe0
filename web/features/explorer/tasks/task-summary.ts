import type { Language } from "#contract/languages";
import { t } from "../../../i18n/i18n.ts";
import type { UploadItem, UploadTotals } from "../../../transfer/uploads.ts";
import type { InterruptedUpload } from "../upload/interrupted-uploads.ts";
import { uploadFacts } from "../upload/upload-facts.ts";
import { hasEnded, percentDone, type Task, titleOf } from "./task.ts";

interface Known {
  /** All but the uploads of this page. */
  readonly tasks: readonly Task[];
  readonly items: readonly UploadItem[];
  readonly totals: UploadTotals;
  readonly cut: readonly InterruptedUpload[];
  /** The list of tasks is open and names each. */
  readonly open: boolean;
}

/** The summary that the strip shows in one line. */
export interface TaskSummary {
  readonly title: string;
  readonly facts: readonly string[];
  readonly tone: "busy" | "failed" | "done";
  /** Progress of the running tasks, 0 to 100; undefined if none runs or it is unknown. */
  readonly percent: number | undefined;
  /** Nothing is running, because all uploads are paused. */
  readonly still: boolean;
  /** Something is under way, or paused. */
  readonly moves: boolean;
  /** Uploads are running or paused. */
  readonly uploading: boolean;
}

/** Summarizes the running tasks, or the results if none runs. */
export function summaryOf({ tasks, items, totals, cut, open }: Known, language: Language): TaskSummary {
  const uploading = items.some(({ state }) => state === "uploading" || state === "paused");
  const active = tasks.filter((task) => !hasEnded(task));
  const failed =
    tasks.filter(({ state }) => state === "failed" || state === "partial_complete").length +
    (totals.failed > 0 ? 1 : 0);
  const left = cut.length > 0 ? [t("tasks.cut.count", { count: cut.length })] : [];
  const bad = failed > 0 ? [t("tasks.someFailed", { count: failed })] : [];
  const more = active.length > 0 ? [t("tasks.active", { count: active.length })] : [];
  const still = uploading && !totals.active && active.length === 0;
  if (uploading) {
    const facts = [...uploadFacts(totals, true, language), ...more, ...bad];
    const percent = percentOf(totals, active);
    return {
      title: t("tasks.uploading"),
      facts,
      tone: still ? "done" : "busy",
      percent,
      still,
      moves: true,
      uploading,
    };
  }
  const percent = percentOf(undefined, active);
  const [one] = active;
  if (one) {
    const alone = active.length === 1 && !open;
    const title = alone ? titleOf(one) : t("tasks.label");
    const share = percent === undefined ? [] : [`${percent}%`];
    const facts = alone ? [...share, ...bad, ...left] : [...more, ...share, ...bad, ...left];
    return { title, facts, tone: "busy", percent, still: false, moves: true, uploading };
  }
  const uploaded = items.length > 0 ? uploadFacts(totals, false, language).slice(0, 1) : [];
  const finished = tasks.length > 0 ? [t("tasks.finished", { count: tasks.length })] : [];
  const facts = [...uploaded, ...finished, ...bad, ...left];
  const tone = failed + cut.length > 0 ? "failed" : "done";
  return { title: t("tasks.label"), facts, tone, percent: undefined, still: false, moves: false, uploading };
}

/** Averages the progress of several tasks: bytes of one and files of another cannot be added. */
function percentOf(totals: UploadTotals | undefined, active: readonly Task[]): number | undefined {
  const uploads = totals && totals.size > 0 ? [(totals.sent / totals.size) * 100] : [];
  const shares = [...uploads, ...active.map(percentDone).filter((share) => share !== undefined)];
  if (shares.length === 0) return undefined;
  return Math.min(100, Math.floor(shares.reduce((sum, share) => sum + share, 0) / shares.length));
}
