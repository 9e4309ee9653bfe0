import { useEffect, useEffectEvent, useState } from "react";
import { nameOf } from "#contract/paths";
import type { Rights } from "../../../api/session/rights.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { classes } from "../../../lib/classes.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { Card } from "../../../ui/card.tsx";
import { usePastedText } from "../../../ui/file-drop/use-pasted-text.ts";
import type { MenuRequest } from "../bar/command-menu.tsx";
import { Notes } from "../bar/notes.tsx";
import { Basket } from "../basket/basket-button.tsx";
import { DetailsPanel } from "../details/details-panel.tsx";
import { Dialogs } from "../dialogs/dialogs.tsx";
import { TreeMenu, type TreeMenuRequest } from "../folder-tree/tree-menu.tsx";
import { GalleryLightbox } from "../gallery/gallery-lightbox.tsx";
import { GalleryView } from "../gallery/gallery-view.tsx";
import { GridView } from "../grid/grid-view.tsx";
import { ListView } from "../list/list-view.tsx";
import { addressOf } from "../model/address.ts";
import type { Ask } from "../model/conflicts.ts";
import type { FoldersAround } from "../model/folder-feed.ts";
import type { Operations } from "../model/operations.ts";
import { PreviewPage } from "../preview/preview-page.tsx";
import type { Editor } from "../preview/use-editor.tsx";
import { Search } from "../search/search.tsx";
import { Trash } from "../trash/trash.tsx";
import { useTree } from "../tree.ts";
import { useTreeUpload } from "../upload/use-tree-upload.ts";
import type { Dragging } from "./dragging.ts";
import { FolderHead, FolderMenu } from "./folder-head.tsx";
import { type FolderState, useFolder } from "./folder-state.ts";
import { ReadmeJump, readmeOf } from "./readme-below.tsx";
import { ClosedFolder, EmptyFolder, FailedFolder, FolderSkeleton, Troubles } from "./states.tsx";
import { useCommandActions } from "./use-command-actions.ts";
import type { ViewProps } from "./view-props.ts";

const views = { list: ListView, grid: GridView, gallery: GalleryView } as const;

interface FolderViewProps {
  readonly folder: string;
  readonly preview: string | undefined;
  readonly rights: Rights;
  readonly operations: Operations;
  readonly ask: Ask;
  readonly dragging: Dragging;
  readonly editor: Editor;
  /** What is chosen at first: where somebody came from. */
  readonly first: string | undefined;
  /** What the tree of folders beside it shows, and what it asks for. */
  readonly around?: FoldersAround | undefined;
  readonly asked?: TreeMenuRequest | undefined;
  readonly onAnswered?: () => void;
}

/** One folder: the way to it, what can be done, and what is in it. */
export function FolderView(props: FolderViewProps) {
  const {
    folder,
    preview,
    rights,
    operations,
    ask,
    dragging,
    editor,
    first,
    asked,
    onAnswered = () => undefined,
  } = props;
  useLanguage();
  const { link } = useTree();
  const state = useFolder({ folder, rights, first, around: props.around });
  const { listing, context, preferences } = state;
  const upload = useTreeUpload(context, ask, dragging.hold);
  const actions = useCommandActions({ state, operations, pick: upload.pick });
  const [menu, setMenu] = useState<MenuRequest>();
  const label = folder === "/" ? t("explorer.path.root") : shownName(nameOf(folder));
  const onMenu = (at: DOMRect) => setMenu({ at });
  const onWrite = (path: string, name: string) => {
    editor.openOnView(path, name);
    actions.go(folder, name);
  };
  // In the gallery a picture opens over the others.
  const picture = preferences.view === "gallery" ? listing.entries.find(({ name }) => name === preview) : undefined;
  const hidden = preview !== undefined && !picture;
  useChoiceOf(state, preview);
  usePastedText((text) => {
    if (hidden) return;
    if (upload.open) state.open({ kind: "text", text });
    else upload.refusePaste();
  });

  return (
    <>
      <div data-away={hidden || undefined} className={classes("flex flex-col gap-2.5", hidden && "hidden")}>
        <FolderHead {...{ state, rights, actions, dragging }} onMenu={(about, at) => setMenu({ about, at })} />
        <Notes operations={operations} />
        <Troubles listing={listing} />
      </div>
      <div className={classes("flex min-h-0 flex-1 gap-3", hidden && "hidden")}>
        <Card
          // The bar of what is chosen lies over the end of the page, where the list is on view.
          data-chosen={(!hidden && (context.chosen.length > 0 || context.touch)) || undefined}
          className="relative flex min-h-0 min-w-0 flex-1 flex-col overflow-hidden"
        >
          <Content {...{ state, actions, dragging, onMenu, label, rights }} />
          {upload.over && <DropHint taker={upload.taker} label={label} />}
        </Card>
        {preferences.details && !hidden && rights.may("mount_view") ? (
          <DetailsPanel chosen={context.chosen} hasLinks={context.signedIn && !context.byLink} />
        ) : null}
      </div>
      {picture ? <GalleryLightbox {...{ state, actions }} entry={picture} /> : null}
      {hidden && preview !== undefined ? <PreviewPage {...{ state, actions, editor }} name={preview} /> : null}
      {menu && <FolderMenu request={menu} {...{ state, actions }} onClose={() => setMenu(undefined)} />}
      {asked && <TreeMenu request={asked} {...{ context, actions }} onClose={onAnswered} />}
      {link ? null : <OwnSheets {...{ folder, rights }} />}
      {state.dialog && <Dialogs request={state.dialog} {...{ state, operations, onWrite }} onFile={upload.send} />}
    </>
  );
}

