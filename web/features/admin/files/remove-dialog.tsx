import { useState } from "react";
import type { FileRecord } from "#contract/files";
import { useDeleteFiles } from "../../../api/files.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { browserStorage } from "../../../lib/storage.ts";
import { shareName } from "../../../ui/file/share-name.ts";
import { Checkbox } from "../../../ui/form/field.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { ConfirmDialog } from "../../../ui/overlay/dialog.tsx";

/** What came of deleting. */
export interface Removed {
  readonly count: number;
  /** What is still there, and why. */
  readonly failed: readonly { readonly id: string; readonly filename: string; readonly error: string }[];
}

interface RemoveDialogProps {
  readonly files: readonly FileRecord[];
  readonly onRemoved: (removed: Removed) => void;
  readonly onClose: () => void;
}

/** Asks before shares are deleted, and whether their files go with them: a link made in the explorer leaves its file where it was. */
export function RemoveDialog({ files, onRemoved, onClose }: RemoveDialogProps) {
  useLanguage();
  const { mutateAsync: remove } = useDeleteFiles();
  const [keepFiles, setKeepFiles] = useKeepFiles();
  const only = files.length === 1 ? files[0] : undefined;
  const run = async () => {
    const { success, failed } = await remove({ ids: files.map(({ id }) => id), keepFiles });
    const called = new Map(files.map((file) => [file.id, shareName(file)]));
    onRemoved({ count: success, failed: failed.map((one) => ({ ...one, filename: called.get(one.id) ?? one.id })) });
  };
  const brought = files.filter(({ file_stays, file_gone }) => file_stays !== true && file_gone !== true).length;
  return (
    <ConfirmDialog
      danger
      title={only ? t("admin.files.removeTitle") : t("admin.files.removeManyTitle", { count: files.length })}
      text={fateOf(files, { keepFiles: keepFiles || brought === 0, brought })}
      confirm={t("admin.list.remove")}
      onConfirm={run}
      onClose={onClose}
    >
      {brought > 0 && (
        <Checkbox
          className="mt-3"
          label={t("admin.files.keep")}
          checked={keepFiles}
          onChange={(event) => setKeepFiles(event.target.checked)}
        />
      )}
    </ConfirmDialog>
  );
}

/** What becomes of the links and of their files. */
function fateOf(files: readonly FileRecord[], { keepFiles, brought }: { keepFiles: boolean; brought: number }): string {
  const [only, ...others] = files;
  if (!only || others.length > 0) {
    if (keepFiles) return t("admin.files.unlistMany");
    return t(brought < files.length ? "admin.files.removeMixed" : "admin.files.removeMany");
  }
  const name = shareName(only);
  if (only.file_gone) return t("admin.files.unlistGone", { name });
  return t(keepFiles ? "admin.files.unlistOne" : "admin.files.removeOne", { name });
}

/** Says how many shares are deleted, and names each that is not. */
export function RemovedNotice({ count, failed }: Removed) {
  useLanguage();
  if (failed.length === 0) return <Notice tone="ok">{t("admin.list.removed", { count })}</Notice>;
  return (
    <Notice tone="error">
      {count > 0 && <p>{t("admin.list.removed", { count })}</p>}
      <p>{t("admin.files.notRemoved", { count: failed.length })}</p>
      <ul className="mt-1 list-disc pl-4">
        {failed.map(({ id, filename, error }) => (
          <li key={id} className="wrap-anywhere">
            <bdi className="font-medium">{filename}</bdi> · {error}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

const KEY = "keepFiles";

/** Reports whether deleting a share leaves its file in the storage; remembered by the browser. */
function useKeepFiles(): [keep: boolean, setKeep: (keep: boolean) => void] {
  const [keep, setKeep] = useState(() => browserStorage.get(KEY) === "1");
  return [
    keep,
    (next) => {
      setKeep(next);
      browserStorage.set(KEY, next ? "1" : "0");
    },
  ];
}
