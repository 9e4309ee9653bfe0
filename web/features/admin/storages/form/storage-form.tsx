import type { StorageConfig } from "#contract/storage";
import { isFailure } from "../../../../api/failure.ts";
import { refusalText } from "../../../../api/refusals.ts";
import { useCreateStorage, useUpdateStorage } from "../../../../api/storage-configs.ts";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { ResourceForm } from "../../resource/resource-form.tsx";
import { StorageFields } from "./fields.tsx";
import { emptyStorage, newStorage, storageValues } from "./form-values.ts";
import { storageProblems } from "./problems.ts";

interface StorageFormProps {
  /** The storage that is changed; a new one is added without. */
  readonly storage?: StorageConfig;
  readonly onSaved: (storage: Pick<StorageConfig, "id" | "name">) => void;
  readonly onClose: () => void;
}

/** Adds a storage or changes one, at the side of the list. */
export function StorageForm({ storage, onSaved, onClose }: StorageFormProps) {
  useLanguage();
  const { mutateAsync: create } = useCreateStorage();
  const { mutateAsync: update } = useUpdateStorage();
  return (
    <ResourceForm
      title={t(storage ? "storage.form.editTitle" : "storage.form.addTitle")}
      item={storage}
      empty={emptyStorage}
      valuesOf={storageValues}
      requestOf={newStorage}
      problemsIn={(values) => storageProblems(values, storage === undefined)}
      refusable={["bucket", "endpoint", "customHost", "folder"]}
      create={async (request) => onSaved(await create(request))}
      update={async ({ id, name }, change) => {
        await update({ id, change });
        onSaved({ id, name: change.name ?? name });
      }}
      textOf={refusalOf}
      onClose={onClose}
    >
      {(fields) => <StorageFields {...fields} storage={storage} />}
    </ResourceForm>
  );
}

/** Why a change was refused: as a rule because another place was given for a storage that holds files. */
function refusalOf(refused: unknown): string | undefined {
  const reason = refusalText(refused);
  const stays = isFailure(refused, "storage.inUse") || isFailure(refused, "storage.leftovers");
  return stays ? t("storage.form.stays", { reason: reason ?? "" }) : reason;
}
