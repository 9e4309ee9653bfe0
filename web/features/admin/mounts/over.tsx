import type { MountRecord } from "#contract/mounts";
import { within } from "#contract/paths";
import { useKeys } from "../../../api/keys.ts";
import { useRemoveMount } from "../../../api/mounts.ts";
import { useStorages } from "../../../api/storage.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { EditMountSheet, NewMountSheet } from "./form/sheets.tsx";
import type { Outcome, Verb } from "./outcome.ts";

/** What lies over the list at the moment. */
export type Open = { readonly verb: "add" } | { readonly verb: Verb; readonly mount: MountRecord };

interface OverProps {
  readonly open: Open;
  readonly onClose: () => void;
  readonly onTell: (outcome: Outcome) => void;
}

/** The dialog or sheet over the list. */
export function Over({ open, onClose, onTell }: OverProps) {
  useLanguage();
  const { data: storages } = useStorages(true);
  if (open.verb === "remove") return <RemoveDialog mount={open.mount} onClose={onClose} onTell={onTell} />;
  if (!storages) return null;
  if (open.verb === "add") {
    const added = ({ id }: MountRecord) => onTell({ id, tone: "ok", sentence: t("mount.told.added") });
    return <NewMountSheet storages={storages} onAdded={added} onClose={onClose} />;
  }
  const { mount } = open;
  const saved = () => onTell({ id: mount.id, tone: "ok", sentence: t("mount.told.saved") });
  return <EditMountSheet mount={mount} storages={storages} onSaved={saved} onClose={onClose} />;
}

interface RemoveProps {
  readonly mount: MountRecord;
  readonly onClose: () => void;
  readonly onTell: (outcome: Outcome) => void;
}

/** Asks before a mount leaves the tree. */
function RemoveDialog({ mount: { id, name, mount_path: path }, onClose, onTell }: RemoveProps) {
  const { mutateAsync: remove } = useRemoveMount();
  const { data: keys = [] } = useKeys();
  const bound = keys.filter(({ basic_path: base }) => within(path, base));
  return (
    <ConfirmDialog
      danger
      title={t("mount.remove.title", { name })}
      text={t("mount.remove.text", { path })}
      confirm={t("mount.card.remove")}
      onConfirm={async () => {
        await remove(id);
        onTell({ id: undefined, tone: "ok", sentence: t("mount.told.removed", { name }) });
      }}
      onClose={onClose}
    >
      {bound.length > 0 && (
        <Notice tone="plain" className="mt-4">
          {t("mount.remove.keys", { names: bound.map((key) => key.name).join(", ") })}
        </Notice>
      )}
    </ConfirmDialog>
  );
}
