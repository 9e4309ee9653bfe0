import ChevronLeft from "lucide-react/icons/chevron-left";
import ChevronRight from "lucide-react/icons/chevron-right";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { IconButton } from "../../../ui/button.tsx";
import { SelectField } from "../../../ui/form/select-field.tsx";
import type { ListQuery } from "./list-query.ts";

interface PagesProps {
  readonly page: number;
  readonly pages: number;
  readonly total: number;
  /** Whether there are more than `total`; not unless said. */
  readonly more?: boolean | undefined;
  readonly onGo: (page: number) => void;
  /** How many rows a page has, where that can be chosen. */
  readonly sizing?: Pick<ListQuery, "size" | "sizes" | "resize">;
}

/** How many there are, how many a page has, and the way to the next one. */
export function Pages({ page, pages, total, more, onGo, sizing }: PagesProps) {
  useLanguage();
  return (
    <nav aria-label={t("admin.list.pages")} className="mt-3 flex flex-wrap items-center gap-1 text-muted tabular-nums">
      <span className="mr-auto">{t(more ? "admin.list.atLeast" : "admin.list.total", { total })}</span>
      {sizing && sizing.sizes.length > 1 && total > sizing.sizes[0] && (
        <SelectField
          hiddenLabel
          label={t("admin.list.sizeLabel")}
          choices={sizing.sizes.map((one) => ({ value: String(one), label: t("admin.list.size", { count: one }) }))}
          value={String(sizing.size)}
          onChoose={(chosen) => sizing.resize(Number(chosen))}
          className="mr-2"
        />
      )}
      {pages > 1 && (
        <>
          <IconButton label={t("admin.list.previous")} disabled={page <= 1} onClick={() => onGo(page - 1)}>
            <ChevronLeft aria-hidden />
          </IconButton>
          <span aria-live="polite">{t("admin.list.page", { page, pages: more ? `${pages}+` : pages })}</span>
          <IconButton label={t("admin.list.next")} disabled={page >= pages} onClick={() => onGo(page + 1)}>
            <ChevronRight aria-hidden />
          </IconButton>
        </>
      )}
    </nav>
  );
}
