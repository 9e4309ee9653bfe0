import { t } from "../../../../i18n/i18n.ts";
import type { FormFields } from "../../../../ui/form/use-form.ts";

/** The page's settings as its fields hold them. */
export interface BackupValues {
  readonly enabled: boolean;
  readonly target: string;
  /** Hours. */
  readonly interval: string;
  readonly hour: string;
  readonly keep: string;
  readonly objects: boolean;
  readonly s3: boolean;
}

/** What the fields need of the form. */
export type BackupFieldsProps = FormFields<BackupValues, Readonly<Record<string, string>>>;

/** The settings that the fields stand for. */
export const settingsOf = (values: BackupValues) => ({
  backup_enabled: String(values.enabled),
  backup_target: values.target.trim(),
  backup_interval: values.interval,
  backup_hour: values.hour,
  backup_keep: values.keep.trim(),
  backup_objects: String(values.objects),
  backup_s3: String(values.s3),
});

const MOST_KEPT = 1000;

/** What the browser can tell is wrong before it asks the server. */
export function problemsIn({ enabled, target, keep }: BackupValues): Readonly<Record<string, string>> {
  const count = keep.trim();
  const isCount = /^\d{1,4}$/.test(count) && Number(count) >= 1 && Number(count) <= MOST_KEPT;
  return {
    ...(enabled && target.trim() === "" ? { backup_target: t("admin.settings.backup.targetMissing") } : {}),
    ...(isCount ? {} : { backup_keep: t("admin.settings.backup.keepWrong", { most: MOST_KEPT }) }),
  };
}
