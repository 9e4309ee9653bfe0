import ChevronLeft from "lucide-react/icons/chevron-left";
import ChevronRight from "lucide-react/icons/chevron-right";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { IconButton } from "../../../ui/button.tsx";

interface PagesProps {
  readonly page: number;
  readonly pages: number;
  readonly total: number;
  readonly onGo: (page: number) => void;
}

/** How many there are, and the way to the next page. */
export function Pages({ page, pages, total, onGo }: PagesProps) {
  useLanguage();
  return (
    <nav aria-label={t("admin.list.pages")} className="mt-3 flex items-center gap-1 text-muted tabular-nums">
      <span className="mr-auto">{t("admin.list.total", { total })}</span>
      {pages > 1 && (
        <>
          <IconButton label={t("admin.list.previous")} disabled={page <= 1} onClick={() => onGo(page - 1)}>
            <ChevronLeft aria-hidden />
          </IconButton>
          <span aria-live="polite">{t("admin.list.page", { page, pages })}</span>
          <IconButton label={t("admin.list.next")} disabled={page >= pages} onClick={() => onGo(page + 1)}>
            <ChevronRight aria-hidden />
          </IconButton>
        </>
      )}
    </nav>
  );
}
