import type { StorageConfig } from "#contract/storage";
import { isFailure } from "../../../../api/failure.ts";
import { refusalText } from "../../../../api/refusals.ts";
import { useCreateStorage, useUpdateStorage } from "../../../../api/storage-configs.ts";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { FormSheet } from "../../../../ui/share-form/form-sheet.tsx";
import { StorageFields } from "./fields.tsx";
import { useNewStorageForm, useStorageForm } from "./use-storage-form.ts";

interface NewStorageProps {
  readonly onAdded: (storage: StorageConfig) => void;
  readonly onClose: () => void;
}

/** Adds a storage at the side of the list. */
export function NewStorageSheet({ onAdded, onClose }: NewStorageProps) {
  useLanguage();
  const { mutateAsync: create } = useCreateStorage();
  const state = useNewStorageForm(async (request) => {
    onAdded(await create(request));
    onClose();
  });
  return (
    <FormSheet title={t("storage.form.addTitle")} state={state} refusal={refusalText(state.refused)} onClose={onClose}>
      <StorageFields {...state} storage={undefined} />
    </FormSheet>
  );
}

/** Why a change was refused: as a rule because another place was given for a storage that holds files. */
function changeRefusal(refused: unknown): string | undefined {
  const reason = refusalText(refused);
  const stays = isFailure(refused, "storage.inUse") || isFailure(refused, "storage.leftovers");
  return stays ? t("storage.form.stays", { reason: reason ?? "" }) : reason;
}

interface EditStorageProps {
  readonly storage: StorageConfig;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

/** Changes a storage at the side of the list. */
export function EditStorageSheet({ storage, onSaved, onClose }: EditStorageProps) {
  useLanguage();
  const { mutateAsync: update } = useUpdateStorage();
  const state = useStorageForm({
    storage,
    save: async (change) => {
      await update({ id: storage.id, change });
      onSaved();
      onClose();
    },
    onUnchanged: onClose,
  });
  return (
    <FormSheet
      title={t("storage.form.editTitle")}
      state={state}
      refusal={changeRefusal(state.refused)}
      onClose={onClose}
    >
      <StorageFields {...state} storage={storage} />
    </FormSheet>
  );
}
