import { MAX_KEY_CHARACTERS, MAX_KEY_NAME_CHARACTERS } from "#contract/limits";
import { allows, type Permission } from "#contract/permissions";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { LAST_LOCAL_INPUT, toLocalInput } from "../../../../lib/time.ts";
import { Choices } from "../../../../ui/choices.tsx";
import { Checkbox, TextField } from "../../../../ui/field.tsx";
import { Notice } from "../../../../ui/notice.tsx";
import { BasePathField } from "./base-path-field.tsx";
import { expiryChoices, seesTree } from "./filled.ts";
import { PermissionFields } from "./permission-fields.tsx";
import type { FieldsProps } from "./use-key-form.ts";

interface KeyFieldsProps extends FieldsProps {
  /** Only a new key can be chosen. */
  readonly isNew: boolean;
}

/** The fields of a key: what it is called, how long it lives, then what it may do and where. */
export function KeyFields({ isNew, ...props }: KeyFieldsProps) {
  useLanguage();
  const { filled, fill, problems } = props;
  return (
    <>
      <TextField
        label={t("admin.keys.form.name")}
        value={filled.name}
        maxLength={MAX_KEY_NAME_CHARACTERS}
        autoComplete="off"
        placeholder={t("admin.keys.form.namePlaceholder")}
        error={problems.name && t(problems.name)}
        onChange={(event) => fill({ name: event.target.value })}
      />
      {isNew && <OwnKeyField {...props} />}
      <ExpiryField {...props} />
      <PermissionFields {...props} />
      {seesTree(filled) && <BasePathField {...props} />}
      <GuestField {...props} />
    </>
  );
}

function OwnKeyField({ filled, fill, problems }: FieldsProps) {
  return (
    <div>
      <Checkbox
        label={t("admin.keys.form.own")}
        checked={filled.own}
        onChange={(event) => fill({ own: event.target.checked })}
      />
      {filled.own ? (
        <TextField
          label={t("admin.keys.form.key")}
          hiddenLabel
          mono
          value={filled.key}
          maxLength={MAX_KEY_CHARACTERS}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          hint={t("admin.keys.form.keyHint")}
          error={problems.key && t(problems.key)}
          onChange={(event) => fill({ key: event.target.value })}
        />
      ) : (
        <p className="text-[13px] text-muted leading-snug">{t("admin.keys.form.made")}</p>
      )}
    </div>
  );
}

function ExpiryField({ filled, fill, problems }: FieldsProps) {
  return (
    <div className="grid gap-3">
      <Choices
        legend={t("admin.keys.form.expires")}
        choices={expiryChoices.map((value) => ({ value, label: t(`admin.keys.form.expiry.${value}`) }))}
        value={filled.expires}
        onChoose={(expires) => fill({ expires })}
        className="grid grid-cols-3 gap-1.5 sm:grid-cols-5"
      />
      {filled.expires === "custom" && (
        <TextField
          type="datetime-local"
          label={t("admin.keys.form.expiryAt")}
          value={filled.expiry}
          min={toLocalInput(new Date().toISOString())}
          max={LAST_LOCAL_INPUT}
          error={problems.expiry && t(problems.expiry)}
          onChange={(event) => fill({ expiry: event.target.value })}
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

function GuestField({ filled, fill, problems }: FieldsProps) {
  const may = visitorRights.filter((right: Permission) => allows(filled.permissions, right));
  return (
    <div>
      <Checkbox
        label={t("admin.keys.form.guest")}
        checked={filled.guest}
        aria-invalid={problems.guest ? true : undefined}
        onChange={(event) => fill({ guest: event.target.checked })}
      />
      <p className="text-[13px] text-muted leading-snug">{t("admin.keys.form.guestHint")}</p>
      {problems.guest && (
        <p role="alert" className="mt-1 text-[13px] text-danger">
          {t(problems.guest)}
        </p>
      )}
      {filled.guest && (
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
