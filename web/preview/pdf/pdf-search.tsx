import ChevronLeft from "lucide-react/icons/chevron-left";
import ChevronRight from "lucide-react/icons/chevron-right";
import type { RefObject } from "react";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { IconButton } from "../../ui/button.tsx";
import type { Finds } from "./use-finds.ts";

interface PdfSearchProps {
  readonly finds: Finds;
  readonly field: RefObject<HTMLInputElement | null>;
}

/** The field that searches all pages, with the way from find to find: Enter and Shift+Enter. */
export function PdfSearch({ finds: { query, setQuery, count, at, busy, step }, field }: PdfSearchProps) {
  useLanguage();
  const asked = query.trim() !== "";
  return (
    <search className="flex items-center gap-1 max-sm:w-full sm:ml-auto">
      <input
        ref={field}
        type="search"
        aria-label={t("viewer.pdf.search")}
        placeholder={t("viewer.pdf.search")}
        value={query}
        onChange={({ target }) => setQuery(target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
          // Esc ends the search before it ends anything around it.
          if (event.key === "Escape" && asked) event.stopPropagation();
        }}
        className="h-9 min-w-0 flex-1 rounded-lg border border-line bg-raised px-2.5 text-[13px] sm:w-44 pointer-coarse:h-11"
      />
      <span role="status" className="min-w-12 text-center text-[13px] text-muted tabular-nums">
        {asked && (count > 0 ? `${at + 1} / ${count}` : busy ? "…" : t("viewer.pdf.nothing"))}
      </span>
      <IconButton label={t("viewer.pdf.previousFind")} disabled={count === 0} onClick={() => step(-1)}>
        <ChevronLeft aria-hidden />
      </IconButton>
      <IconButton label={t("viewer.pdf.nextFind")} disabled={count === 0} onClick={() => step(1)}>
        <ChevronRight aria-hidden />
      </IconButton>
    </search>
  );
}
