import type { StorageConfig } from "#contract/storage";
import { isFailure } from "../../../../api/failure.ts";
import { refusalText } from "../../../../api/refusals.ts";
import { useCreateStorage, useUpdateStorage } from "../../../../api/storage-configs.ts";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import type { FormFields } from "../../../../ui/form/use-form.ts";
import { ResourceForm } from "../../resource/resource-form.tsx";
import { StorageFields } from "./fields.tsx";
import { emptyStorage, newStorage, type StorageValues, storageChange, storageValues } from "./form-values.ts";
import { type StorageProblems, storageProblems } from "./problems.ts";

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
  const form = {
    problemsIn: (values: StorageValues) => storageProblems(values, storage === undefined),
    refusable: ["bucket", "endpoint", "customHost", "folder"] as const,
    onClose,
    children: (fields: FormFields<StorageValues, StorageProblems>) => <StorageFields {...fields} storage={storage} />,
  };
  if (!storage) {
    return (
      <ResourceForm
        {...form}
        title={t("storage.form.addTitle")}
        before={emptyStorage}
        changeOf={newStorage}
        save={async (request) => onSaved(await create(request))}
      />
    );
  }
  return (
    <ResourceForm
      {...form}
      title={t("storage.form.editTitle")}
      before={storageValues(storage)}
      changeOf={(values) => storageChange(values, storage)}
      save={async (change) => {
        await update({ id: storage.id, change });
        onSaved({ id: storage.id, name: change.name ?? storage.name });
      }}
      textOf={changeRefusal}
    />
  );
}

/** Why a change was refused: as a rule because another place was given for a storage that holds files. */
function changeRefusal(refused: unknown): string | undefined {
  const reason = refusalText(refused);
  const stays = isFailure(refused, "storage.inUse") || isFailure(refused, "storage.leftovers");
  return stays ? t("storage.form.stays", { reason: reason ?? "" }) : reason;
}
