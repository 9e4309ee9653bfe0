import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState } from "react";
import { parentOf } from "#contract/paths";
import { asFolder, bare } from "../../../lib/folder-path.ts";
import { foldersTo } from "../bar/ancestors.ts";
import { AT_ONCE, refreshBranches, useBranches } from "./branches.ts";
import { folderEntry, type NoteRow, rowsOf, type TreeRow } from "./rows.ts";

interface TreeStateParts {
  /** The highest folder that may be seen. */
  readonly base: string;
  /** The folder on view. */
  readonly folder: string;
  readonly enabled: boolean;
}

/** Which folders of the tree are open, and its rows; the folders above the one on view are opened as somebody goes there. */
export function useTreeState({ base, folder, enabled }: TreeStateParts) {
  const queries = useQueryClient();
  const above = useMemo(() => foldersTo(base, folder).slice(0, -1), [base, folder]);
  const [opened, setOpened] = useState<ReadonlySet<string>>(() => new Set([base, ...above]));
  const [most, setMost] = useState<ReadonlyMap<string, number>>(new Map());
  const [revealed, setRevealed] = useState(above);
  if (revealed !== above) {
    setRevealed(above);
    setOpened(new Set([...opened, ...above]));
  }
  const shown = useMemo(() => [...opened].filter((path) => isShown(path, base, opened)), [opened, base]);
  const branchOf = useBranches({ open: shown, most, enabled });
  const rows = useMemo(
    () => rowsOf({ root: rootOf(base), open: opened, folder, branchOf }),
    [base, opened, folder, branchOf],
  );
  useEffect(() => {
    const gone = goneOf(opened, rows, branchOf);
    if (gone.size > 0) setOpened((now) => new Set([...now].filter((path) => !gone.has(path))));
  }, [opened, rows, branchOf]);

  const refresh = useCallback(() => refreshBranches(queries, shown), [queries, shown]);
  return {
    rows,
    /** The way to the folder on view is not known yet: its rows would move those that are there. */
    waiting: [base, ...above].some((path) => isWaiting(branchOf(path))),
    refresh,
    /** What all that is shown has at least; undefined until all of it is there. */
    version: (): string | undefined => oldest(shown.map((path) => branchOf(path)?.version)),
    change: (path: string, open: boolean) => {
      const others = (now: ReadonlySet<string>) => [...now].filter((one) => one !== path);
      setOpened((now) => new Set(open ? [...others(now), path] : others(now)));
    },
    press({ kind, path }: NoteRow): void {
      if (kind === "more") setMost(new Map([...most, [path, (most.get(path) ?? AT_ONCE) + AT_ONCE]]));
      else void refreshBranches(queries, [path]);
    },
  };
}

/** The lowest of the numbers that the server gives changes. */
function oldest(versions: readonly (string | undefined)[]): string | undefined {
  const known = versions.filter((version) => version !== undefined);
  const numberOf = (version: string) => Number(version.split(".")[1]);
  if (known.length < versions.length) return undefined;
  return known.toSorted((one, other) => numberOf(one) - numberOf(other))[0];
}

const rootOf = (base: string) => ({ ...folderEntry(base), isVirtual: base === "/" });

const isWaiting = (branch: ReturnType<ReturnType<typeof useBranches>>): boolean =>
  branch !== undefined && branch.folders === undefined && !branch.error;

/** Whether an open folder shows what is in it: those around it are open, too. */
const isShown = (path: string, base: string, opened: ReadonlySet<string>): boolean =>
  foldersTo(base, path)
    .slice(0, -1)
    .every((one) => opened.has(one));

/** Open folders that are no longer in the one around them. */
function goneOf(
  opened: ReadonlySet<string>,
  rows: readonly TreeRow[],
  branchOf: ReturnType<typeof useBranches>,
): ReadonlySet<string> {
  const there = new Set(rows.flatMap((row) => (row.kind === "folder" ? [row.path] : [])));
  const isGone = (path: string): boolean => {
    const around = parentOf(path);
    const branch = branchOf(around);
    const isListed = there.has(around) && branch?.folders !== undefined && !branch.hasMore && !branch.error;
    return path !== "/" && isListed && !there.has(path);
  };
  const gone = [...opened].filter(isGone);
  return new Set(
    [...opened].filter((path) => gone.some((one) => path === one || path.startsWith(asFolder(bare(one))))),
  );
}
