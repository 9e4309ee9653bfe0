import type { FileChange, FileRecord } from "#contract/files";
import { problemsOf, shareProblems, shareRefusals } from "../share-form/problems.ts";
import { useShareForm } from "../share-form/use-share-form.ts";
import { fileChangeOf, filledFromFile } from "./change.ts";

interface FileFormParts {
  readonly file: FileRecord;
  /** Sends the change and shows what came of it; throws when it is refused. Not called when nothing differs. */
  readonly save: (change: FileChange) => Promise<unknown>;
  /** Saved with nothing changed. */
  readonly onUnchanged: () => void;
}

/** The state of the form that changes a file share, whichever page it stands on. */
export const useFileForm = ({ file, save, onUnchanged }: FileFormParts) =>
  useShareForm({
    before: filledFromFile(file),
    changeOf: (filled) => fileChangeOf(filled, file),
    problemsIn: (filled) => shareProblems(filled, file, Date.now()),
    problemsOf: (error) => problemsOf(shareRefusals, error),
    save,
    onUnchanged,
  });
