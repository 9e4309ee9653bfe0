import BrushCleaning from "lucide-react/icons/brush-cleaning";
import ChevronLeft from "lucide-react/icons/chevron-left";
import ChevronRight from "lucide-react/icons/chevron-right";
import Plus from "lucide-react/icons/plus";
import RefreshCw from "lucide-react/icons/refresh-cw";
import Trash2 from "lucide-react/icons/trash-2";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button, ButtonLink, IconButton } from "../../../ui/button.tsx";
import type { Selection } from "./selection.ts";

interface ToolbarProps {
  /** There is nothing to clear, and the page itself says how to begin. */
  readonly empty: boolean;
  readonly refreshing: boolean;
  readonly onRefresh: () => void;
  readonly onClearExpired: () => void;
}

/** Title of the list, and what concerns all of it. */
export function Toolbar({ empty, refreshing, onRefresh, onClearExpired }: ToolbarProps) {
  useLanguage();
  return (
    <div className="mb-4 flex min-h-9 flex-wrap items-center gap-2 pointer-coarse:min-h-11">
      <h1 className="mr-auto font-semibold text-xl">{t("admin.texts.title")}</h1>
      <IconButton label={t("admin.texts.refresh")} onClick={onRefresh} aria-busy={refreshing}>
        <RefreshCw aria-hidden className={refreshing ? "animate-spin" : undefined} />
      </IconButton>
      {!empty && (
        <>
          <Button icon={<BrushCleaning aria-hidden />} title={t("admin.texts.clearExpired")} onClick={onClearExpired}>
            <span className="max-sm:sr-only">{t("admin.texts.clearExpired")}</span>
          </Button>
          <ButtonLink to="/" variant="primary" icon={<Plus aria-hidden />}>
            {t("admin.texts.write")}
          </ButtonLink>
        </>
      )}
    </div>
  );
}

/** What concerns the rows that are ticked; it floats at the end of the list as long as there are any. */
export function BulkBar({ selection, onRemove }: { readonly selection: Selection; readonly onRemove: () => void }) {
  useLanguage();
  return (
    <div
      role="toolbar"
      aria-label={t("admin.texts.selected", { count: selection.selected.length })}
      className="sticky bottom-4 z-10 mx-auto mt-4 flex w-fit max-w-full items-center gap-2 rounded-xl border border-line bg-raised p-2 pl-4 shadow-float"
    >
      <span className="mr-2 whitespace-nowrap tabular-nums">
        {t("admin.texts.selected", { count: selection.selected.length })}
      </span>
      <Button variant="plain" onClick={selection.clear}>
        {t("admin.texts.unselect")}
      </Button>
      <Button variant="danger" icon={<Trash2 aria-hidden />} onClick={onRemove}>
        {t("admin.texts.remove")}
      </Button>
    </div>
  );
}

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
    <nav aria-label={t("admin.texts.pages")} className="mt-3 flex items-center gap-1 text-muted tabular-nums">
      <span className="mr-auto">{t("admin.texts.total", { total })}</span>
      {pages > 1 && (
        <>
          <IconButton label={t("admin.texts.previous")} disabled={page <= 1} onClick={() => onGo(page - 1)}>
            <ChevronLeft aria-hidden />
          </IconButton>
          <span aria-live="polite">{t("admin.texts.page", { page, pages })}</span>
          <IconButton label={t("admin.texts.next")} disabled={page >= pages} onClick={() => onGo(page + 1)}>
            <ChevronRight aria-hidden />
          </IconButton>
        </>
      )}
    </nav>
  );
}
