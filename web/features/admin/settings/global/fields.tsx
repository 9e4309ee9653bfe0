import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { Choices } from "../../../../ui/form/choices.tsx";
import { Checkbox, TextField } from "../../../../ui/form/field.tsx";
import { NumberField } from "../number-field.tsx";
import { sizeUnits } from "../size.ts";
import type { GlobalFieldsProps } from "./values.ts";

/** How large files may be, which way they take, and what becomes of a name that is taken. */
export function UploadFields({ values, fill, problems }: GlobalFieldsProps) {
  useLanguage();
  return (
    <div className="grid gap-5">
      <div className="flex items-start gap-2">
        <div className="min-w-0 max-w-56 flex-1">
          <TextField
            label={t("admin.settings.upload.maxSize")}
            inputMode="decimal"
            autoComplete="off"
            value={values.size}
            error={problems.max_upload_size}
            onChange={(event) => fill({ size: event.target.value })}
          />
        </div>
        <div className="pt-[27px]">
          <Choices
            hiddenLegend
            legend={t("admin.settings.upload.unit")}
            choices={sizeUnits.map((value) => ({ value, label: value }))}
            value={values.unit}
            onChoose={(unit) => fill({ unit })}
            className="grid grid-cols-[repeat(3,3rem)] gap-1"
          />
        </div>
      </div>
      <div>
        <Choices
          legend={t("admin.settings.upload.overwrite")}
          choices={[
            { value: "overwrite", label: t("admin.settings.upload.overwriteOn") },
            { value: "random_suffix", label: t("admin.settings.upload.overwriteOff") },
          ]}
          value={values.naming}
          onChoose={(naming) => fill({ naming })}
          className="grid max-w-80 grid-cols-2 gap-1"
        />
        <p className="mt-1.5 text-[13px] text-muted">{t("admin.settings.upload.overwriteHint")}</p>
      </div>
      <Switch
        label={t("admin.settings.upload.proxy")}
        hint={t("admin.settings.upload.proxyHint")}
        on={values.proxy}
        onChange={(proxy) => fill({ proxy })}
      />
    </div>
  );
}

/** How long what is deleted can come back. */
export function TrashFields({ values, fill, problems }: GlobalFieldsProps) {
  useLanguage();
  return (
    <NumberField
      label={t("admin.settings.trash.days")}
      value={values.trash}
      hint={t("admin.settings.trash.daysHint")}
      error={problems.trash_days}
      onChange={(trash) => fill({ trash })}
    />
  );
}

/** Whether public addresses are signed, and for how long. */
export function SignatureFields({ values, fill, problems }: GlobalFieldsProps) {
  useLanguage();
  return (
    <div className="grid gap-5">
      <Switch
        label={t("admin.settings.signature.all")}
        hint={t("admin.settings.signature.allHint")}
        on={values.signAll}
        onChange={(signAll) => fill({ signAll })}
      />
      <NumberField
        label={t("admin.settings.signature.expires")}
        value={values.signExpires}
        hint={t("admin.settings.signature.expiresHint")}
        error={problems.proxy_sign_expires}
        onChange={(signExpires) => fill({ signExpires })}
      />
    </div>
  );
}

const rooms = [
  { field: "visitorTexts", setting: "max_visitor_texts", label: "admin.settings.texts.visitor" },
  { field: "keyTexts", setting: "max_key_texts", label: "admin.settings.texts.key" },
  { field: "totalTexts", setting: "max_total_texts", label: "admin.settings.texts.total" },
] as const;

/** How much texts may take together. */
export function TextFields({ values, fill, problems }: GlobalFieldsProps) {
  useLanguage();
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      {rooms.map(({ field, setting, label }) => (
        <TextField
          key={field}
          label={t(label)}
          inputMode="decimal"
          autoComplete="off"
          value={values[field]}
          error={problems[setting]}
          onChange={(event) => fill({ [field]: event.target.value })}
        />
      ))}
    </div>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly hint: string;
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
}

/** A box to tick, with what it means below its label. */
export const Switch = ({ label, hint, on, onChange }: SwitchProps) => (
  <div>
    <Checkbox label={label} checked={on} onChange={(event) => onChange(event.target.checked)} />
    <p className="ml-[26px] text-[13px] text-muted pointer-coarse:ml-[30px]">{hint}</p>
  </div>
);
