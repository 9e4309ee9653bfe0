import { readFile, useFile, useUpdateFile } from "../../../api/files.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { fileShare } from "../../../ui/share-form/file-share.tsx";
import { ShareSheet } from "../../../ui/share-form/share-sheet.tsx";
import type { OpenFile } from "../source.ts";
import { changedFile } from "./changed-file.ts";

interface EditFileProps {
  readonly id: string;
  readonly onSaved: (file: OpenFile) => void;
  readonly onClose: () => void;
}

/** Edits the share at the side of its page. */
export function EditFile({ id, onSaved, onClose }: EditFileProps) {
  useLanguage();
  const { mutateAsync: update } = useUpdateFile();
  return (
    <ShareSheet
      kind={fileShare}
      title={t("file.form.title")}
      loading={useFile(id)}
      save={async (change) => {
        await update({ id, change });
        // A change makes every address void that was there before.
        onSaved(changedFile(await readFile(id)));
      }}
      // The session is begun anew in another tab, so that what was changed stays here.
      ended={t("share.form.signedOut")}
      onClose={onClose}
    />
  );
}
