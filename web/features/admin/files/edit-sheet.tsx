import type { FileRecord } from "#contract/files";
import { failureText } from "../../../api/failure.ts";
import { useFile, useUpdateFile } from "../../../api/files.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { FileFields } from "../../../ui/file-form/fields.tsx";
import { useFileForm } from "../../../ui/file-form/use-file-form.ts";
import { EditSheet, FormSheet } from "../../../ui/share-form/edit-sheet.tsx";
import { refusalText } from "../list/refusal.ts";

interface EditFileProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** Edits one file share at the side of the list. */
export function EditFile({ id, onClose }: EditFileProps) {
  useLanguage();
  const { data, error, refetch } = useFile(id);
  const failure = error ? failureText(error) : undefined;
  return (
    <EditSheet title={t("admin.files.editTitle")} share={data} failure={failure} onRetry={refetch} onClose={onClose}>
      {(file) => <FileForm file={file} onClose={onClose} />}
    </EditSheet>
  );
}

interface FileFormProps {
  readonly file: FileRecord;
  readonly onClose: () => void;
}

function FileForm({ file, onClose }: FileFormProps) {
  useLanguage();
  const { mutateAsync: update } = useUpdateFile();
  const state = useFileForm({
    file,
    save: async (change) => {
      await update({ id: file.id, change });
      onClose();
    },
    onUnchanged: onClose,
  });
  return (
    <FormSheet title={t("admin.files.editTitle")} state={state} refusal={refusalText(state.refused)} onClose={onClose}>
      <FileFields file={file} filled={state.filled} problems={state.problems} onFill={state.fill} />
    </FormSheet>
  );
}
