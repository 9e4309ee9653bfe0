import type { WholeFile } from "#contract/files";
import { failureText, isFailure } from "../../../api/failure.ts";
import { readFile, useFile, useUpdateFile } from "../../../api/files.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { FileFields } from "../../../ui/file-form/fields.tsx";
import { useFileForm } from "../../../ui/file-form/use-file-form.ts";
import { EditSheet, FormSheet } from "../../../ui/share-form/edit-sheet.tsx";
import type { OpenFile } from "../door.ts";
import { changedFile } from "./changed-file.ts";

interface EditFileProps {
  readonly id: string;
  readonly onSaved: (file: OpenFile) => void;
  readonly onClose: () => void;
}

/** Edits the share at the side of its page. */
export function EditFile({ id, onSaved, onClose }: EditFileProps) {
  useLanguage();
  const { data, error, refetch } = useFile(id);
  const failure = error ? failureText(error) : undefined;
  return (
    <EditSheet title={t("file.form.title")} share={data} failure={failure} onRetry={refetch} onClose={onClose}>
      {(file) => <FileForm file={file} onSaved={onSaved} onClose={onClose} />}
    </EditSheet>
  );
}

interface FileFormProps extends Omit<EditFileProps, "id"> {
  readonly file: WholeFile;
}

function FileForm({ file, onSaved, onClose }: FileFormProps) {
  useLanguage();
  const { mutateAsync: update } = useUpdateFile();
  const state = useFileForm({
    file,
    save: async (change) => {
      await update({ id: file.id, change });
      // A change makes every address void that was there before.
      onSaved(changedFile(await readFile(file.id)));
    },
    onUnchanged: onClose,
  });
  return (
    <FormSheet title={t("file.form.title")} state={state} refusal={refusalText(state.refused)} onClose={onClose}>
      <FileFields file={file} filled={state.filled} problems={state.problems} onFill={state.fill} />
    </FormSheet>
  );
}

function refusalText(error: unknown): string | undefined {
  if (error === undefined) return undefined;
  // A session that ended is begun anew in another tab, so that what was changed stays here.
  const signedOut = isFailure(error, "auth.expired") || isFailure(error, "auth.required");
  return signedOut ? t("share.form.signedOut") : failureText(error);
}
