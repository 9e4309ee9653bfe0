import CircleAlert from "lucide-react/icons/circle-alert";
import CircleCheck from "lucide-react/icons/circle-check";
import CircleMinus from "lucide-react/icons/circle-minus";
import CircleX from "lucide-react/icons/circle-x";
import type { StorageReport } from "#contract/storage-report";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { classes } from "../../../../lib/classes.ts";
import { Button } from "../../../../ui/button.tsx";
import { Notice } from "../../../../ui/notice.tsx";
import { type Mark, markOf, timeText } from "./report-text.ts";

type Step = StorageReport["result"]["steps"][number];

/** The way to set the rules that a failed examination misses. */
interface Cors {
  readonly busy: boolean;
  /** Why it did not work the last time. */
  readonly failure: string | undefined;
  readonly set: () => void;
}

interface StepsProps {
  readonly steps: readonly Step[];
  readonly cors: Cors;
}

/** What was tried, one after the other: how it went, what was found, what to do. */
export function Steps({ steps, cors }: StepsProps) {
  useLanguage();
  const failed = steps.filter(({ success, skipped }) => !success && !skipped);
  // A bucket that is not there, or takes nothing of ours, takes no rules either.
  const missing = failed.some(({ id }) => id === "write") ? undefined : failed.find(({ id }) => aboutCors.has(id));
  return (
    <ul className="divide-y divide-line rounded-lg border border-line">
      {steps.map((step) => (
        <li key={step.id} className="grid grid-cols-[18px_1fr] gap-x-2.5 px-3.5 py-2.5">
          <MarkIcon mark={markOf(step)} />
          <div className="min-w-0">
            <p className="flex items-baseline justify-between gap-3">
              <span className="font-medium">{step.name}</span>
              {step.skipped ? null : (
                <span className="shrink-0 text-muted text-xs tabular-nums">{timeText(step.duration)}</span>
              )}
            </p>
            <p className="wrap-anywhere text-[13px] text-muted">{step.message}</p>
            {step.advice && <p className="wrap-anywhere mt-1 text-[13px]">{step.advice}</p>}
            {step === missing && <SetCors {...cors} />}
          </div>
        </li>
      ))}
    </ul>
  );
}

/** What the rules of the bucket decide. */
const aboutCors: ReadonlySet<string> = new Set<Step["id"]>(["cors", "etag_exposed"]);

const icons = { passed: CircleCheck, advised: CircleAlert, failed: CircleX, skipped: CircleMinus } as const;
const colours = { passed: "text-ok", advised: "text-accent", failed: "text-danger", skipped: "text-muted" } as const;

function MarkIcon({ mark }: { readonly mark: Mark }) {
  const Icon = icons[mark];
  return (
    <span className={classes("mt-px", colours[mark])}>
      <Icon aria-hidden className="size-[18px]" />
      <span className="sr-only">{t(`storage.report.${mark}`)}</span>
    </span>
  );
}

function SetCors({ busy, failure, set }: Cors) {
  return (
    <div className="mt-2.5 grid justify-items-start gap-2">
      {failure !== undefined && <Notice tone="error">{failure}</Notice>}
      <Button variant="primary" busy={busy} onClick={set}>
        {t(busy ? "storage.cors.setting" : "storage.cors.set")}
      </Button>
      <p className="text-muted text-xs">{t("storage.cors.hint", { origin: window.location.origin })}</p>
    </div>
  );
}
