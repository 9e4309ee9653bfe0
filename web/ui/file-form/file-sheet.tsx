import type { FileChange, FileRecord } from "#contract/files";
import { useLanguage } from "../../i18n/i18n.ts";
import { EditSheet, FormSheet } from "../share-form/edit-sheet.tsx";
import { FileFields } from "./fields.tsx";
import { useFileForm } from "./use-file-form.ts";

interface FormProps {
  readonly title: string;
  /** Sends the change and shows what came of it; throws when it is refused. */
  readonly save: (change: FileChange) => Promise<unknown>;
  /** What a refusal says that belongs to no field. */
  readonly refusalText: (error: unknown) => string | undefined;
  readonly onClose: () => void;
}

interface FileSheetProps extends FormProps {
  /** The file as its owner gets it, undefined until it is there. */
  readonly file: FileRecord | undefined;
  /** Why it is not there. */
  readonly failure: string | undefined;
  readonly onRetry: () => unknown;
}

/** Edits a file share at the side of a page. */
export const FileSheet = ({ file, failure, onRetry, ...form }: FileSheetProps) => (
  <EditSheet title={form.title} share={file} failure={failure} onRetry={onRetry} onClose={form.onClose}>
    {(held) => <FileForm file={held} {...form} />}
  </EditSheet>
);

function FileForm({ file, title, save, refusalText, onClose }: FormProps & { readonly file: FileRecord }) {
  useLanguage();
  const state = useFileForm({ file, save, onUnchanged: onClose });
  return (
    <FormSheet title={title} state={state} refusal={refusalText(state.refused)} onClose={onClose}>
      <FileFields file={file} filled={state.filled} problems={state.problems} onFill={state.fill} />
    </FormSheet>
  );
}
