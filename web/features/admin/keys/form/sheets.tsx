import type { KeyRecord } from "#contract/keys";
import { useCreateKey, useUpdateKey } from "../../../../api/keys.ts";
import { refusalText } from "../../../../api/refusals.ts";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { copyText } from "../../../../lib/clipboard.ts";
import { FormSheet } from "../../../../ui/share-form/form-sheet.tsx";
import { KeyFields } from "./fields.tsx";
import { useKeyForm, useNewKeyForm } from "./use-key-form.ts";

interface NewKeyProps {
  /** The key is there, and on the clipboard unless the browser refused; the sheet is done. */
  readonly onAdded: (key: KeyRecord, copied: boolean) => void;
  readonly onClose: () => void;
}

/** Makes a key, at the side of the list. */
export function NewKeySheet({ onAdded, onClose }: NewKeyProps) {
  useLanguage();
  const { mutateAsync: create } = useCreateKey();
  const state = useNewKeyForm(async (key) => {
    const made = await create(key);
    onAdded(made, await copyText(made.key));
  });
  return (
    <FormSheet
      title={t("admin.keys.form.addTitle")}
      state={state}
      refusal={refusalText(state.refused)}
      onClose={onClose}
    >
      <KeyFields {...state} isNew />
    </FormSheet>
  );
}

interface EditKeyProps {
  readonly record: KeyRecord;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

/** Changes a key at the side of the list; the key itself always stays. */
export function EditKeySheet({ record, onSaved, onClose }: EditKeyProps) {
  useLanguage();
  const { mutateAsync: update } = useUpdateKey();
  const state = useKeyForm({
    record,
    save: async (change) => {
      await update({ id: record.id, change });
      onSaved();
      onClose();
    },
    onUnchanged: onClose,
  });
  return (
    <FormSheet
      title={t("admin.keys.form.editTitle")}
      state={state}
      refusal={refusalText(state.refused)}
      onClose={onClose}
    >
      <KeyFields {...state} isNew={false} />
    </FormSheet>
  );
}
