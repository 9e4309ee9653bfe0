import { t, useLanguage } from "../../i18n/i18n.ts";
import { Skeleton } from "../../ui/card.tsx";

/** In place of a document that is being read. */
export function ReadingSkeleton() {
  useLanguage();
  return (
    <div role="status" aria-label={t("share.gate.loading")} className="grid gap-4 p-5 sm:p-8">
      <Skeleton className="h-4 w-full" />
      <Skeleton className="h-4 w-11/12" />
      <Skeleton className="h-4 w-4/5" />
      <Skeleton className="h-4 w-2/3" />
    </div>
  );
}
