import { type ReactNode, useRef } from "react";
import type { Rights } from "../../../api/session/rights.ts";
import { useStore } from "../../../lib/store.ts";
import { pathToAncestor } from "../bar/ancestors.ts";
import { ConflictDialog } from "../dialogs/conflict-dialog.tsx";
import type { Ask } from "../model/conflicts.ts";
import { inFolder, type Operations } from "../model/operations.ts";
import { useTree } from "../tree.ts";
import { useArrivals } from "../upload/use-tree-upload.ts";
import { useOperations } from "../use-operations.ts";
import { type Dragging, useDragging } from "./dragging.ts";
import { useReturn } from "./scroll-positions.ts";

interface ExplorerState {
  readonly operations: Operations;
  readonly ask: Ask;
  readonly dragging: Dragging;
  /** What is to be chosen at first: where somebody came from. */
  readonly first: string | undefined;
  /** What is said of what was done, and asked about it; it stands beside the folder. */
  readonly told: ReactNode;
}

/** What outlives the folder on view, wherever in a tree somebody goes. */
export function useExplorerState(
  folder: string,
  preview: string | undefined,
  { may }: Pick<Rights, "may">,
): ExplorerState {
  const { operations, ask, question, said } = useOperations();
  useArrivals();
  const { link } = useTree();
  const dragging = useDragging({
    operations,
    mayMove: may("mount_rename"),
    mayCopy: may("mount_copy"),
    mayUpload: may("mount_upload"),
    mayDownload: may("mount_view") && link?.mayDownload !== false,
  });
  const asked = useStore(question);
  const { text, times } = useStore(said);
  const first = useCameFrom(folder, preview);
  const told = (
    <>
      <p role="status" className="sr-only">
        {/* Put in anew, because the same sentence is only read out again as another element. */}
        <span key={times}>{text}</span>
      </p>
      {asked && <ConflictDialog key={asked.conflict.name} conflict={asked.conflict} onAnswer={asked.answer} />}
    </>
  );
  return { operations, ask, dragging, first, told };
}

/** What is to be chosen in a folder that was just entered: the one below it that was left, or the file that was on view. */
function useCameFrom(folder: string, preview: string | undefined): string | undefined {
  const before = useRef<{ readonly folder: string; readonly first: string | undefined }>(undefined);
  const back = useReturn();
  const last = before.current;
  const first =
    preview !== undefined
      ? inFolder(folder, preview)
      : last?.folder === folder
        ? last.first
        : (pathToAncestor(folder, last?.folder) ?? back?.focus);
  before.current = { folder, first };
  return first;
}
