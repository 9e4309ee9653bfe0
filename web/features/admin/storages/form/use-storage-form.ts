import type { NewStorage, StorageChange, StorageConfig } from "#contract/storage";
import { useForm } from "../../../../ui/share-form/use-form.ts";
import { emptyStorage, type FilledStorage, filledStorage, newStorage, storageChange } from "./filled.ts";
import { type StorageProblems, storageProblems } from "./problems.ts";

/** The fields at which a refusal of the server is shown. */
const refusable = ["bucket", "endpoint", "customHost", "folder"] as const;

/** The state of the form for a new storage. */
export const useNewStorageForm = (save: (storage: NewStorage) => Promise<unknown>) =>
  useForm<FilledStorage, NewStorage, StorageProblems>({
    before: emptyStorage,
    changeOf: newStorage,
    problemsIn: (filled) => storageProblems(filled, true),
    refusable,
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
  useForm<FilledStorage, StorageChange, StorageProblems>({
    before: filledStorage(storage),
    changeOf: (filled) => storageChange(filled, storage),
    problemsIn: (filled) => storageProblems(filled, false),
    refusable,
    save,
    onUnchanged,
  });

/** The state of either form, and the storage that is changed; a new one has none yet. */
export type FieldsProps = Pick<ReturnType<typeof useStorageForm>, "filled" | "fill" | "problems"> & {
  readonly storage: StorageConfig | undefined;
};
