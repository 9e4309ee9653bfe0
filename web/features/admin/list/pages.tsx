import ChevronLeft from "lucide-react/icons/chevron-left";
import ChevronRight from "lucide-react/icons/chevron-right";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { IconButton } from "../../../ui/button.tsx";
import { SelectField } from "../../../ui/select-field.tsx";
import { pageSizes } from "./list-query.ts";

interface PagesProps {
  readonly page: number;
  readonly pages: number;
  readonly total: number;
  /** Whether there are more than `total`; not unless said. */
  readonly more?: boolean | undefined;
  readonly onGo: (page: number) => void;
  /** How many rows a page has, where that can be chosen. */
  readonly size?: number;
  readonly onResize?: (size: number) => void;
}

/** How many there are, how many a page has, and the way to the next one. */
export function Pages({ page, pages, total, more, onGo, size, onResize }: PagesProps) {
  useLanguage();
  const choices = pageSizes.map((one) => ({ value: String(one), label: t("admin.list.size", { count: one }) }));
  return (
    <nav aria-label={t("admin.list.pages")} className="mt-3 flex flex-wrap items-center gap-1 text-muted tabular-nums">
      <span className="mr-auto">{t(more ? "admin.list.moreThan" : "admin.list.total", { total })}</span>
      {size !== undefined && onResize && total > pageSizes[0] && (
        <SelectField
          hiddenLabel
          label={t("admin.list.sizeLabel")}
          choices={choices}
          value={String(size)}
          onChoose={(chosen) => onResize(Number(chosen))}
          className="mr-2"
        />
      )}
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
