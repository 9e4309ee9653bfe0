import { useState } from "react";
import { Navigate, useLocation } from "react-router-dom";
import { nameOf, within } from "#contract/paths";
import { useRights } from "../../api/session/rights.ts";
import { useSession } from "../../api/session/session.ts";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { shownName } from "../../lib/shown-name.ts";
import { useOwnTitle } from "../../page/page-title.ts";
import { useExplorerState } from "./folder/explorer-state.tsx";
import { FolderView } from "./folder/folder-view.tsx";
import { FolderSkeleton } from "./folder/states.tsx";
import type { TreeMenuRequest } from "./folder-tree/tree-menu.tsx";
import { TreePanel } from "./folder-tree/tree-panel.tsx";
import { addressOf, folderAt, PREVIEW } from "./model/address.ts";
import type { FoldersAround } from "./model/folder-feed.ts";
import { inFolder } from "./model/operations.ts";
import { type Editor, useEditor } from "./preview/use-editor.tsx";
import { TaskStrip } from "./tasks/task-strip.tsx";

/** The explorer at its address: a folder of the tree of mounts, and a file of it when one is named. */
export function Explorer() {
  useLanguage();
  const { pathname, search } = useLocation();
  const folder = folderAt(pathname);
  const preview = new URLSearchParams(search).get(PREVIEW) ?? undefined;
  const name = preview ?? (folder ? nameOf(folder) : "");
  useOwnTitle(name === "" ? t("explorer.path.root") : shownName(name));
  const { editor, shown } = useEditor(preview === undefined ? undefined : inFolder(folder ?? "/", preview));
  return (
    <>
      <Place {...{ folder, preview, editor }} />
      {shown}
    </>
  );
}

interface PlaceProps {
  /** Undefined when the address names none. */
  readonly folder: string | undefined;
  readonly preview: string | undefined;
  readonly editor: Editor;
}

function Place({ folder, preview, editor }: PlaceProps) {
  useLanguage();
  const rights = useRights();
  const { authType } = useSession();
  const { told, ...place } = useExplorerState(folder ?? "/", preview, rights);
  const [asked, setAsked] = useState<TreeMenuRequest>();
  const [around, setAround] = useState<FoldersAround>();

  if (!rights.signedIn && rights.visitors === "unknown") return <FolderSkeleton />;
  // Visitors may have a base path, too; that of a key is kept at the door. What is being edited stays when its session ends.
  if (folder === undefined || !(within(rights.basePath, folder) || editor.isOpen))
    return <Navigate to={addressOf(rights.basePath)} replace />;
  return (
    <div
      data-explorer
      // The tree goes with the folder. Not by a group: one that asks with `has` makes browsers style whole pages anew with each element that comes.
      className="keeps-screen has-data-away:[&>nav]:hidden mx-auto flex min-h-0 w-full max-w-fluid flex-1 gap-4 px-4 pt-3 max-sm:pb-2 max-sm:has-data-chosen:pb-16 sm:pt-4"
    >
      <h1 className="sr-only">{t("explorer.heading")}</h1>
      {rights.may("mount_view") ? (
        <TreePanel
          key={`${authType} ${rights.basePath}`}
          base={rights.basePath}
          enabled={preview === undefined}
          dragging={place.dragging}
          onMenu={(entry, at) => setAsked({ entry, at })}
          onAround={setAround}
          {...{ folder }}
        />
      ) : null}
      <div className="flex min-h-0 min-w-0 flex-1 flex-col gap-2.5">
        <FolderView
          key={`${authType} ${folder}`}
          {...{ folder, preview, rights, editor, asked, around }}
          {...place}
          onAnswered={() => setAsked(undefined)}
        />
        <TaskStrip />
        {told}
      </div>
    </div>
  );
}
