import { parentOf } from "#contract/paths";
import { asFolder, bare, isAtOrBelow } from "../../../lib/folder-path.ts";
import { CommandMenu } from "../bar/command-menu.tsx";
import type { CommandActions } from "../commands/command-actions.ts";
import type { CommandContext } from "../commands/command-context.ts";
import type { Entry } from "../model/entry.ts";

/** The menu of a folder in the tree. */
export interface TreeMenuRequest {
  readonly entry: Entry;
  readonly at: DOMRect;
}

interface TreeMenuProps {
  readonly request: TreeMenuRequest;
  /** Of the folder on view. */
  readonly context: CommandContext;
  readonly actions: CommandActions;
  readonly onClose: () => void;
}

/** What is known of the folder on view says nothing about others: whether they have a trash, or what is chosen. */
const ofView: readonly string[] = ["details", "remove"];
/** The folder on view would be gone with the one around it. */
const ofOthers: readonly string[] = [...ofView, "rename", "moveTo", "cut"];

/** What can be done with a folder of the tree: as with its row in the list. */
export function TreeMenu({ request: { entry, at }, context, actions, onClose }: TreeMenuProps) {
  const isAround = isAtOrBelow(asFolder(context.folder), entry.path);
  return (
    <CommandMenu
      request={{ at, about: "selection" }}
      context={{ ...context, folder: parentOf(bare(entry.path)), chosen: [entry] }}
      without={isAround ? ofOthers : ofView}
      {...{ actions, onClose }}
    />
  );
}
