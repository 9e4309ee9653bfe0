import type { WebhookChange, WebhookRecord } from "#contract/webhooks";
import { useCreateWebhook, useUpdateWebhook } from "../../../../api/webhooks.ts";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { ResourceForm } from "../../resource/resource-form.tsx";
import { WebhookFields } from "./fields.tsx";
import { emptyWebhook, newWebhook, webhookProblems, webhookValues } from "./form-values.ts";

interface WebhookFormProps {
  /** The webhook that is changed, whose kind stays; a new one is made without. */
  readonly webhook?: WebhookRecord;
  readonly hasMail: boolean;
  /** With the secret that is told this once; null where nothing is signed. */
  readonly onAdded: (made: WebhookRecord & { readonly secret: string | null }) => void;
  readonly onSaved: (webhook: WebhookRecord) => void;
  readonly onClose: () => void;
}

/** Makes a webhook or changes one, at the side of the list. */
export function WebhookForm({ webhook, hasMail, onAdded, onSaved, onClose }: WebhookFormProps) {
  const language = useLanguage();
  const { mutateAsync: create } = useCreateWebhook();
  const { mutateAsync: update } = useUpdateWebhook();
  return (
    <ResourceForm
      title={t(webhook ? "admin.webhooks.form.editTitle" : "admin.webhooks.form.addTitle")}
      item={webhook}
      empty={emptyWebhook(language)}
      valuesOf={webhookValues}
      requestOf={newWebhook}
      problemsIn={(values) => webhookProblems(values, !webhook)}
      refusable={["address"]}
      create={async (request) => onAdded(await create(request))}
      update={async ({ id }, change) => onSaved(await update({ id, change: change as WebhookChange }))}
      onClose={onClose}
    >
      {(fields) => <WebhookFields {...fields} webhook={webhook} hasMail={hasMail} />}
    </ResourceForm>
  );
}
