import { useFile, useUpdateFile } from "../../../api/files.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { fileShare } from "../../../ui/share-form/file-share.tsx";
import { ShareSheet } from "../../../ui/share-form/share-sheet.tsx";

interface EditFileProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** Edits one file share at the side of the list. */
export function EditFile({ id, onClose }: EditFileProps) {
  useLanguage();
  const { mutateAsync: update } = useUpdateFile();
  return (
    <ShareSheet
      kind={fileShare}
      title={t("admin.files.editTitle")}
      loading={useFile(id)}
      save={async (change) => {
        await update({ id, change });
        onClose();
      }}
      onClose={onClose}
    />
  );
}
