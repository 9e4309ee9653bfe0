import Eraser from "lucide-react/icons/eraser";
import FileUp from "lucide-react/icons/file-up";
import { useRef, useState } from "react";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { IconButton } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { TEXT_FILE_TYPES } from "../editor/text-file.ts";

interface EditorToolsProps {
  readonly empty: boolean;
  readonly onImport: (file: File) => void;
  readonly onClear: () => void;
}

/** Import a text file, and begin anew. */
export function EditorTools({ empty, onImport, onClear }: EditorToolsProps) {
  useLanguage();
  const picker = useRef<HTMLInputElement>(null);
  const [asking, setAsking] = useState(false);
  return (
    <>
      <input
        ref={picker}
        type="file"
        accept={TEXT_FILE_TYPES}
        hidden
        aria-label={t("paste.editor.import")}
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file) onImport(file);
          // The same file may be picked again.
          event.target.value = "";
        }}
      />
      <IconButton label={t("paste.editor.import")} onClick={() => picker.current?.click()}>
        <FileUp aria-hidden />
      </IconButton>
      <IconButton label={t("paste.editor.clear")} disabled={empty} onClick={() => setAsking(true)}>
        <Eraser aria-hidden />
      </IconButton>
      {asking ? (
        <ConfirmDialog
          title={t("paste.editor.clearTitle")}
          text={t("paste.editor.clearText")}
          confirm={t("paste.editor.clear")}
          danger
          onConfirm={() => {
            onClear();
            return undefined;
          }}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}
