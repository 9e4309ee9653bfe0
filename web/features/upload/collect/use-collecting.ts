import { useEffect, useEffectEvent } from "react";
import { useUploadLimit } from "../../../api/upload-storages.ts";
import { useStore } from "../../../lib/store.ts";
import { type Dropped, handedOver } from "../../../ui/file-drop/dropped.ts";
import { namedPaste, pastedText } from "../../../ui/file-drop/pasted-name.ts";
import { useFileDrop } from "../../../ui/file-drop/use-file-drop.ts";
import { usePastedText } from "../../../ui/file-drop/use-pasted-text.ts";
import { filesIn } from "../../../ui/file-drop/walk.ts";
import { MAX_ROWS } from "../state/collecting.ts";
import type { UploadPageState } from "../state/upload-state.ts";

/**
 * Every way that files come into the list: picked, dropped anywhere, pasted, or brought along from another page. Who may not
 * upload collects nothing, but the browser does not leave for what is dropped either. `onTake` is told before files come into the list.
 * Pasted text is a file of it, where no address is asked for (`takesText`).
 */
export function useCollecting(
  { collecting }: UploadPageState,
  { may, takesText, onTake }: { readonly may: boolean; readonly takesText: boolean; readonly onTake: () => void },
) {
  const { bytes, known } = useUploadLimit();
  const limit = known ? bytes : undefined;

  const take = async (dropped: Dropped) => {
    if (!may) return;
    onTake();
    // One more than there is room for, so that somebody is told.
    const { files, unreadable } = await filesIn(dropped, MAX_ROWS + 1);
    const now = new Date();
    const named = dropped.pasted ? files.map((file) => namedPaste(file, now)) : files;
    collecting.take({ files: named, unreadable, limit });
  };
  const over = useFileDrop(take);
  const pick = (files: readonly File[]) => take({ files, folders: [], pasted: false, onto: null });
  usePastedText((text) => {
    if (takesText) void pick([pastedText(text, new Date())]);
  });

  const brought = useStore(handedOver);
  const takeOver = useEffectEvent((dropped: Dropped) => {
    handedOver.set(undefined);
    void take(dropped);
  });
  useEffect(() => {
    // What a share sheet has sent waits until its owner has signed in.
    if (brought && may) takeOver(brought);
  }, [brought, may]);
  useEffect(() => {
    if (limit !== undefined) collecting.sift(limit);
  }, [collecting, limit]);

  return {
    over: over && may,
    bytes,
    pick,
  };
}
