import Check from "lucide-react/icons/check";
import { useState } from "react";
import { classes } from "../../../lib/classes.ts";
import { shownName } from "../../../lib/shown-name.ts";
import type { Dragging, ShownEntry } from "../folder/dragging.ts";
import { entryId } from "../folder/entries.tsx";
import { EntryIcon } from "../folder/entry-parts.tsx";
import { EntryThumbnail, Waiting } from "../folder/entry-thumbnail.tsx";
import { hasThumbnail, useThumbnail } from "../folder/previews.ts";
import type { Tile } from "./masonry.ts";

interface GalleryTileProps extends ShownEntry {
  readonly index: number;
  readonly count: number;
  readonly place: Omit<Tile, "index">;
  readonly focused: boolean;
  readonly dragging: Dragging;
  /** Called with the picture once it is there. */
  readonly onLoad: (picture: HTMLImageElement) => void;
  readonly onToggle: () => void;
}

/** One picture of the gallery. */
export function GalleryTile(props: GalleryTileProps) {
  const { entry, index, count, place, chosen, focused, touch, dragging, onLoad, onToggle } = props;
  const { src: picture, problem, onFail } = useThumbnail(entry);
  const [failed, setFailed] = useState<string>();
  const name = shownName(entry.name);
  const shows = picture !== undefined && failed !== picture;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and names the active one
    <div
      role="option"
      id={entryId(index)}
      data-index={index}
      aria-label={name}
      aria-selected={chosen}
      aria-setsize={count}
      aria-posinset={index + 1}
      title={name}
      {...dragging.source(props)}
      style={place}
      className={classes(
        "group/tile absolute cursor-pointer overflow-hidden rounded-lg bg-sunken",
        chosen && "outline-3 outline-accent outline-offset-2",
        focused &&
          "group-focus-visible/entries:outline-2 group-focus-visible/entries:outline-accent group-focus-visible/entries:outline-offset-2",
      )}
    >
      {shows ? (
        <EntryThumbnail
          src={picture}
          facts={entry.picture}
          onShow={onLoad}
          onFail={() => onFail() || setFailed(picture)}
        />
      ) : hasThumbnail(entry) && failed === undefined && !problem ? (
        <Waiting facts={entry.picture} />
      ) : (
        <span className="grid size-full place-items-center text-muted">
          <EntryIcon entry={entry} className="size-10" />
        </span>
      )}
      {/* For the mouse; keys and touch choose in their own ways. */}
      <span
        aria-hidden
        onClick={(event) => {
          event.stopPropagation();
          onToggle();
        }}
        className={classes(
          "absolute top-2 left-2 grid size-6 place-items-center rounded-full border transition-opacity [&_svg]:size-4",
          chosen
            ? "border-transparent bg-accent text-accent-text"
            : classes(
                "border-line-strong bg-raised/80 text-transparent",
                !touch && "opacity-0 group-hover/tile:opacity-100",
              ),
        )}
      >
        <Check />
      </span>
    </div>
  );
}
