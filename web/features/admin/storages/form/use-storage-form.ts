import type { NewStorage, StorageChange, StorageConfig } from "#contract/storage";
import { problemsOf } from "../../../../ui/share-form/problems.ts";
import { useShareForm } from "../../../../ui/share-form/use-share-form.ts";
import { emptyStorage, type FilledStorage, filledStorage, newStorage, storageChange } from "./filled.ts";
import { type StorageProblems, storageProblems, storageRefusals } from "./problems.ts";

const refused = (error: unknown) => problemsOf(storageRefusals, error);

/** The state of the form for a new storage. */
export const useNewStorageForm = (save: (storage: NewStorage) => Promise<unknown>) =>
  useShareForm<FilledStorage, NewStorage, StorageProblems>({
    before: emptyStorage,
    changeOf: newStorage,
    problemsIn: (filled) => storageProblems(filled, true),
    problemsOf: refused,
    save,
    onUnchanged: () => undefined,
  });

interface Editing {
  readonly storage: StorageConfig;
  readonly save: (change: StorageChange) => Promise<unknown>;
  readonly onUnchanged: () => void;
}

/** The state of the form that changes a storage. */
export const useStorageForm = ({ storage, save, onUnchanged }: Editing) =>
  useShareForm<FilledStorage, StorageChange, StorageProblems>({
    before: filledStorage(storage),
    changeOf: (filled) => storageChange(filled, storage),
    problemsIn: (filled) => storageProblems(filled, false),
    problemsOf: refused,
    save,
    onUnchanged,
  });

export type StorageFormState = Pick<ReturnType<typeof useStorageForm>, "filled" | "fill" | "problems">;
