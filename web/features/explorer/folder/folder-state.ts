import { useEffect, useMemo, useReducer, useState } from "react";
import type { Rights } from "../../../api/session/rights.ts";
import { useStore } from "../../../lib/store.ts";
import type { DialogRequest } from "../commands/command-actions.ts";
import type { CommandContext } from "../commands/command-context.ts";
import { clipboard } from "../model/clipboard.ts";
import type { Entry } from "../model/entry.ts";
import type { FoldersAround } from "../model/folder-feed.ts";
import { type Listing, useListing } from "../model/listing.ts";
import { type Preferences, preferences, type ViewName } from "../model/preferences.ts";
import { nothing, type Selection, type SelectionAct, select } from "../model/selection.ts";
import { undoing } from "../model/undo.ts";
import { useTree } from "../tree.ts";
import { useFolderFeed } from "./use-folder-feed.ts";

/** Everything that one folder on view holds. */
export interface FolderState {
  /** What is shown of the folder. */
  readonly listing: Listing;
  /** All that is in it. */
  readonly all: readonly Entry[];
  readonly selection: Selection;
  readonly select: (act: SelectionAct) => void;
  readonly preferences: Preferences;
  readonly context: CommandContext;
  readonly dialog: DialogRequest | undefined;
  readonly open: (dialog: DialogRequest | undefined) => void;
}

interface FolderParts {
  readonly folder: string;
  readonly rights: Rights;
  /** What is chosen as soon as it is there: where somebody came from. */
  readonly first: string | undefined;
  /** What a tree shows around the folder. */
  readonly around?: FoldersAround | undefined;
}

/** The state of the folder on view. Mounted anew for each folder. */
export function useFolder({ folder, rights, first, around }: FolderParts): FolderState {
  const { link } = useTree();
  const chosenPreferences = useStore(preferences);
  const sees = rights.may("mount_view");
  const whole = useListing(folder, chosenPreferences.sort, sees);
  useFolderFeed(whole, around);
  const listing = useShown(whole, chosenPreferences.view);
  const { order, entries } = listing;
  const [dialog, open] = useState<DialogRequest>();
  const start = first === undefined ? nothing : { ...nothing, chosen: new Set([first]), focus: first, anchor: first };
  const [held, dispatch] = useReducer(
    (selection: Selection, { act, order }: { act: SelectionAct; order: readonly string[] }) =>
      select(selection, act, order),
    start,
  );
  // While the rest of a long listing is on its way, nothing counts as gone.
  const settled = !listing.waiting && !listing.arriving;
  useEffect(() => {
    if (settled) dispatch({ act: { do: "keep" }, order });
  }, [settled, order]);

  const chosen = useMemo(() => {
    if (held.chosen.size === 0) return [];
    return entries.filter(({ path }) => held.chosen.has(path));
  }, [entries, held.chosen]);
  const clip = useStore(clipboard);
  const last = useStore(undoing.stack).at(-1)?.[0];
  const undoable = last && (last.trash === undefined ? "mount_rename" : "mount_upload");
  const context: CommandContext = {
    folder,
    base: rights.basePath,
    virtual: sees ? listing.virtual : folder === "/",
    known: sees ? !listing.waiting && (listing.error === null || whole.entries.length > 0) : true,
    chosen,
    count: entries.length,
    touch: held.touch,
    view: chosenPreferences.view,
    may: rights.may,
    // What was cut, copied or done elsewhere was so in one's own tree.
    clip: link ? undefined : clip,
    undoable: link ? undefined : undoable,
    mayDownload: link?.mayDownload ?? true,
    byLink: link !== undefined,
    signedIn: rights.signedIn,
  };
  return {
    listing,
    all: whole.entries,
    selection: held,
    select: (act) => dispatch({ act, order }),
    preferences: chosenPreferences,
    context,
    dialog,
    open,
  };
}

/** Of the gallery only the pictures: what is not shown is neither walked through nor chosen. */
function useShown(whole: Listing, view: ViewName): Listing {
  const gallery = view === "gallery";
  const shown = useMemo(() => {
    if (!gallery) return { entries: whole.entries, order: whole.order };
    const entries = whole.entries.filter(({ typeName }) => typeName === "image");
    return { entries, order: entries.map(({ path }) => path) };
  }, [whole.entries, whole.order, gallery]);
  return { ...whole, ...shown };
}
