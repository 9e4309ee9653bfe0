import type { CommandActions } from "../commands/command-actions.ts";
import type { Dragging } from "./dragging.ts";
import type { FolderState } from "./folder-state.ts";

/** What each way of showing a folder gets. */
export interface ViewProps {
  readonly state: FolderState;
  readonly actions: CommandActions;
  readonly dragging: Dragging;
  readonly onMenu: (at: DOMRect) => void;
  /** The name of the folder, for those who cannot see the path. */
  readonly label: string;
}
