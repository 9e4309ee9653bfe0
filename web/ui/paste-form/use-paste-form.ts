import type { PasteChange, WholePaste } from "#contract/pastes";
import { problemsOf } from "../share-form/problems.ts";
import { useShareForm } from "../share-form/use-share-form.ts";
import { changeOf, filledFrom } from "./change.ts";
import { problemsIn, refusals } from "./problems.ts";

interface PasteFormParts {
  readonly paste: WholePaste;
  /** Sends the change and shows what came of it; throws when it is refused. Not called when nothing differs. */
  readonly save: (change: PasteChange) => Promise<unknown>;
  /** Saved with nothing changed. */
  readonly onUnchanged: () => void;
}

/** The state of the form that changes a text share, whichever page it stands on. */
export const usePasteForm = ({ paste, save, onUnchanged }: PasteFormParts) =>
  useShareForm({
    before: filledFrom(paste),
    changeOf: (filled) => changeOf(filled, paste),
    problemsIn: (filled) => problemsIn(filled, paste, Date.now()),
    problemsOf: (error) => problemsOf(refusals, error),
    save,
    onUnchanged,
  });
