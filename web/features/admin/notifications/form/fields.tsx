import { languageCodes, languages } from "#contract/languages";
import {
  MAX_WEBHOOK_ADDRESS_CHARACTERS,
  MAX_WEBHOOK_NAME_CHARACTERS,
  MAX_WEBHOOK_TOKEN_CHARACTERS,
} from "#contract/limits";
import { takesToken, type WebhookEvent, type WebhookRecord, webhookEvents, webhookKinds } from "#contract/webhooks";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { Choices } from "../../../../ui/form/choices.tsx";
import { Checkbox } from "../../../../ui/form/field.tsx";
import { SelectField } from "../../../../ui/form/select-field.tsx";
import { Notice } from "../../../../ui/notice.tsx";
import { FormTextField } from "../../resource/form-fields.tsx";
import type { Named } from "../webhook-card.tsx";
import type { FieldsProps } from "./form-values.ts";

interface WebhookFieldsProps extends FieldsProps {
  /** The one that is changed; undefined for a new one. */
  readonly webhook: WebhookRecord | undefined;
  /** Whether the server can send mail. */
  readonly hasMail: boolean;
}

/** The fields of a webhook: what it is called, to whom it speaks, and of what. */
export function WebhookFields({ webhook, hasMail, ...props }: WebhookFieldsProps) {
  useLanguage();
  const { values, fill } = props;
  const { kind } = values;
  return (
    <>
      <FormTextField
        form={props}
        name="name"
        label={t("admin.webhooks.form.name")}
        maxLength={MAX_WEBHOOK_NAME_CHARACTERS}
        placeholder={t("admin.webhooks.form.namePlaceholder")}
      />
      {!webhook && (
        <SelectField
          label={t("admin.webhooks.form.kind")}
          choices={webhookKinds.map((value) => ({ value, label: t(`admin.webhooks.kind.${value}`) }))}
          value={kind}
          onChoose={(chosen) => fill({ kind: chosen })}
        />
      )}
      {kind === "mail" && !hasMail && <Notice tone="plain">{t("admin.webhooks.form.noMail")}</Notice>}
      <AddressFields {...props} webhook={webhook} />
      <EventFields {...props} />
      {kind !== "standard" && (
        <Choices
          legend={t("admin.webhooks.form.language")}
          choices={languageCodes.map((value) => ({ value, label: languages[value].name }))}
          value={values.language}
          onChoose={(language) => fill({ language })}
          className="grid grid-cols-2 gap-1.5"
        />
      )}
    </>
  );
}

/** Addresses as receivers have them. */
const examples = {
  standard: "https://example.com/hook",
  ntfy: "https://ntfy.sh/mytopic",
  discord: "https://discord.com/api/webhooks/…",
  slack: "https://hooks.slack.com/services/…",
  gotify: "https://gotify.example.com",
} as const;

function AddressFields({ webhook, ...props }: Omit<WebhookFieldsProps, "hasMail">) {
  const { kind } = props.values;
  return (
    <>
      <FormTextField
        form={props}
        name="address"
        exact
        inputMode={kind === "mail" ? "email" : "url"}
        label={t(kind === "mail" ? "admin.webhooks.form.mail" : "admin.webhooks.form.address")}
        maxLength={MAX_WEBHOOK_ADDRESS_CHARACTERS}
        placeholder={webhook ? webhook.host : kind === "mail" ? t("admin.webhooks.form.mailExample") : examples[kind]}
        hint={t(webhook ? "admin.webhooks.form.addressKept" : `admin.webhooks.form.hint.${kind}`)}
      />
      {takesToken(kind) && (
        <FormTextField
          form={props}
          name="token"
          exact
          type="password"
          autoComplete="new-password"
          label={t("admin.webhooks.form.token")}
          maxLength={MAX_WEBHOOK_TOKEN_CHARACTERS}
          hint={t(webhook?.has_token ? "admin.webhooks.form.tokenKept" : `admin.webhooks.form.tokenHint.${kind}`)}
        />
      )}
    </>
  );
}

function EventFields({ values: { events }, fill, problems }: FieldsProps) {
  const toggle = (event: WebhookEvent) =>
    fill({
      events: events.includes(event)
        ? events.filter((one) => one !== event)
        : webhookEvents.filter((one) => one === event || events.includes(one)),
    });
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 font-medium text-sm">{t("admin.webhooks.form.events")}</legend>
      <div className="grid gap-x-3 rounded-lg border border-line p-3.5 sm:grid-cols-2">
        {webhookEvents.map((event) => (
          <Checkbox
            key={event}
            label={t(`admin.webhooks.event.${event.replace(".", "_") as Named<typeof event>}`)}
            checked={events.includes(event)}
            aria-invalid={problems.events ? true : undefined}
            onChange={() => toggle(event)}
          />
        ))}
      </div>
      {problems.events && (
        <p role="alert" className="text-[13px] text-danger">
          {t(problems.events)}
        </p>
      )}
    </fieldset>
  );
}
