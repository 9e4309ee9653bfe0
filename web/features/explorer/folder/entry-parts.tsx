import EllipsisVertical from "lucide-react/icons/ellipsis-vertical";
import Folder from "lucide-react/icons/folder";
import HardDrive from "lucide-react/icons/hard-drive";
import type { ComponentProps } from "react";
import { formatBytes } from "#contract/format-bytes";
import { type Language, languages } from "#contract/languages";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { classes } from "../../../lib/classes.ts";
import { bare } from "../../../lib/folder-path.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { dateTime } from "../../../lib/time.ts";
import { IconButton } from "../../../ui/button.tsx";
import { FileIcon } from "../../../ui/file/file-icon.tsx";
import { FileName } from "../../../ui/file/file-name.tsx";
import { Link } from "../../../ui/link.tsx";
import type { Entry } from "../model/entry.ts";
import type { SelectionAct } from "../model/selection.ts";
import { useTree } from "../tree.ts";
import type { Dragging, ShownEntry } from "./dragging.ts";

/** What a row of the list and a card of the grid show. */
export interface EntryViewProps extends ShownEntry {
  readonly index: number;
  readonly focused: boolean;
  readonly cut: boolean;
  readonly select: (act: SelectionAct) => void;
  readonly dragging: Dragging;
  readonly onMenu: (at: DOMRect) => void;
}

interface EntryProps {
  readonly entry: Entry;
}

/** What an entry is, as a picture; decoration only. */
export function EntryIcon({ entry, className }: EntryProps & { readonly className?: string }) {
  if (!entry.isDirectory)
    return <FileIcon type={entry.typeName} filename={entry.name} className={classes("text-muted", className)} />;
  const Icon = entry.isVirtual ? HardDrive : Folder;
  return <Icon aria-hidden className={classes("fill-accent-soft text-accent", className)} />;
}

/**
 * The name of an entry; that of a folder is a link, which the middle button and Ctrl open in another tab. Another press is one of the
 * entry, and the keyboard stays on the list. Whoever came by a link would open it anew in another tab: an opening of its own.
 */
export function EntryName({ entry, lines }: EntryProps & Pick<ComponentProps<typeof FileName>, "lines">) {
  const { addressOf, link } = useTree();
  const name = <FileName name={entry.name} {...(lines && { lines })} />;
  if (!entry.isDirectory || link) return name;
  return (
    <Link
      to={addressOf(bare(entry.path))}
      tabIndex={-1}
      draggable={false}
      data-entry-link
      onFocus={(event) => event.currentTarget.closest<HTMLElement>("[data-entries]")?.focus({ preventScroll: true })}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey) event.stopPropagation();
        else event.preventDefault();
      }}
      className={classes("-my-[3px] block min-w-0 max-w-full cursor-default py-[3px]", lines !== 2 && "w-fit")}
    >
      {name}
    </Link>
  );
}

/** Stands for what nobody knows. */
export const UNKNOWN = "–";

/** The size of an entry in words; a dash where nobody knows it. */
export function useSizeText({ size, isVirtual }: Entry): string {
  const language = useLanguage();
  return size === undefined || isVirtual ? UNKNOWN : formatBytes(size, language);
}

/** When an entry was changed, in words; a dash where nobody knows it. */
export function useTimeText({ modified }: Entry): string {
  const language = useLanguage();
  return modified ? dateTime(modified, language) : UNKNOWN;
}

/** The same in few letters, for where there is little room: the time of day within this year, the year else. */
export function useShortTimeText({ modified }: Entry): string {
  const language = useLanguage();
  return modified ? shortTime(new Date(modified), language, new Date()) : UNKNOWN;
}

interface BoxProps extends EntryProps {
  readonly chosen: boolean;
  readonly touch: boolean;
  readonly select: (act: SelectionAct) => void;
  readonly className?: string;
}

/** The box that chooses an entry; the keyboard has its own way (Ctrl and Space). */
export function EntryBox({ entry, chosen, touch, select, className }: BoxProps) {
  useLanguage();
  return (
    <label className={classes("grid cursor-pointer place-items-center", className)}>
      <input
        type="checkbox"
        tabIndex={-1}
        checked={chosen}
        aria-label={t("explorer.entry.choose", { name: shownName(entry.name) })}
        onChange={() => select({ do: "toggle", path: entry.path, touch })}
        className="size-4 accent-accent pointer-coarse:size-5"
      />
    </label>
  );
}

interface MoreProps extends EntryProps {
  readonly chosen: boolean;
  readonly select: (act: SelectionAct) => void;
  readonly onMenu: (at: DOMRect) => void;
  readonly className?: string;
}

/** Opens the menu of an entry; the keyboard has its own way (the menu key). */
export function EntryMore({ entry, chosen, select, onMenu, className }: MoreProps) {
  useLanguage();
  return (
    <IconButton
      label={t("explorer.entry.more", { name: shownName(entry.name) })}
      title={t("explorer.entry.moreShort")}
      tabIndex={-1}
      aria-haspopup="menu"
      className={className}
      onClick={(event) => {
        if (!chosen) select({ do: "press", path: entry.path });
        onMenu(event.currentTarget.getBoundingClientRect());
      }}
    >
      <EllipsisVertical aria-hidden />
    </IconButton>
  );
}

/** How an entry looks that is chosen, stood on by the keyboard, held over by a drag, or cut. */
export const entryClasses = (on: { chosen: boolean; focused: boolean; over: boolean; cut: boolean }): string =>
  classes(
    on.chosen ? "bg-accent-soft" : "hover:bg-sunken",
    on.focused &&
      "group-focus-visible/entries:outline-2 group-focus-visible/entries:outline-accent group-focus-visible/entries:-outline-offset-2",
    on.over && "outline-2 outline-accent -outline-offset-2",
    on.cut && "opacity-50",
  );

/** An instant in the reader's zone for where there is little room: with the time of day in the year of `now`, else with its year. */
export function shortTime(instant: Date, language: Language, now: Date): string {
  const { locale } = languages[language];
  const isThisYear = instant.getFullYear() === now.getFullYear();
  const rest = isThisYear ? ({ hour: hourOf(locale), minute: "2-digit" } as const) : ({ year: "numeric" } as const);
  return new Intl.DateTimeFormat(locale, { month: "short", day: "numeric", ...rest }).format(instant);
}

/** Where a day has 24 hours each has two digits, as in times that are shown in full. */
const hourOf = (locale: string): "2-digit" | "numeric" =>
  new Intl.DateTimeFormat(locale, { hour: "numeric" }).resolvedOptions().hour12 ? "numeric" : "2-digit";
