import ArrowDown from "lucide-react/icons/arrow-down";
import ArrowUp from "lucide-react/icons/arrow-up";
import ArrowUpDown from "lucide-react/icons/arrow-up-down";
import { useEffect, useRef } from "react";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { classes } from "../../../lib/classes.ts";
import { nextSort, type Sort, type SortField } from "../model/order.ts";
import { preferences } from "../model/preferences.ts";
import type { SelectionAct } from "../model/selection.ts";
import { columns } from "./columns.ts";

interface ListHeadProps {
  readonly height: number;
  readonly sort: Sort | undefined;
  readonly chosen: number;
  readonly count: number;
  readonly select: (act: SelectionAct) => void;
}

/** The names of the columns: a press sorts by one, upwards, downwards and as it was. */
export function ListHead({ height, sort, chosen, count, select }: ListHeadProps) {
  useLanguage();
  const box = useRef<HTMLInputElement>(null);
  const some = chosen > 0 && chosen < count;
  useEffect(() => {
    if (box.current) box.current.indeterminate = some;
  }, [some]);
  return (
    <div
      role="row"
      aria-rowindex={1}
      style={{ height }}
      className={classes("sticky top-0 z-10 border-line border-b bg-raised text-[13px] text-muted", columns.head)}
    >
      <div role="columnheader" className="grid place-items-center">
        <label className="grid size-9 cursor-pointer place-items-center pointer-coarse:size-11">
          <input
            ref={box}
            type="checkbox"
            aria-label={t("explorer.list.selectAll")}
            checked={count > 0 && chosen === count}
            onChange={() => select({ do: chosen === count ? "none" : "all" })}
            className="size-4 accent-accent pointer-coarse:size-5"
          />
        </label>
      </div>
      <Column field="name" sort={sort} first />
      <Column field="size" sort={sort} className={columns.size} />
      <Column field="modified" sort={sort} className={columns.modified} />
      <div role="columnheader" className="max-sm:hidden">
        <span className="sr-only">{t("explorer.list.actions")}</span>
      </div>
    </div>
  );
}

interface ColumnProps {
  readonly field: SortField;
  readonly sort: Sort | undefined;
  readonly className?: string;
  /** On a phone, where they stand over no columns, a sign before them says what a press does. */
  readonly first?: boolean;
}

function Column({ field, sort, className, first = false }: ColumnProps) {
  useLanguage();
  const on = sort?.field === field ? sort : undefined;
  const Arrow = on?.down ? ArrowDown : ArrowUp;
  return (
    <div
      role="columnheader"
      aria-sort={on ? (on.down ? "descending" : "ascending") : "none"}
      className={classes("flex min-w-0 items-center", className)}
    >
      {first && <ArrowUpDown aria-hidden className="mr-4 size-4 shrink-0 sm:hidden" />}
      <button
        type="button"
        onClick={() => preferences.change({ sort: nextSort(sort, field) })}
        className={classes(
          "-mx-2 flex h-8 min-w-0 items-center gap-1 rounded-lg px-2 font-medium transition-colors hover:bg-sunken hover:text-text pointer-coarse:h-11",
          on && "text-text",
        )}
      >
        <span className="truncate">{t(`explorer.list.${field}`)}</span>
        {on && <Arrow aria-hidden className="size-3.5 shrink-0" />}
      </button>
    </div>
  );
}