/** What somebody has in their own tree besides folders. */
const OwnSheets = ({ folder, rights }: Pick<FolderViewProps, "folder" | "rights">) => (
  <>
    <Search folder={folder} />
    <Basket />
    <Trash rights={rights} />
  </>
);

/** What is chosen goes along from file to file while one after the other is on view; who came by a tap has chosen nothing. */
function useChoiceOf({ all, selection, select }: FolderState, preview: string | undefined): void {
  const path = preview === undefined ? undefined : all.find(({ name }) => name === preview)?.path;
  const follow = useEffectEvent((to: string) => {
    if (selection.chosen.size === 1 && !selection.chosen.has(to)) select({ do: "only", paths: [to] });
  });
  useEffect(() => {
    if (path !== undefined) follow(path);
  }, [path]);
}

interface DropHintProps {
  /** The folder over which files are held, where it is not the one on view. */
  readonly taker: string | undefined;
  readonly label: string;
}

/** Says into which folder files go that are held over the page. */
const DropHint = ({ taker, label }: DropHintProps) => (
  <div
    className={classes(
      "pointer-events-none absolute inset-1 z-20 flex items-end justify-center rounded-lg border-2 border-dashed p-3",
      taker === undefined ? "border-accent bg-accent-soft/40" : "border-transparent",
    )}
  >
    <p className="max-w-full truncate rounded-full bg-accent px-4 py-2 font-medium text-accent-text shadow-raised">
      {t("explorer.upload.dropHere", { name: taker === undefined ? label : shownName(nameOf(taker)) })}
    </p>
  </div>
);

interface ContentProps extends ViewProps {
  readonly rights: Rights;
}

function Content({ rights, ...view }: ContentProps) {
  const { state, actions } = view;
  const { listing, context, preferences } = state;
  if (!rights.may("mount_view"))
    return (
      <ClosedFolder
        signedIn={rights.signedIn}
        mayUpload={rights.may("mount_upload")}
        address={addressOf(context.folder)}
      />
    );
  if (listing.waiting) return <FolderSkeleton />;
  if (listing.error && (listing.gone || state.all.length === 0))
    return <FailedFolder {...{ context, actions, listing }} base={rights.basePath} />;
  if (state.all.length === 0 && !listing.arriving && listing.troubles.length === 0)
    return <EmptyFolder {...{ context, actions }} admin={rights.admin} />;
  const View = views[preferences.view];
  return (
    <>
      <View {...view} />
      <Count state={state} />
    </>
  );
}

/** How many there are, in one muted line, and the way down to the README past a long list. */
function Count({ state }: { readonly state: FolderState }) {
  useLanguage();
  const { listing, all } = state;
  const count = all.length;
  const readme = readmeOf(state);
  return (
    <div className="flex items-center gap-3 border-line border-t px-4 text-[13px] text-muted">
      <p role="status" className="py-1.5 tabular-nums">
        {listing.arriving ? t("explorer.list.countMore", { count }) : t("explorer.list.count", { count })}
      </p>
      {readme ? <ReadmeJump name={readme.name} /> : null}
    </div>
  );
}
