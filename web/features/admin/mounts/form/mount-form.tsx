import type { MountRecord } from "#contract/mounts";
import type { OfferedStorage } from "#contract/storage";
import { useCreateMount, useUpdateMount } from "../../../../api/mounts.ts";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { ResourceForm } from "../../resource/resource-form.tsx";
import { MountFields } from "./fields.tsx";
import { emptyMount, mountChange, mountValues, newMount } from "./form-values.ts";
import { type FieldsProps, mountProblems } from "./problems.ts";

interface MountFormProps {
  /** The mount that is changed; a new one is made without. */
  readonly mount?: MountRecord;
  readonly storages: readonly OfferedStorage[];
  readonly onSaved: (id: string) => void;
  readonly onClose: () => void;
}

/** Mounts a storage or changes a mount, at the side of the list. */
export function MountForm({ mount, storages, onSaved, onClose }: MountFormProps) {
  useLanguage();
  const { mutateAsync: create } = useCreateMount();
  const { mutateAsync: update } = useUpdateMount();
  const form = {
    problemsIn: mountProblems,
    refusable: ["path", "storage"] as const,
    onClose,
    children: (fields: FieldsProps) => <MountFields {...fields} storages={storages} mount={mount} />,
  };
  if (!mount) {
    const only = storages.length === 1 ? storages[0]?.id : undefined;
    return (
      <ResourceForm
        {...form}
        title={t("mount.form.addTitle")}
        before={emptyMount(only ?? "")}
        changeOf={newMount}
        save={async (request) => onSaved((await create(request)).id)}
      />
    );
  }
  return (
    <ResourceForm
      {...form}
      title={t("mount.form.editTitle")}
      before={mountValues(mount)}
      changeOf={(values) => mountChange(values, mount)}
      save={async (change) => {
        await update({ id: mount.id, change });
        onSaved(mount.id);
      }}
    />
  );
}
