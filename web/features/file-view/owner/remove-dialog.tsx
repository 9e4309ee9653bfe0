import { useDeleteFiles } from "../../../api/files.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { ConfirmDialog } from "../../../ui/overlay/dialog.tsx";

interface RemoveDialogProps {
  readonly id: string;
  readonly filename: string;
  readonly onRemoved: () => void;
  readonly onClose: () => void;
}

/** Asks before the file and its link go. */
export function RemoveDialog({ id, filename, onRemoved, onClose }: RemoveDialogProps) {
  useLanguage();
  const remove = useDeleteFiles();
  const run = async () => {
    const { failed } = await remove.mutateAsync({ ids: [id] });
    const [first] = failed;
    if (first) throw new Error(first.error);
    onRemoved();
  };
  return (
    <ConfirmDialog
      danger
      title={t("file.remove.title")}
      text={t("file.remove.text", { name: shownName(filename) })}
      confirm={t("file.view.remove")}
      onConfirm={run}
      onClose={onClose}
    />
  );
}
