import type { MountRecord } from "#contract/mounts";
import type { OfferedStorage } from "#contract/storage";
import { useCreateMount, useUpdateMount } from "../../../../api/mounts.ts";
import { refusalText } from "../../../../api/refusals.ts";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { FormSheet } from "../../../../ui/share-form/form-sheet.tsx";
import { MountFields } from "./fields.tsx";
import { useMountForm, useNewMountForm } from "./use-mount-form.ts";

interface NewMountProps {
  readonly storages: readonly OfferedStorage[];
  readonly onAdded: (mount: MountRecord) => void;
  readonly onClose: () => void;
}

/** Mounts a storage, at the side of the list. */
export function NewMountSheet({ storages, onAdded, onClose }: NewMountProps) {
  useLanguage();
  const { mutateAsync: create } = useCreateMount();
  const only = storages.length === 1 ? storages[0]?.id : undefined;
  const state = useNewMountForm(only ?? "", async (mount) => {
    onAdded(await create(mount));
    onClose();
  });
  return (
    <FormSheet title={t("mount.form.addTitle")} state={state} refusal={refusalText(state.refused)} onClose={onClose}>
      <MountFields {...state} storages={storages} />
    </FormSheet>
  );
}

interface EditMountProps {
  readonly mount: MountRecord;
  readonly storages: readonly OfferedStorage[];
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

/** Changes a mount at the side of the list. */
export function EditMountSheet({ mount, storages, onSaved, onClose }: EditMountProps) {
  useLanguage();
  const { mutateAsync: update } = useUpdateMount();
  const state = useMountForm({
    mount,
    save: async (change) => {
      await update({ id: mount.id, change });
      onSaved();
      onClose();
    },
    onUnchanged: onClose,
  });
  return (
    <FormSheet title={t("mount.form.editTitle")} state={state} refusal={refusalText(state.refused)} onClose={onClose}>
      <MountFields {...state} storages={storages} mount={mount} />
    </FormSheet>
  );
}
