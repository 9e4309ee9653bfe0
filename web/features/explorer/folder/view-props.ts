import type { Doer } from "../commands/doer.ts";
import type { Dragging } from "./dragging.ts";
import type { FolderState } from "./folder-state.ts";

/** What each way of showing a folder gets. */
export interface ViewProps {
  readonly state: FolderState;
  readonly doer: Doer;
  readonly dragging: Dragging;
  readonly onMenu: (at: DOMRect) => void;
  /** The name of the folder, for those who cannot see the path. */
  readonly label: string;
}
