import type { WebhookRecord } from "#contract/webhooks";
import { useRemoveWebhook, useRotateSecret } from "../../../api/webhooks.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { ConfirmDialog } from "../../../ui/overlay/dialog.tsx";
import type { Outcome } from "../resource/outcome.tsx";
import { RemoveDialog } from "../resource/remove-dialog.tsx";
import { DeliveriesSheet } from "./deliveries-sheet.tsx";
import { WebhookForm } from "./form/webhook-form.tsx";
import { SecretSheet } from "./secret-sheet.tsx";
import type { Verb } from "./webhook-card.tsx";

/** The form, sheet or dialog over the list. */
export type Open =
  | { readonly verb: "add" }
  | { readonly verb: Verb; readonly webhook: WebhookRecord }
  /** A secret that is shown this once. */
  | { readonly verb: "secret"; readonly name: string; readonly secret: string; readonly rotated: boolean };

interface DialogsProps {
  readonly open: Open;
  readonly hasMail: boolean;
  readonly onOpen: (open: Open) => void;
  readonly onOutcome: (outcome: Outcome) => void;
  readonly onClose: () => void;
}

/** The form, sheet or dialog over the list. */
export function Dialogs({ open, hasMail, onOpen, onOutcome, onClose }: DialogsProps) {
  useLanguage();
  if (open.verb === "secret") return <SecretSheet {...open} onClose={onClose} />;
  if (open.verb === "deliveries") return <DeliveriesSheet webhook={open.webhook} onClose={onClose} />;
  if (open.verb === "rotate") return <RotateSecret webhook={open.webhook} onOpen={onOpen} onClose={onClose} />;
  if (open.verb === "remove") return <RemoveWebhook webhook={open.webhook} onOutcome={onOutcome} onClose={onClose} />;
  return (
    <WebhookForm
      {...(open.verb === "edit" && { webhook: open.webhook })}
      hasMail={hasMail}
      onAdded={({ id, name, secret }) => {
        onOutcome({ id, tone: "ok", sentence: t("admin.webhooks.notice.added") });
        if (secret === null) onClose();
        else onOpen({ verb: "secret", name, secret, rotated: false });
      }}
      onSaved={({ id }) => {
        onOutcome({ id, tone: "ok", sentence: t("admin.webhooks.notice.saved") });
        onClose();
      }}
      onClose={onClose}
    />
  );
}

interface RotateSecretProps extends Pick<DialogsProps, "onOpen" | "onClose"> {
  readonly webhook: WebhookRecord;
}

/** Asks before a new secret is made. */
function RotateSecret({ webhook: { id, name }, onOpen, onClose }: RotateSecretProps) {
  const { mutateAsync: rotate } = useRotateSecret();
  let made: string | null = null;
  return (
    <ConfirmDialog
      title={t("admin.webhooks.rotate.title", { name })}
      text={t("admin.webhooks.rotate.text")}
      confirm={t("admin.webhooks.rotate.confirm")}
      onConfirm={async () => {
        ({ secret: made } = await rotate(id));
      }}
      // It closes itself when it is done, and gives its place to the secret.
      onClose={() => (made === null ? onClose() : onOpen({ verb: "secret", name, secret: made, rotated: true }))}
    />
  );
}

interface RemoveWebhookProps extends Pick<DialogsProps, "onOutcome" | "onClose"> {
  readonly webhook: WebhookRecord;
}

function RemoveWebhook({ webhook: { id, name }, ...dialog }: RemoveWebhookProps) {
  const { mutateAsync: remove } = useRemoveWebhook();
  return (
    <RemoveDialog
      title={t("admin.webhooks.remove.title", { name })}
      text={t("admin.webhooks.remove.text")}
      onRemove={async () => {
        await remove(id);
        return { tone: "ok", sentence: t("admin.webhooks.notice.removed", { name }) };
      }}
      {...dialog}
    />
  );
}
