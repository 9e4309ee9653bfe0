import { failureText } from "../../../api/failure.ts";
import { useFile, useUpdateFile } from "../../../api/files.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { FileSheet } from "../../../ui/file-form/file-sheet.tsx";
import { refusalText } from "../list/refusal.ts";

interface EditFileProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** Edits one file share at the side of the list. */
export function EditFile({ id, onClose }: EditFileProps) {
  useLanguage();
  const { data, error, refetch } = useFile(id);
  const { mutateAsync: update } = useUpdateFile();
  return (
    <FileSheet
      title={t("admin.files.editTitle")}
      file={data}
      failure={error ? failureText(error) : undefined}
      onRetry={refetch}
      save={async (change) => {
        await update({ id, change });
        onClose();
      }}
      refusalText={refusalText}
      onClose={onClose}
    />
  );
}
