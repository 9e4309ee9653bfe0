import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { t } from "../../../i18n/i18n.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { watchStates } from "../../../transfer/list/watch-states.ts";
import type { Dropped } from "../../../ui/file-drop/dropped.ts";
import { namedPaste } from "../../../ui/file-drop/pasted-name.ts";
import { useFileDrop } from "../../../ui/file-drop/use-file-drop.ts";
import { filesIn } from "../../../ui/file-drop/walk.ts";
import { toast } from "../../../ui/toast/toast.ts";
import { toastFailure } from "../../../ui/toast/toast-failure.ts";
import type { CommandActions } from "../commands/command-actions.ts";
import { type CommandContext, isOpen } from "../commands/command-context.ts";
import type { Dragging } from "../folder/dragging.ts";
import type { Ask } from "../model/conflicts.ts";
import { renew } from "../model/listing.ts";
import { preferences } from "../model/preferences.ts";
import { useTree } from "../tree.ts";
import { pickFiles } from "./pick-files.ts";
import { sendInto } from "./send.ts";

/** Files that are taken at once: with more a page becomes slow. */
const MOST = 10_000;

/** A folder that may take files. */
type Taking = Pick<CommandContext, "folder" | "may" | "known" | "virtual"> & {
  /** Endings and media types that are offered first where files are chosen. */
  readonly accept?: readonly string[];
  /** Who alone can open what is sent. */
  readonly recipient?: string | undefined;
  /** Says what has to be done before files are taken; undefined where nothing has. */
  readonly first?: (() => void) | undefined;
};

/** Every way that files come into the folder on view: picked, dropped anywhere, or pasted. */
export function useTreeUpload(context: Taking, ask: Ask, onHold: Dragging["hold"] = () => undefined) {
  const { call, uploads } = useTree();
  const { folder, may } = context;
  const open = isOpen(context) && may("mount_upload");
  const [taker, setTaker] = useState<string>();

  const send = async (files: readonly File[], target = folder, unreadable: readonly string[] = []) => {
    const troubles = unreadable.map((name) => t("explorer.upload.unreadable", { name: shownName(name) }));
    if (files.length > MOST) troubles.push(t("explorer.upload.tooMany", { most: MOST }));
    try {
      const { mode } = preferences.get();
      const sending = { call, uploads, ask, mode, mayLook: may("mount_view"), recipient: context.recipient };
      const not = await sendInto(sending, target, files.slice(0, MOST));
      if (not && not.misnamed.length > 0)
        troubles.push(t("explorer.upload.misnamed", { names: not.misnamed.slice(0, 3).map(shownName).join(", ") }));
      if (not && not.passedOver > 0) troubles.push(t("explorer.upload.passedOver", { count: not.passedOver }));
    } catch (error) {
      return toastFailure(error, () => void send(files, target, unreadable));
    }
    if (files.length === 0 && troubles.length === 0) troubles.push(t("explorer.upload.nothing"));
    for (const text of troubles) void toast({ tone: "error", text });
  };
  const refuse = (pasted: boolean) => {
    const why = context.virtual ? (pasted ? "openFirst" : "onFolder") : "notHere";
    toast({ tone: "error", text: t(`explorer.upload.${why}`) });
  };
  const take = async (dropped: Dropped, on: EventTarget | null | undefined) => {
    if (context.first) return context.first();
    const target = takerOf(on) ?? (open ? folder : undefined);
    if (target === undefined) return refuse(dropped.pasted);
    const { files, unreadable } = await filesIn(dropped, MOST + 1);
    const now = new Date();
    await send(dropped.pasted ? files.map((file) => namedPaste(file, now)) : files, target, unreadable);
  };
  const over = useFileDrop(
    (dropped, on) => void take(dropped, on),
    (on) => {
      setTaker(takerOf(on));
      onHold(takerOf(on));
    },
  );
  const pick: CommandActions["pick"] = (what) => {
    const picking = {
      many: true,
      folder: what === "folder",
      accept: context.accept,
      label: t("explorer.command.upload"),
    };
    pickFiles(picking, (files) => void send(files));
  };
  const capture = (accept: readonly string[]) =>
    pickFiles({ many: false, camera: true, accept, label: t("link.page.capture") }, (files) => void send(files));
  return {
    ...{ capture, open, over: over && (open || taker !== undefined), taker: over ? taker : undefined, pick },
    send: (file: File) => send([file]),
    refusePaste: () => refuse(true),
  };
}

/** The folder whose row, card or place in the path this is; files that are dropped there go into it. */
function takerOf(on: EventTarget | null | undefined): string | undefined {
  const place = on instanceof Element ? on.closest("[data-takes]") : null;
  return place?.getAttribute("data-takes") || undefined;
}

/** Shows what has arrived in its folder: several that arrive together are one question. */
export function useArrivals(): void {
  const queries = useQueryClient();
  const { uploads } = useTree();
  useEffect(() => {
    const waiting = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    return watchStates(uploads, (changed) => {
      for (const { state, folder } of changed) if (state === "completed") waiting.add(folder);
      if (waiting.size === 0 || timer) return;
      timer = setTimeout(() => {
        timer = undefined;
        const folders = [...waiting];
        waiting.clear();
        // A folder that came with its files is new in the one above it.
        void renew(queries, ...folders, ...folders.map((one) => one.slice(0, one.lastIndexOf("/")) || "/"));
      }, SETTLED);
    });
  }, [queries, uploads]);
}

/** Milliseconds. */
const SETTLED = 300;
