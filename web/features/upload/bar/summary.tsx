import CircleAlert from "lucide-react/icons/circle-alert";
import CircleCheck from "lucide-react/icons/circle-check";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { isWarning } from "../../../ui/upload-row/problems.ts";
import { linkOf } from "../state/item-link.ts";
import type { Stage } from "../state/rows-by-state.ts";
import type { UploadPageState } from "../state/upload-state.ts";
import { OneLink } from "./one-link.tsx";

interface SummaryProps {
  readonly uploadState: UploadPageState;
  readonly stage: Stage;
  readonly mayUpload: boolean;
  /** Somebody who may make links. */
  readonly mayLink: boolean;
}

/** What has come of several files, or of one that did not arrive; the chips may still mend what they are to blame for. */
export function Summary({ uploadState, stage: { completed, failed, refused }, mayUpload, mayLink }: SummaryProps) {
  useLanguage();
  const fine = failed.length === 0;
  const warning = failed.every(({ failure }) => failure && isWarning(failure));
  const Icon = fine ? CircleCheck : CircleAlert;
  const others = mayUpload ? failed.filter((item) => !refused.includes(item)) : [];
  const links = completed.map(linkOf).join("\n");
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <p
        className={`flex min-w-0 flex-1 basis-56 items-center gap-2.5 ${fine ? "text-ok" : warning ? "text-accent" : "text-danger"}`}
      >
        <Icon aria-hidden className="size-[18px] shrink-0" />
        <span>{summaryText(completed.length, failed.length)}</span>
      </p>
      <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:*:flex-1">
        {others.length > 0 && (
          <Button onClick={() => others.forEach(uploadState.retry)}>
            {failed.length === 1 ? t("upload.bar.again") : t("upload.bar.retryFailed")}
          </Button>
        )}
        {completed.length > 1 && <CopyButton text={links} label={t("upload.bar.copyLinks")} />}
        {mayLink && <OneLink completed={completed} />}
      </div>
    </div>
  );
}

function summaryText(done: number, failed: number): string {
  if (failed === 0) return t("upload.bar.allDone", { count: done });
  if (done > 0) return t("upload.bar.someDone", { done, failed });
  return failed === 1 ? t("upload.bar.oneFailed") : t("upload.bar.noneDone", { count: failed });
}
