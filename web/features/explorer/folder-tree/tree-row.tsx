import ChevronRight from "lucide-react/icons/chevron-right";
import CircleAlert from "lucide-react/icons/circle-alert";
import House from "lucide-react/icons/house";
import type { MouseEvent } from "react";
import { failureText } from "../../../api/failure.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { classes } from "../../../lib/classes.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { Skeleton } from "../../../ui/card.tsx";
import { Link } from "../../../ui/link.tsx";
import type { Dragging } from "../folder/dragging.ts";
import { EntryIcon } from "../folder/entry-parts.tsx";
import { useTree } from "../tree.ts";
import type { FolderRow, NoteRow } from "./rows.ts";

/** Pixels by which a folder lies further in than the one it is in. */
const STEP = 14;

interface PlaceProps {
  readonly index: number;
  readonly height: number;
  /** The Tab key stops here. */
  readonly stops: boolean;
}

const placeOf = ({ index, height }: PlaceProps, depth: number) => ({
  height,
  transform: `translateY(${index * height}px)`,
  paddingLeft: depth * STEP,
});

const look =
  "absolute inset-x-0 top-0 flex cursor-pointer items-center rounded-lg pr-2 select-none focus-visible:-outline-offset-2";

interface FolderRowProps extends PlaceProps {
  readonly row: FolderRow;
  /** It is the folder on view. */
  readonly current: boolean;
  readonly name: string;
  readonly dragging: Dragging;
  readonly onToggle: () => void;
}

/** A folder in the tree: a link to it, which the middle button and Ctrl open in another tab. */
export function TreeFolder({ row, current, name, dragging, onToggle, ...place }: FolderRowProps) {
  const { addressOf } = useTree();
  const { entry, path, depth, expanded, position, count } = row;
  const isOver = dragging.over === path;
  // One that only leads to mounts takes nothing.
  const takes = entry.isVirtual && entry.mount_id === undefined ? undefined : path;
  const toggle = (event: MouseEvent) => {
    event.preventDefault();
    event.stopPropagation();
    onToggle();
  };
  return (
    <Link
      to={addressOf(path)}
      role="treeitem"
      aria-level={depth + 1}
      aria-expanded={expanded}
      aria-posinset={position}
      aria-setsize={count}
      aria-current={current ? "page" : undefined}
      tabIndex={place.stops ? 0 : -1}
      title={name}
      draggable={false}
      data-row={row.key}
      onClick={(event) => {
        const isPlain = !event.defaultPrevented && !event.ctrlKey && !event.metaKey && !event.shiftKey;
        if (current && expanded !== undefined && isPlain) toggle(event);
      }}
      {...dragging.target(takes)}
      style={placeOf(place, depth)}
      className={classes(
        look,
        isOver
          ? "bg-accent-soft outline-2 outline-accent -outline-offset-2"
          : current
            ? "bg-accent-soft"
            : "hover:bg-sunken",
        current && "font-medium",
      )}
    >
      <span
        aria-hidden
        onClick={expanded === undefined ? undefined : toggle}
        className="grid h-full w-6 shrink-0 place-items-center text-muted pointer-coarse:w-9"
      >
        {expanded === undefined ? null : (
          <ChevronRight className={classes("size-4 transition-transform", expanded && "rotate-90")} />
        )}
      </span>
      {depth === 0 ? (
        <House aria-hidden className="mr-2 size-[18px] shrink-0 text-muted" />
      ) : (
        <EntryIcon entry={entry} className="mr-2 size-[18px] shrink-0" />
      )}
      <bdi className="truncate">{name}</bdi>
    </Link>
  );
}

interface NoteRowProps extends PlaceProps {
  readonly row: NoteRow;
  readonly onPress: () => void;
}

/** What is said below an open folder; a press loads more, or tries again. */
export function TreeNote({ row, onPress, ...place }: NoteRowProps) {
  useLanguage();
  const { kind, depth, error } = row;
  const style = { ...placeOf(place, depth), paddingLeft: depth * STEP + 24 };
  if (kind === "loading")
    return (
      <div role="none" style={style} className="absolute inset-x-0 top-0 flex items-center">
        <Skeleton className="h-4 w-28" />
      </div>
    );
  const text = kind === "more" ? t("shell.actions.showMore") : failureText(error);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree around it takes the keys of all rows
    <div
      role="treeitem"
      aria-level={depth + 1}
      aria-label={kind === "failed" ? `${text} ${t("shell.actions.retry")}` : undefined}
      tabIndex={place.stops ? 0 : -1}
      title={kind === "failed" ? text : undefined}
      data-row={row.key}
      onClick={onPress}
      style={style}
      className={classes(look, "gap-2 text-[13px] hover:bg-sunken", kind === "failed" ? "text-danger" : "text-muted")}
    >
      {kind === "failed" ? <CircleAlert aria-hidden className="size-4 shrink-0" /> : null}
      <span className="truncate">{kind === "failed" ? t("shell.actions.retry") : text}</span>
    </div>
  );
}

/** What a folder of the tree is called; the root has a name of its own above all mounts. */
export const rowName = ({ path, entry }: FolderRow): string =>
  path === "/" ? t("explorer.path.root") : shownName(entry.name);
