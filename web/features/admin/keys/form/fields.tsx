import { MAX_KEY_CHARACTERS, MAX_KEY_NAME_CHARACTERS } from "#contract/limits";
import { allows, type Permission } from "#contract/permissions";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { LAST_LOCAL_INPUT, toLocalInput } from "../../../../lib/time.ts";
import { Choices } from "../../../../ui/form/choices.tsx";
import { Notice } from "../../../../ui/notice.tsx";
import { FormCheckbox, FormTextField } from "../../resource/form-fields.tsx";
import { BasePathField } from "./base-path-field.tsx";
import { expiryChoices, seesTree } from "./form-values.ts";
import { PermissionFields } from "./permission-fields.tsx";
import type { FieldsProps } from "./problems.ts";

interface KeyFieldsProps extends FieldsProps {
  /** Only a new key can be chosen. */
  readonly isNew: boolean;
}

/** The fields of a key: what it is called, how long it lives, then what it may do and where. */
export function KeyFields({ isNew, ...props }: KeyFieldsProps) {
  useLanguage();
  return (
    <>
      <FormTextField
        form={props}
        name="name"
        label={t("admin.keys.form.name")}
        maxLength={MAX_KEY_NAME_CHARACTERS}
        placeholder={t("admin.keys.form.namePlaceholder")}
      />
      {isNew && <OwnKeyField {...props} />}
      <ExpiryField {...props} />
      <PermissionFields {...props} />
      {seesTree(props.values) && <BasePathField {...props} />}
      <GuestField {...props} />
    </>
  );
}

function OwnKeyField(props: FieldsProps) {
  return (
    <div>
      <FormCheckbox form={props} name="own" label={t("admin.keys.form.own")} />
      {props.values.own ? (
        <FormTextField
          form={props}
          name="key"
          exact
          label={t("admin.keys.form.key")}
          hiddenLabel
          maxLength={MAX_KEY_CHARACTERS}
          hint={t("admin.keys.form.keyHint")}
        />
      ) : (
        <p className="text-[13px] text-muted leading-snug">{t("admin.keys.form.made")}</p>
      )}
    </div>
  );
}

function ExpiryField(props: FieldsProps) {
  const { values, fill } = props;
  return (
    <div className="grid gap-3">
      <Choices
        legend={t("admin.keys.form.expires")}
        choices={expiryChoices.map((value) => ({ value, label: t(`admin.keys.form.expiry.${value}`) }))}
        value={values.expires}
        onChoose={(expires) => fill({ expires })}
        className="grid grid-cols-3 gap-1.5 sm:grid-cols-5"
      />
      {values.expires === "custom" && (
        <FormTextField
          form={props}
          name="expiry"
          type="datetime-local"
          label={t("admin.keys.form.expiryAt")}
          min={toLocalInput(new Date().toISOString())}
          max={LAST_LOCAL_INPUT}
        />
      )}
    </div>
  );
}

/** What a right means to a person without a key; the others do nothing for visitors. */
const visitorRights = [
  "text",
  "file_share",
  "mount_view",
  "mount_upload",
  "mount_copy",
  "mount_rename",
  "mount_delete",
] as const;

function GuestField(props: FieldsProps) {
  const { values, problems } = props;
  const may = visitorRights.filter((right: Permission) => allows(values.permissions, right));
  return (
    <div>
      <FormCheckbox form={props} name="guest" label={t("admin.keys.form.guest")} />
      <p className="text-[13px] text-muted leading-snug">{t("admin.keys.form.guestHint")}</p>
      {problems.guest && (
        <p role="alert" className="mt-1 text-[13px] text-danger">
          {t(problems.guest)}
        </p>
      )}
      {values.guest && (
        <Notice tone="plain" className="mt-3">
          <p className="font-medium">{t("admin.keys.guest.title")}</p>
          {may.length > 0 && (
            <ul className="mt-1 list-disc pl-4">
              {may.map((right) => (
                <li key={right}>{t(`admin.keys.guest.may.${right}`)}</li>
              ))}
            </ul>
          )}
          <p className="mt-1">{t(may.length > 0 ? "admin.keys.guest.limits" : "admin.keys.guest.nothing")}</p>
        </Notice>
      )}
    </div>
  );
}
