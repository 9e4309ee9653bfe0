import { keepPreviousData, useQuery } from "@tanstack/react-query";
import ChevronRight from "lucide-react/icons/chevron-right";
import File from "lucide-react/icons/file";
import Folder from "lucide-react/icons/folder";
import HardDrive from "lucide-react/icons/hard-drive";
import { type KeyboardEvent, useState } from "react";
import type { FsItem } from "#contract/fs/fs";
import { type Language, languages } from "#contract/languages";
import { nameOf } from "#contract/paths";
import { call } from "../api/call.ts";
import { entriesIn } from "../api/entries-in.ts";
import { failureText } from "../api/failure.ts";
import { treeKeys } from "../api/tree-query-keys.ts";
import { t, useLanguage } from "../i18n/i18n.ts";
import { classes } from "../lib/classes.ts";
import { asFolder, bare } from "../lib/folder-path.ts";
import { shownName } from "../lib/shown-name.ts";
import { Skeleton } from "./card.tsx";

interface FolderPickerProps {
  /** What the tree is read as by those who cannot see it, and what the folder above all mounts is called. */
  readonly label: string;
  readonly rootName: string;
  readonly base: string;
  /** The folders on the way to this one are open at first. */
  readonly towards: string;
  readonly chosen: string | undefined;
  /** Whether files are chosen as well. */
  readonly files?: boolean;
  readonly onChoose: (path: string, virtual: boolean, entry: FsItem) => void;
}

/** Folders to choose from; what is in one is asked for when it is opened. */
export function FolderPicker({ label, rootName, base, towards, chosen, files = false, onChoose }: FolderPickerProps) {
  useLanguage();
  const root: FsItem = {
    name: base === "/" ? rootName : nameOf(base),
    path: asFolder(base),
    isDirectory: true,
    isVirtual: base === "/",
    type: 1,
    typeName: "folder",
  };
  return (
    <div role="tree" aria-label={label} className="-mx-1 min-h-48 select-none" onKeyDown={walk}>
      <Branch entry={root} depth={0} {...{ towards, chosen, files, onChoose }} opened />
    </div>
  );
}

type ChoosingProps = Pick<FolderPickerProps, "towards" | "chosen" | "files" | "onChoose">;

interface BranchProps extends ChoosingProps {
  readonly entry: FsItem;
  readonly depth: number;
  readonly opened?: boolean;
}

function Branch({ entry, depth, towards, chosen, files, onChoose, opened = false }: BranchProps) {
  useLanguage();
  const { isDirectory } = entry;
  const path = bare(entry.path);
  const [open, setOpen] = useState(opened || (isDirectory && asFolder(towards).startsWith(entry.path)));
  const on = chosen === path;
  const Icon = entry.isVirtual ? HardDrive : isDirectory ? Folder : File;
  return (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the tree around it takes the keys of all branches */}
      <div
        role="treeitem"
        aria-level={depth + 1}
        aria-expanded={isDirectory ? open : undefined}
        aria-selected={on}
        tabIndex={on || (chosen === undefined && depth === 0) ? 0 : -1}
        data-autofocus={on || undefined}
        onClick={() => onChoose(path, leadsOn(entry), entry)}
        onDoubleClick={() => setOpen(isDirectory && !open)}
        style={{ paddingLeft: depth * 18 }}
        className={classes(
          "flex h-9 cursor-pointer items-center gap-1.5 rounded-lg pr-2 focus-visible:-outline-offset-2 pointer-coarse:h-11",
          on ? "bg-accent-soft" : "hover:bg-sunken",
        )}
      >
        <span
          aria-hidden
          data-toggle={isDirectory || undefined}
          onClick={(event) => {
            event.stopPropagation();
            setOpen(isDirectory && !open);
          }}
          className="grid size-8 shrink-0 place-items-center text-muted pointer-coarse:size-11"
        >
          {isDirectory && <ChevronRight className={classes("size-4 transition-transform", open && "rotate-90")} />}
        </span>
        <Icon
          aria-hidden
          className={classes("size-[18px] shrink-0", isDirectory ? "fill-accent-soft text-accent" : "text-muted")}
        />
        <bdi className="truncate">{shownName(entry.name)}</bdi>
      </div>
      {open && <Branches folder={path} {...{ depth, towards, chosen, files, onChoose }} />}
    </>
  );
}

