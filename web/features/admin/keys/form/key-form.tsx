import type { KeyRecord } from "#contract/keys";
import { useCreateKey, useUpdateKey } from "../../../../api/keys.ts";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { copyText } from "../../../../lib/clipboard.ts";
import { ResourceForm } from "../../resource/resource-form.tsx";
import { KeyFields } from "./fields.tsx";
import { emptyKey, type KeyValues, keyChange, keyValues, newKey } from "./form-values.ts";
import { type FieldsProps, keyProblems } from "./problems.ts";

interface KeyFormProps {
  /** The key that is changed, which itself always stays; a new one is made without. */
  readonly record?: KeyRecord;
  /** The key is there, and on the clipboard unless the browser refused. */
  readonly onAdded: (key: KeyRecord, copied: boolean) => void;
  readonly onSaved: (key: KeyRecord) => void;
  readonly onClose: () => void;
}

/** Makes a key or changes one, at the side of the list. */
export function KeyForm({ record, onAdded, onSaved, onClose }: KeyFormProps) {
  useLanguage();
  const { mutateAsync: create } = useCreateKey();
  const { mutateAsync: update } = useUpdateKey();
  const form = {
    problemsIn: (values: KeyValues) => keyProblems(values, record && keyValues(record).expiry),
    refusable: ["name", "key", "guest"] as const,
    onClose,
    children: (fields: FieldsProps) => <KeyFields {...fields} isNew={!record} />,
  };
  if (!record) {
    return (
      <ResourceForm
        {...form}
        title={t("admin.keys.form.addTitle")}
        before={emptyKey}
        changeOf={newKey}
        save={async (request) => {
          const made = await create(request);
          onAdded(made, await copyText(made.key));
        }}
      />
    );
  }
  return (
    <ResourceForm
      {...form}
      title={t("admin.keys.form.editTitle")}
      before={keyValues(record)}
      changeOf={(values) => keyChange(values, record)}
      save={async (change) => {
        await update({ id: record.id, change });
        onSaved(record);
      }}
    />
  );
}
