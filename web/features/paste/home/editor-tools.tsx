import Eraser from "lucide-react/icons/eraser";
import FileUp from "lucide-react/icons/file-up";
import { type ReactNode, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { ConfirmDialog } from "../../../ui/overlay/dialog.tsx";
import type { MoreItem } from "../editor/bar/more-menu.tsx";
import { TEXT_FILE_TYPES } from "../editor/text-file.ts";

interface EditorToolsParts {
  readonly empty: boolean;
  readonly onImport: (file: File) => void;
  readonly onClear: () => void;
}

interface EditorTools {
  readonly items: readonly MoreItem[];
  /** What the items open. */
  readonly dialogs: ReactNode;
}

/** Import a text file, and begin anew: for the menu of the editor. */
export function useEditorTools({ empty, onImport, onClear }: EditorToolsParts): EditorTools {
  useLanguage();
  const picker = useRef<HTMLInputElement>(null);
  const [asking, setAsking] = useState(false);
  const file = {
    id: "import",
    label: t("paste.editor.import"),
    icon: <FileUp aria-hidden />,
    run: () => picker.current?.click(),
  };
  const clear = {
    id: "clear",
    label: t("paste.editor.clear"),
    icon: <Eraser aria-hidden />,
    danger: true,
    run: () => setAsking(true),
  };
  const dialogs = (
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
      {asking ? (
        <ConfirmDialog
          title={t("paste.editor.clearTitle")}
          text={t("paste.editor.clearText")}
          confirm={t("paste.editor.clear")}
          danger
          onConfirm={() => {
            // First, because nothing below an open dialog has the focus, without which a text area undoes nothing.
            flushSync(() => setAsking(false));
            onClear();
            return undefined;
          }}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  );
  return { items: empty ? [file] : [file, clear], dialogs };
}
