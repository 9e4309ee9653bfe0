import { failureText, isSignedOut } from "../../../api/failure.ts";
import { readFile, useFile, useUpdateFile } from "../../../api/files.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { FileSheet } from "../../../ui/file-form/file-sheet.tsx";
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
  const { mutateAsync: update } = useUpdateFile();
  return (
    <FileSheet
      title={t("file.form.title")}
      file={data}
      failure={error ? failureText(error) : undefined}
      onRetry={refetch}
      save={async (change) => {
        await update({ id, change });
        // A change makes every address void that was there before.
        onSaved(changedFile(await readFile(id)));
      }}
      refusalText={refusalText}
      onClose={onClose}
    />
  );
}

function refusalText(error: unknown): string | undefined {
  if (error === undefined) return undefined;
  // A session that ended is begun anew in another tab, so that what was changed stays here.
  return isSignedOut(error) ? t("share.form.signedOut") : failureText(error);
}
