import { useDashboard } from "../../../api/dashboard.ts";
import { failureText } from "../../../api/failure.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Notice } from "../../../ui/notice.tsx";
import { CachesCard } from "../dashboard/caches-card.tsx";
import { SystemCard } from "../dashboard/system-card.tsx";

/** What runs here, and what it keeps in memory. */
export function System() {
  useLanguage();
  const { data, error } = useDashboard();
  return (
    <>
      <h1 className="mb-4 flex min-h-9 items-center font-semibold text-xl pointer-coarse:min-h-11">
        {t("admin.nav.system")}
      </h1>
      {error && <Notice tone="error">{failureText(error)}</Notice>}
      <div className="grid grid-cols-1 gap-3 lg:grid-cols-3">
        <SystemCard backup={data?.backup} />
        <CachesCard />
      </div>
    </>
  );
}
