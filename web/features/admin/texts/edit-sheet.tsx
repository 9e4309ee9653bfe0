import { failureText, isFailure } from "../../../api/failure.ts";
import { useUpdatePaste } from "../../../api/pastes.ts";
import { usePaste } from "../../../api/whole-paste.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { ShareSheet } from "../../../ui/share-form/share-sheet.tsx";
import { textShare } from "../../../ui/share-form/text-share.tsx";

interface EditTextProps {
  readonly id: string;
  /** The change waits for a connection. */
  readonly onKept: (sentence: string) => void;
  readonly onClose: () => void;
}

/** Edits one text at the side of the list. */
export function EditText({ id, onKept, onClose }: EditTextProps) {
  useLanguage();
  const { mutateAsync: update } = useUpdatePaste();
  return (
    <ShareSheet
      kind={textShare}
      title={t("admin.texts.editTitle")}
      loading={usePaste(id)}
      save={async (change) => {
        await update({ id, change }).catch((error) => {
          if (!isFailure(error, "queued")) throw error;
          onKept(failureText(error));
        });
        onClose();
      }}
      onClose={onClose}
    />
  );
}
