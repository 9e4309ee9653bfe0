import { useUpdatePaste } from "../../../api/pastes.ts";
import { usePaste } from "../../../api/whole-paste.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { ShareSheet } from "../../../ui/share-form/share-sheet.tsx";
import { textShare } from "../../../ui/share-form/text-share.tsx";

interface EditTextProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** Edits one text at the side of the list. */
export function EditText({ id, onClose }: EditTextProps) {
  useLanguage();
  const { mutateAsync: update } = useUpdatePaste();
  return (
    <ShareSheet
      kind={textShare}
      title={t("admin.texts.editTitle")}
      loading={usePaste(id)}
      save={async (change) => {
        await update({ id, change });
        onClose();
      }}
      onClose={onClose}
    />
  );
}
