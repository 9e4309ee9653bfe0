import Link2 from "lucide-react/icons/link-2";
import Trash2 from "lucide-react/icons/trash-2";
import X from "lucide-react/icons/x";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import type { Selection } from "./selection.ts";

interface BulkBarProps {
  readonly selection: Selection;
  readonly onRemove: () => void;
  /** Makes a link of them; undefined where nobody may, or of what no link is made. */
  readonly onLink?: (() => void) | undefined;
  /** Why no link can be made of what is ticked. */
  readonly linkRefusal?: string | undefined;
}

/** What concerns the rows that are ticked; it floats at the end of the list as long as there are any. */
export function BulkBar({ selection, onRemove, onLink, linkRefusal }: BulkBarProps) {
  useLanguage();
  if (selection.selected.length === 0) return null;
  const selected = t("admin.list.selected", { count: selection.selected.length });
  return (
    <div
      role="toolbar"
      aria-label={selected}
      data-at-bottom
      className="sticky bottom-[calc(var(--strip)+16px)] z-10 mx-auto mt-4 flex w-fit max-w-full items-center gap-2 rounded-xl border border-line bg-raised p-2 pl-4 shadow-float"
    >
      <span className="mr-2 whitespace-nowrap tabular-nums">{selected}</span>
      {/* On a phone there is room for one word beside the number. */}
      <Button
        variant="plain"
        icon={<X aria-hidden className="sm:hidden" />}
        title={t("admin.list.unselect")}
        onClick={selection.clear}
      >
        <span className="max-sm:sr-only">{t("admin.list.unselect")}</span>
      </Button>
      {onLink && (
        <Button
          icon={<Link2 aria-hidden />}
          title={linkRefusal ?? t("link.form.title")}
          disabled={linkRefusal !== undefined}
          onClick={onLink}
        >
          <span className="max-sm:sr-only">{t("link.form.title")}</span>
        </Button>
      )}
      <Button variant="danger" icon={<Trash2 aria-hidden />} onClick={onRemove}>
        {t("admin.list.remove")}
      </Button>
    </div>
  );
}
