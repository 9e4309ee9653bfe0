import type { KeyChange, KeyRecord, NewKey } from "#contract/keys";
import { useForm } from "../../../../ui/share-form/use-form.ts";
import { emptyKey, type FilledKey, filledKey, keyChange, newKey } from "./filled.ts";
import { type KeyProblems, keyProblems } from "./problems.ts";

/** The fields at which a refusal of the server is shown; the others it says in its own words. */
const refusable = ["name", "key", "guest"] as const;

/** The state of the form for a new key. */
export const useNewKeyForm = (save: (key: NewKey) => Promise<unknown>) =>
  useForm<FilledKey, NewKey, KeyProblems>({
    before: emptyKey,
    changeOf: newKey,
    problemsIn: (filled) => keyProblems(filled),
    refusable,
    save,
    onUnchanged: () => undefined,
  });

interface Editing {
  readonly record: KeyRecord;
  readonly save: (change: KeyChange) => Promise<unknown>;
  readonly onUnchanged: () => void;
}

/** The state of the form that changes a key. */
export const useKeyForm = ({ record, save, onUnchanged }: Editing) =>
  useForm<FilledKey, KeyChange, KeyProblems>({
    before: filledKey(record),
    changeOf: (filled) => keyChange(filled, record),
    problemsIn: (filled) => keyProblems(filled, filledKey(record).expiry),
    refusable,
    save,
    onUnchanged,
  });

/** What the fields need of either form. */
export type FieldsProps = Pick<ReturnType<typeof useKeyForm>, "filled" | "fill" | "problems">;
