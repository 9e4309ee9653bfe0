import { useState } from "react";
import { archiveFormat, archiveStem } from "#contract/archive/formats";
import type { ConflictChoice } from "#contract/fs/jobs";
import { parentOf } from "#contract/paths";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { bare } from "../../../lib/folder-path.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { Button } from "../../../ui/button.tsx";
import { FolderPicker } from "../../../ui/folder-picker.tsx";
import { Choices } from "../../../ui/form/choices.tsx";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Dialog } from "../../../ui/overlay/dialog.tsx";
import type { Entry } from "../model/entry.ts";
import type { Operations } from "../model/operations.ts";
import type { SelectionAct } from "../model/selection.ts";

interface UnpackDialogProps {
  readonly entry: Entry;
  readonly base: string;
  readonly operations: Pick<Operations, "unpack">;
  readonly select: (act: SelectionAct) => void;
  readonly onClose: () => void;
}

type Place = "new" | "here" | "other";

/** Asks where an archive is unpacked to, and what is done about names that are taken there. */
export function UnpackDialog({ entry, base, operations, select, onClose }: UnpackDialogProps) {
  useLanguage();
  const folder = parentOf(bare(entry.path));
  // A single file needs no folder of its own.
  const isOne = archiveFormat(entry.name) === "gz";
  const [place, setPlace] = useState<Place>(isOne ? "here" : "new");
  const [other, setOther] = useState({ folder, virtual: false });
  const [onConflict, setOnConflict] = useState<ConflictChoice>("rename");
  const why = place === "other" && other.virtual ? t("explorer.place.virtual") : undefined;
  const target = { new: undefined, here: folder, other: other.folder }[place];
  const places: readonly Place[] = isOne ? ["here", "other"] : ["new", "here", "other"];
  const conflicts: readonly ConflictChoice[] = ["rename", "skip", "overwrite"];
  const footer = (
    <>
      <Button onClick={onClose}>{t("shell.actions.cancel")}</Button>
      <Button
        variant="primary"
        data-autofocus
        disabled={why !== undefined}
        onClick={() => {
          onClose();
          void operations.unpack(entry.path, { target, onConflict }).then(({ done }) => {
            // A folder that is made for it is where somebody goes on.
            if (target === undefined) select({ do: "only", paths: done.map(({ to }) => to) });
          });
        }}
      >
        {t("explorer.unpack.start")}
      </Button>
    </>
  );
  return (
    <Dialog title={t("explorer.unpack.title", { name: shownName(entry.name) })} onClose={onClose} footer={footer}>
      <div className="grid gap-4">
        <Choices
          legend={t("explorer.unpack.where")}
          choices={places.map((value) => ({ value, label: t(`explorer.unpack.${value}`) }))}
          value={place}
          onChoose={setPlace}
          className="grid auto-cols-fr grid-flow-col gap-2"
        />
        {place === "new" && (
          <p className="wrap-anywhere text-muted">
            {t("explorer.unpack.newText", { name: shownName(archiveStem(entry.name)) })}
          </p>
        )}
        {place === "other" && (
          <FolderPicker
            label={t("explorer.place.tree")}
            rootName={t("explorer.path.root")}
            base={base}
            towards={folder}
            chosen={other.folder}
            onChoose={(chosen, virtual) => setOther({ folder: chosen, virtual })}
          />
        )}
        {place !== "new" && (
          <SelectField
            label={t("explorer.unpack.taken")}
            choices={conflicts.map((value) => ({ value, label: t(`explorer.unpack.${value}`) }))}
            value={onConflict}
            onChoose={setOnConflict}
          />
        )}
        {why && <Notice tone="error">{why}</Notice>}
      </div>
    </Dialog>
  );
}
