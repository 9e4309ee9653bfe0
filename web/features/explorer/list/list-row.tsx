import { memo } from "react";
import { classes } from "../../../lib/classes.ts";
import { bare } from "../../../lib/folder-path.ts";
import { entryId } from "../folder/entries.tsx";
import {
  EntryBox,
  EntryMore,
  EntryName,
  type EntryViewProps,
  entryClasses,
  UNKNOWN,
  useShortTimeText,
  useSizeText,
  useTimeText,
} from "../folder/entry-parts.tsx";
import { EntryLook } from "../folder/entry-thumbnail.tsx";
import { columns } from "./columns.ts";

interface ListRowProps extends EntryViewProps {
  readonly height: number;
}

/** One line of the list. */
export const ListRow = memo(function ListRow(props: ListRowProps) {
  const { entry, index, height, chosen, focused, cut, touch, select, dragging, onMenu } = props;
  const size = useSizeText(entry);
  const time = useTimeText(entry);
  const shortTime = useShortTimeText(entry);
  // The row is read by these alone: its box and its menu name the entry, too.
  const part = (of: "name" | "size" | "time") => `${entryId(index)}-${of}`;
  const folder = entry.isDirectory ? bare(entry.path) : undefined;
  return (
    <div
      role="row"
      id={entryId(index)}
      data-index={index}
      aria-rowindex={index + 2}
      aria-selected={chosen}
      aria-labelledby={`${part("name")} ${part("size")} ${part("time")}`}
      {...dragging.source(props)}
      {...dragging.target(folder)}
      style={{ height, transform: `translateY(${index * height}px)` }}
      className={classes(
        "group/row absolute inset-x-0 top-0 cursor-default border-line border-b",
        columns.grid,
        entryClasses({ chosen, focused, cut, over: folder !== undefined && dragging.over === folder }),
      )}
    >
      <div role="gridcell" className="grid h-full place-items-center">
        <EntryBox
          entry={entry}
          chosen={chosen}
          touch={touch}
          select={select}
          className="h-full w-9 pointer-coarse:w-11"
        />
      </div>
      <div role="gridcell" className="flex min-w-0 items-center gap-3">
        <EntryLook entry={entry} className="size-7 max-sm:size-9" icon="size-5 max-sm:size-6" />
        <div className="min-w-0 flex-1">
          <div id={part("name")}>
            <EntryName entry={entry} />
          </div>
          <p className="truncate text-[13px] text-muted tabular-nums sm:hidden">
            {[size, shortTime].filter((fact) => fact !== UNKNOWN).join(" · ")}
          </p>
        </div>
      </div>
      <div role="gridcell" id={part("size")} className="truncate text-right text-muted tabular-nums max-sm:hidden">
        {size}
      </div>
      <div role="gridcell" id={part("time")} className="truncate pl-4 text-muted tabular-nums max-sm:hidden">
        {time}
      </div>
      <div role="gridcell" className="max-sm:col-span-2">
        <EntryMore
          {...{ entry, chosen, select, onMenu }}
          className="opacity-60 group-hover/row:opacity-100 pointer-coarse:opacity-100"
        />
      </div>
    </div>
  );
});
