import CloudOff from "lucide-react/icons/cloud-off";
import Hourglass from "lucide-react/icons/hourglass";
import SearchX from "lucide-react/icons/search-x";
import type { ApiFailure } from "../../../api/failure.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button, ButtonLink } from "../../../ui/button.tsx";
import { CentredCard, Skeleton } from "../../../ui/surface.tsx";

/** In place of a share that cannot be shown: what happened, and the way on. */
export function FailedCard({ failure, onRetry }: { failure: ApiFailure; onRetry: () => void }) {
  useLanguage();
  if (failure.code === "share.gone") {
    return (
      <DeadEnd icon={<Hourglass aria-hidden />} title={t("paste.view.goneTitle")} text={t("paste.view.goneText")} />
    );
  }
  if (failure.status === 404) {
    return (
      <DeadEnd icon={<SearchX aria-hidden />} title={t("paste.view.missingTitle")} text={t("paste.view.missingText")} />
    );
  }
  return (
    <CentredCard icon={<CloudOff aria-hidden />} title={t("paste.view.failedTitle")}>
      <p role="alert" className="mb-5 text-muted">
        {failure.message}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onClick={onRetry}>
          {t("paste.view.retry")}
        </Button>
        <ButtonLink to="/">{t("paste.view.home")}</ButtonLink>
      </div>
    </CentredCard>
  );
}

function DeadEnd({ icon, title, text }: { icon: React.ReactNode; title: string; text: string }) {
  return (
    <CentredCard icon={icon} title={title}>
      <p role="alert" className="mb-5 text-muted">
        {text}
      </p>
      <ButtonLink to="/" variant="primary">
        {t("paste.view.home")}
      </ButtonLink>
    </CentredCard>
  );
}

/** The reading page before its text is there. */
export function ReadingSkeleton() {
  useLanguage();
  return (
    <div role="status" aria-label={t("paste.view.loading")} className="mx-auto w-full max-w-[720px] px-4 py-8 sm:py-10">
      <Skeleton className="mb-3 h-7 w-1/2" />
      <Skeleton className="mb-6 h-4 w-2/5" />
      <Skeleton className="mb-8 h-9 w-full" />
      <div className="grid gap-4">
        <Skeleton className="h-4 w-full" />
        <Skeleton className="h-4 w-11/12" />
        <Skeleton className="h-4 w-full" />
        <Skeleton className="h-4 w-4/5" />
        <Skeleton className="h-4 w-2/3" />
      </div>
    </div>
  );
}
