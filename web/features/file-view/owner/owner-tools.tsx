import { t, useLanguage } from "../../../i18n/i18n.ts";
import { useCode } from "../../../page/code.ts";
import { FailedNotice } from "../../../ui/notice.tsx";
import type { OpenFile } from "../source.ts";

interface OwnerToolsProps {
  readonly tool: "editing" | "removing";
  readonly file: OpenFile;
  readonly onSaved: (file: OpenFile) => void;
  readonly onRemoved: () => void;
  readonly onClose: () => void;
}

/** Loads what only the owner needs: the sheet that changes the share, and the question before it is deleted. */
export function OwnerTools({ tool, file, onSaved, onRemoved, onClose }: OwnerToolsProps) {
  useLanguage();
  const code = useCode("changing a file", async () => {
    const [{ EditFile }, { RemoveDialog }] = await Promise.all([
      import("./edit-file.tsx"),
      import("./remove-dialog.tsx"),
    ]);
    return { EditFile, RemoveDialog };
  });
  if (code.data) {
    const { EditFile, RemoveDialog } = code.data;
    if (tool === "editing") return <EditFile id={file.id} onSaved={onSaved} onClose={onClose} />;
    return <RemoveDialog id={file.id} filename={file.filename} onRemoved={onRemoved} onClose={onClose} />;
  }
  if (!code.error || code.isFetching) return null;
  return (
    <div data-at-bottom className="sticky bottom-[calc(var(--strip)+16px)] mx-auto w-full max-w-xl px-4">
      <FailedNotice text={t("shell.lazy.text")} onRetry={() => code.again(file.max_views === 0)} />
    </div>
  );
}
