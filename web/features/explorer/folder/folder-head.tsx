import type { Rights } from "../../../api/session/rights.ts";
import { useMedia } from "../../../lib/media.ts";
import { Skeleton } from "../../../ui/card.tsx";
import { Breadcrumb } from "../bar/breadcrumb.tsx";
import { CommandMenu, type MenuRequest } from "../bar/command-menu.tsx";
import { PhoneBar } from "../bar/phone-bar.tsx";
import { NO_KEYS, usePhoneItems } from "../bar/phone-items.tsx";
import { Toolbar, ToolbarOfSelection } from "../bar/toolbar.tsx";
import { ViewSwitch } from "../bar/view-switch.tsx";
import { BasketButton } from "../basket/basket-button.tsx";
import type { Command } from "../commands/command.ts";
import type { CommandActions } from "../commands/command-actions.ts";
import { DetailsButton } from "../details/details-panel.tsx";
import { TreeButton } from "../folder-tree/tree-button.tsx";
import { SearchButton } from "../search/search.tsx";
import { useTree } from "../tree.ts";
import type { Dragging } from "./dragging.ts";
import type { FolderState } from "./folder-state.ts";

interface FolderHeadProps {
  readonly state: FolderState;
  readonly rights: Rights;
  readonly actions: CommandActions;
  readonly dragging: Dragging;
  readonly onMenu: (about: Command["about"], at: DOMRect) => void;
}

/** The way to a folder and what can be done in it: on a phone in one bar. */
export function FolderHead(props: FolderHeadProps) {
  const { state, actions, dragging, onMenu } = props;
  const { listing, context } = state;
  if (!useMedia(PHONE)) return <WideHead {...props} />;
  return (
    <>
      <PhoneBar {...{ context, actions, dragging, onMenu }} waiting={listing.waiting} />
      <ToolbarOfSelection {...{ context, actions, onMenu }} />
    </>
  );
}

/** Where styles.css has its smallest breakpoint. */
const PHONE = "(width < 40rem)";

function WideHead({ state, rights, actions, dragging, onMenu }: FolderHeadProps) {
  const { link } = useTree();
  const { listing, context, preferences } = state;
  const looks = rights.may("mount_view");
  return (
    <>
      <div className="flex items-center gap-2">
        {link || !looks ? null : <TreeButton shown={preferences.tree} />}
        <Breadcrumb folder={context.folder} base={rights.basePath} dragging={dragging} />
        {looks && (
          <>
            {link ? null : <SearchButton />}
            {link ? null : <BasketButton />}
            <ViewSwitch view={preferences.view} />
            <DetailsButton shown={preferences.details} />
          </>
        )}
      </div>
      {/* What can be done shows with what is there, so that no button moves. */}
      {listing.waiting && looks ? (
        <Skeleton className="h-9 w-52 pointer-coarse:h-11" />
      ) : (
        <Toolbar {...{ context, actions, onMenu }} />
      )}
    </>
  );
}

interface FolderMenuProps extends Pick<FolderHeadProps, "state" | "actions"> {
  readonly request: MenuRequest;
  readonly onClose: () => void;
}

/** The menu of what is chosen or of the folder; on a phone that has what its bar has no place for. */
export function FolderMenu({ request, state: { context }, actions, onClose }: FolderMenuProps) {
  const items = usePhoneItems(context.may("mount_view"));
  const isPhone = useMedia(PHONE);
  return (
    <CommandMenu {...{ request, context, actions, onClose }} {...(isPhone && { more: items, without: NO_KEYS })} />
  );
}
