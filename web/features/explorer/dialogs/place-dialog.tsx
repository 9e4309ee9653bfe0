import { useState } from "react";
import { formatBytes } from "#contract/format-bytes";
import { parentOf } from "#contract/paths";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { bare } from "../../../lib/folder-path.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { Button } from "../../../ui/button.tsx";
import { FolderPicker } from "../../../ui/folder-picker.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Dialog } from "../../../ui/overlay/dialog.tsx";
import { intoItself } from "../model/conflicts.ts";
import { bytesOf, type Entry } from "../model/entry.ts";

interface PlaceDialogProps {
  readonly verb: "copy" | "move";
  readonly entries: readonly Entry[];
  readonly folder: string;
  readonly base: string;
  readonly onPlace: (target: string) => void;
  readonly onClose: () => void;
}

/** Asks where to copy or to move to. */
export function PlaceDialog({ verb, entries, folder, base, onPlace, onClose }: PlaceDialogProps) {
  const language = useLanguage();
  const [target, setTarget] = useState({ folder, virtual: folder === "/" });
  const [first] = entries;
  const what =
    entries.length === 1 && first
      ? shownName(first.name)
      : t("explorer.place.summary", { count: entries.length, size: formatBytes(bytesOf(entries), language) });
  const stays = verb === "move" && entries.every(({ path }) => parentOf(bare(path)) === target.folder);
  const why = target.virtual
    ? t("explorer.place.virtual")
    : intoItself(entries, target.folder)
      ? t("explorer.place.itself")
      : undefined;
  const footer = (
    <>
      <Button onClick={onClose}>{t("shell.actions.cancel")}</Button>
      <Button
        variant="primary"
        disabled={why !== undefined || stays}
        onClick={() => {
          onClose();
          onPlace(target.folder);
        }}
      >
        {t(`explorer.place.${verb}`)}
      </Button>
    </>
  );
  return (
    <Dialog title={t(`explorer.place.${verb}Title`)} onClose={onClose} footer={footer}>
      <p className="wrap-anywhere mb-3 text-muted">{what}</p>
      <FolderPicker
        label={t("explorer.place.tree")}
        rootName={t("explorer.path.root")}
        base={base}
        towards={folder}
        chosen={target.folder}
        onChoose={(chosen, virtual) => setTarget({ folder: chosen, virtual })}
      />
      {why && (
        <Notice tone="error" className="mt-3">
          {why}
        </Notice>
      )}
    </Dialog>
  );
}
