import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router-dom";
import { fs } from "#contract/fs/fs";
import { MAX_ZIP_PATHS } from "#contract/limits";
import { nameOf } from "#contract/paths";
import type { Call } from "../../../api/call.ts";
import { fetchableAddress } from "../../../api/share-addresses.ts";
import { t } from "../../../i18n/i18n.ts";
import { pathTo } from "../../../lib/base-path.ts";
import { asFolder } from "../../../lib/folder-path.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { copyAndTell } from "../../../ui/toast/copy-and-tell.ts";
import { toast } from "../../../ui/toast/toast.ts";
import { toastFailure } from "../../../ui/toast/toast-failure.ts";
import { basket } from "../basket/basket.ts";
import type { CommandActions } from "../commands/command-actions.ts";
import { haveRoom } from "../details/details-panel.tsx";
import { type Clip, clipboard } from "../model/clipboard.ts";
import { downloadAddress, fetchToDisk } from "../model/download.ts";
import type { Entry } from "../model/entry.ts";
import { orRenew } from "../model/listing.ts";
import type { Operations } from "../model/operations.ts";
import { preferences } from "../model/preferences.ts";
import { basketOpen, searchOpen, trashOpen } from "../open-sheets.ts";
import { useTree } from "../tree.ts";
import type { FolderState } from "./folder-state.ts";

interface CommandActionsParts {
  readonly state: FolderState;
  readonly operations: Operations;
  readonly pick: CommandActions["pick"];
}

/** What the commands of the folder on view act with. */
export function useCommandActions({ state, operations, pick }: CommandActionsParts): CommandActions {
  const navigate = useNavigate();
  const { call, addressOf } = useTree();
  const { listing, all, select, open } = state;
  const { folder } = listing;
  const queries = useQueryClient();
  const orGone: OrGone = (entry, answer) => orRenew(queries, entry.path, answer);
  return {
    operations,
    select,
    open: (dialog) => {
      if (dialog?.kind === "details" && haveRoom()) preferences.change({ details: true });
      else open(dialog);
    },
    pick,
    go: (target, preview) => navigate(addressOf(target, preview)),
    openInTab: (target) => void window.open(pathTo(addressOf(target)), "_blank", "noopener"),
    refresh: () => void listing.refresh(),
    download: (entries) => void download({ call, folder, orGone }, entries),
    downloadAll: () => void download({ call, folder, orGone }, folder === "/" ? all : [entryOf(folder)]),
    copyLink: (entry) => void copyLink({ call, orGone }, entry),
    hold: (clip) => void hold(clip),
    collect: (entries) => void collect(entries),
    search: () => searchOpen.set(true),
    trash: () => trashOpen.set(true),
  };
}

/** Keeps entries until they are pasted, and says what to do next: that is done in another folder. */
async function hold(clip: Clip): Promise<void> {
  clipboard.set(clip);
  await toast({ tone: "plain", text: t(`explorer.held.${clip.verb}`, { count: clip.entries.length }) });
}

/** Puts entries into the basket, whose badge counts them; says what that does not tell. */
async function collect(entries: readonly Entry[]): Promise<void> {
  const { added, leftOut } = basket.add(entries);
  const open = { label: t("basket.title"), run: () => basketOpen.set(true) };
  if (leftOut > 0)
    return toast({ tone: "error", text: t("basket.full", { most: MAX_ZIP_PATHS, count: leftOut }), action: open });
  if (added === 0) await toast({ tone: "plain", text: t("basket.there"), action: open });
}

/** Waits for an answer about an entry, and has its folder reloaded if the entry is gone. */
type OrGone = <Answer>(entry: Entry, answer: Promise<Answer>) => Promise<Answer>;

interface Downloading {
  readonly call: Call;
  readonly folder: string;
  readonly orGone: OrGone;
}

/** A folder as the one above it lists it. */
const entryOf = (folder: string): Entry => ({
  name: nameOf(folder),
  path: asFolder(folder),
  isDirectory: true,
  type: 1,
  typeName: "folder",
});

async function download(from: Downloading, entries: readonly Entry[]): Promise<void> {
  const { call, folder, orGone } = from;
  const [first] = entries;
  if (!first) return;
  try {
    fetchToDisk(await orGone(first, downloadAddress(call, entries, folder)));
  } catch (error) {
    await toastFailure(error, () => void download(from, entries));
  }
}

/** Copies the address at which the file itself is for a while. */
async function copyLink(from: Omit<Downloading, "folder">, entry: Entry): Promise<void> {
  const { call, orGone } = from;
  const name = shownName(entry.name);
  try {
    const { preview_url } = (await orGone(entry, call(fs.get, { query: { path: entry.path } }))).data;
    await copyAndTell(fetchableAddress(preview_url ?? ""), t("explorer.link.copied", { name }));
  } catch (error) {
    await toastFailure(error, () => void copyLink(from, entry));
  }
}
