import type { MountRecord } from "#contract/mounts";
import type { OfferedStorage } from "#contract/storage";
import { useCreateMount, useUpdateMount } from "../../../../api/mounts.ts";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { ResourceForm } from "../../resource/resource-form.tsx";
import { MountFields } from "./fields.tsx";
import { emptyMount, type MountValues, mountValues, newMount } from "./form-values.ts";
import { mountProblems } from "./problems.ts";

/** A mount that the server has taken. */
type SavedMount = Pick<MountRecord, "id" | "mount_path">;

interface MountFormProps {
  /** The mount that is changed; a new one is made without. */
  readonly mount?: MountRecord;
  readonly storages: readonly OfferedStorage[];
  /** What a new one begins with, where that is known. */
  readonly proposed?: MountValues;
  readonly onSaved: (mount: SavedMount) => void;
  readonly onClose: () => void;
}

/** Mounts a storage or changes a mount, at the side of the list. */
export function MountForm({ mount, storages, proposed, onSaved, onClose }: MountFormProps) {
  useLanguage();
  const { mutateAsync: create } = useCreateMount();
  const { mutateAsync: update } = useUpdateMount();
  const only = storages.length === 1 ? storages[0]?.id : undefined;
  return (
    <ResourceForm
      title={t(mount ? "mount.form.editTitle" : "mount.form.addTitle")}
      item={mount}
      empty={proposed ?? emptyMount(only ?? "")}
      valuesOf={mountValues}
      requestOf={newMount}
      problemsIn={mountProblems}
      refusable={["path", "storage"]}
      create={async (request) => onSaved(await create(request))}
      update={async ({ id, mount_path: before }, change) => {
        await update({ id, change });
        onSaved({ id, mount_path: change.mount_path ?? before });
      }}
      onClose={onClose}
    >
      {(fields) => <MountFields {...fields} storages={storages} mount={mount} />}
    </ResourceForm>
  );
}
