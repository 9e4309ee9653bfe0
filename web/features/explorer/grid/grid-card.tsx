import { memo, useState } from "react";
import { classes } from "../../../lib/classes.ts";
import { bare } from "../../../lib/folder-path.ts";
import { entryId } from "../folder/entries.tsx";
import {
  EntryBox,
  EntryIcon,
  EntryMore,
  EntryName,
  type EntryViewProps,
  entryClasses,
  useSizeText,
} from "../folder/entry-parts.tsx";
import { EntryThumbnail, Waiting } from "../folder/entry-thumbnail.tsx";
import { useThumbnail } from "../folder/previews.ts";

/** One card of the grid: a small look at a picture, or a sign for the kind, above the name. */
export const GridCard = memo(function GridCard(props: EntryViewProps) {
  const { entry, index, chosen, focused, cut, touch, select, dragging, onMenu } = props;
  const size = useSizeText(entry);
  const { src, isPage, onFail } = useThumbnail(entry);
  const [failed, setFailed] = useState<string>();
  const picture = src === failed ? undefined : src;
  const folder = entry.isDirectory ? bare(entry.path) : undefined;
  return (
    <div
      role="gridcell"
      id={entryId(index)}
      data-index={index}
      aria-selected={chosen}
      // By these alone: its box and its menu name the entry, too.
      aria-labelledby={`${entryId(index)}-name ${entryId(index)}-size`}
      {...dragging.source(props)}
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