interface BranchesProps extends ChoosingProps {
  readonly folder: string;
  readonly depth: number;
}

function Branches({ folder, depth, ...rest }: BranchesProps) {
  const language = useLanguage();
  const { files = false } = rest;
  const [most, setMost] = useState(FILES_AT_ONCE);
  const { data, error, refetch } = useQuery({
    queryKey: files ? treeKeys.entries(folder, most) : treeKeys.folders(folder),
    queryFn: ({ signal }) => entriesIn({ call, folder, files, most: files ? most : Number.POSITIVE_INFINITY, signal }),
    placeholderData: keepPreviousData,
  });
  const indent = { paddingLeft: (depth + 1) * 18 + 38 };
  if (error) {
    return (
      <p style={indent} className="py-1.5 text-[13px] text-danger">
        {failureText(error)}{" "}
        <button type="button" className="underline" onClick={() => void refetch()}>
          {t("shell.actions.retry")}
        </button>
      </p>
    );
  }
  if (!data) {
    return (
      <div style={indent} className="py-2.5">
        <Skeleton className="h-4 w-32" />
      </div>
    );
  }
  if (data.found.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: no element of HTML holds the branches of a tree
    <div role="group">
      {data.found.toSorted(byName(language)).map((entry) => (
        <Branch key={entry.path} entry={entry} depth={depth + 1} {...rest} />
      ))}
      {data.hasMore && (
        <p style={indent} className="py-1.5 text-[13px]">
          <button type="button" className="underline" onClick={() => setMost(most + FILES_AT_ONCE)}>
            {t("shell.actions.showMore")}
          </button>
        </p>
      )}
    </div>
  );
}

/** Whether a folder only leads to mounts and holds no files; one at which a mount stands holds its files. */
const leadsOn = ({ isVirtual, mount_id }: FsItem): boolean => isVirtual === true && mount_id === undefined;

/** Files and folders that are shown of a folder before somebody asks for more. */
const FILES_AT_ONCE = 500;

/** Folders first; letters as the language has them, "photo 9" before "photo 10". */
function byName(language: Language): (one: FsItem, other: FsItem) => number {
  const { compare } = new Intl.Collator(languages[language].locale, { numeric: true });
  return (one, other) => Number(other.isDirectory) - Number(one.isDirectory) || compare(one.name, other.name);
}

/** Arrows walk through the branches that are open, and open and close them. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const branches = Array.from(event.currentTarget.querySelectorAll<HTMLElement>("[role=treeitem]"));
  const at = branches.findIndex((one) => one.matches(":focus"));
  const branch = branches[at];
  if (!branch) return;
  const isOpen = branch.getAttribute("aria-expanded") === "true";
  const toggle = () => branch.querySelector<HTMLElement>("[data-toggle]")?.click();
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: branches.length - 1 }[event.key];
  if (to !== undefined) go(branches[to]);
  else if (event.key === "ArrowRight") isOpen ? go(branches[at + 1]) : toggle();
  else if (event.key === "ArrowLeft") isOpen ? toggle() : go(above(branch, branches.slice(0, at)));
  else if (event.key === " ") branch.click();
  else return;
  event.preventDefault();
}

/** The folder around one: the last before it that is less deep. */
const above = (branch: HTMLElement, before: readonly HTMLElement[]): HTMLElement | undefined =>
  before.findLast(({ ariaLevel }) => Number(ariaLevel) < Number(branch.ariaLevel));

function go(branch: HTMLElement | undefined): void {
  branch?.focus();
  branch?.click();
}
