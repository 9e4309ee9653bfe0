import type { KeyRecord } from "#contract/keys";
import { useCreateKey, useUpdateKey } from "../../../../api/keys.ts";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { copyText } from "../../../../lib/clipboard.ts";
import { ResourceForm } from "../../resource/resource-form.tsx";
import { KeyFields } from "./fields.tsx";
import { emptyKey, keyValues, newKey } from "./form-values.ts";
import { keyProblems } from "./problems.ts";

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
  return (
    <ResourceForm
      title={t(record ? "admin.keys.form.editTitle" : "admin.keys.form.addTitle")}
      item={record}
      empty={emptyKey}
      valuesOf={keyValues}
      requestOf={newKey}
      problemsIn={(values) => keyProblems(values, record && keyValues(record).expiry)}
      refusable={["name", "key", "guest"]}
      create={async (request) => {
        const made = await create(request);
        onAdded(made, await copyText(made.key));
      }}
      update={async (key, change) => {
        await update({ id: key.id, change });
        onSaved(key);
      }}
      onClose={onClose}
    >
      {(fields) => <KeyFields {...fields} isNew={!record} />}
    </ResourceForm>
  );
}
