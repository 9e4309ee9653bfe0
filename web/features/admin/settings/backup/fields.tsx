import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { Checkbox, TextField } from "../../../../ui/form/field.tsx";
import { SelectField } from "../../../../ui/form/select-field.tsx";
import { NumberField } from "../number-field.tsx";
import type { BackupFieldsProps } from "./values.ts";

/** Where backups go, how many stay there, and what is in them. */
export function PlaceFields({ values, fill, problems }: BackupFieldsProps) {
  useLanguage();
  return (
    <div className="grid gap-5">
      <TextField
        label={t("admin.settings.backup.target")}
        mono
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        placeholder="/backups"
        value={values.target}
        hint={t("admin.settings.backup.targetHint")}
        error={problems.backup_target}
        onChange={(event) => fill({ target: event.target.value })}
      />
      <NumberField
        label={t("admin.settings.backup.keep")}
        value={values.keep}
        hint={t("admin.settings.backup.keepHint")}
        error={problems.backup_keep}
        onChange={(keep) => fill({ keep })}
      />
      <Checkbox
        label={t("admin.settings.backup.objects")}
        checked={values.objects}
        onChange={(event) => fill({ objects: event.target.checked })}
      />
      <div>
        <Checkbox
          label={t("admin.settings.backup.s3")}
          checked={values.s3}
          onChange={(event) => fill({ s3: event.target.checked })}
        />
        <p className="ml-[26px] text-[13px] text-muted pointer-coarse:ml-[30px]">{t("admin.settings.backup.s3Hint")}</p>
      </div>
    </div>
  );
}

/** Hours that are offered, by what they are called. */
const intervals = { "1": "hourly", "6": "hours", "12": "hours", "24": "daily", "168": "weekly" } as const;

const isOffered = (hours: string): boolean => hours in intervals;

/** Whether backups are made by themselves, how often and when. */
export function TimeFields({ values, fill, problems }: BackupFieldsProps) {
  useLanguage();
  const { interval } = values;
  const offered = Object.entries(intervals).map(([value, name]) => ({
    value,
    label: t(`admin.settings.backup.every.${name}`, { hours: value }),
  }));
  // Programs may set any number of hours.
  const other = { value: interval, label: t("admin.settings.backup.every.hours", { hours: interval }) };
  const hours = Array.from({ length: 24 }, (_, hour) => ({
    value: String(hour),
    label: `${String(hour).padStart(2, "0")}:00 UTC`,
  }));
  return (
    <div className="grid gap-5">
      <Checkbox
        label={t("admin.settings.backup.enabled")}
        checked={values.enabled}
        onChange={(event) => fill({ enabled: event.target.checked })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label={t("admin.settings.backup.interval")}
          choices={isOffered(interval) ? offered : [...offered, other]}
          value={interval}
          onChoose={(value) => fill({ interval: value })}
        />
        <SelectField
          label={t("admin.settings.backup.hour")}
          choices={hours}
          value={values.hour}
          onChoose={(hour) => fill({ hour })}
        />
      </div>
      {[problems.backup_enabled, problems.backup_interval, problems.backup_hour].map(
        (problem) =>
          problem && (
            <p key={problem} role="alert" className="text-[13px] text-danger">
              {problem}
            </p>
          ),
      )}
    </div>
  );
}
