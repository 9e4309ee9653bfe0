import { memo, useState } from "react";
import { classes } from "../../../lib/classes.ts";
import { bare } from "../../../lib/folder-path.ts";
import type { Dragging } from "../folder/dragging.ts";
import { EntryBox, EntryIcon, EntryMore, EntryName, entryClasses, useSizeText } from "../folder/entry-parts.tsx";
import { EntryThumbnail, Waiting } from "../folder/entry-thumbnail.tsx";
import { useThumbnail } from "../folder/previews.ts";
import { entryId } from "../folder/surface.tsx";
import type { Entry } from "../model/entry.ts";
import type { SelectionAct } from "../model/selection.ts";

interface GridCardProps {
  readonly entry: Entry;
  readonly index: number;
  readonly chosen: boolean;
  readonly focused: boolean;
  readonly cut: boolean;
  readonly touch: boolean;
  /** All that are chosen: what a drag of a chosen one takes along. */
  readonly entries: readonly Entry[];
  readonly select: (act: SelectionAct) => void;
  readonly dragging: Dragging;
  readonly onMenu: (at: DOMRect) => void;
}

/** One card of the grid: a small look at a picture, or a sign for the kind, above the name. */
export const GridCard = memo(function GridCard(props: GridCardProps) {
  const { entry, index, chosen, focused, cut, touch, entries, select, dragging, onMenu } = props;
  const size = useSizeText(entry);
  const { src, isPage, onFail } = useThumbnail(entry);
  const [failed, setFailed] = useState<string>();
  const picture = src === failed ? undefined : src;
  const folder = entry.isDirectory ? bare(entry.path) : undefined;
  const source = dragging.source(entry, chosen ? entries : [entry]);
  return (
    <div
      role="gridcell"
      id={entryId(index)}
      data-index={index}
      aria-selected={chosen}
      // By these alone: its box and its menu name the entry, too.
      aria-labelledby={`${entryId(index)}-name ${entryId(index)}-size`}
      {...source}
      draggable={source.draggable && !touch}
      {...dragging.target(folder)}
      className={classes(
        "group/card relative m-1 flex min-h-0 min-w-0 cursor-default flex-col rounded-lg p-2",
        entryClasses({ chosen, focused, cut, over: folder !== undefined && dragging.over === folder }),
      )}
    >
      <div
        className={classes("grid h-26 shrink-0 place-items-center overflow-hidden rounded-lg", picture && "bg-sunken")}
      >
        {picture ? (
          <EntryThumbnail
            src={picture}
            facts={entry.picture}
            isPage={isPage}
            onFail={() => onFail() || setFailed(picture)}
            className="rounded-lg"
          />
        ) : entry.picture && failed === undefined ? (
          <Waiting facts={entry.picture} />
        ) : (
          <EntryIcon entry={entry} className="size-12 [stroke-width:1.25]" />
        )}
      </div>
      <div id={`${entryId(index)}-name`} className="mt-2 min-w-0 text-[13px]">
        <EntryName entry={entry} lines={2} />
      </div>{" "}
      <span id={`${entryId(index)}-size`} className="truncate text-center text-muted text-xs tabular-nums">
        {size}
      </span>
      <EntryBox
        {...{ entry, chosen, touch, select }}
        className={classes(
          "absolute top-1 left-1 size-9 pointer-coarse:size-11",
          !chosen && !touch && "opacity-0 focus-within:opacity-100 group-hover/card:opacity-100 pointer-coarse:hidden",
        )}
      />
      <EntryMore
        {...{ entry, chosen, select, onMenu }}
        className={classes(
          "!absolute top-1 right-1",
          picture && "bg-raised/80",
          "opacity-0 group-hover/card:opacity-100 pointer-coarse:opacity-100",
        )}
      />
    </div>
  );
});
