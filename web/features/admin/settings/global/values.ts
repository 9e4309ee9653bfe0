import { MAX_ACTIVITY_DAYS, MAX_SIGN_EXPIRES, MAX_TRASH_DAYS } from "#contract/limits";
import { t } from "../../../../i18n/i18n.ts";
import type { FormFields } from "../../../../ui/form/use-form.ts";
import { isNumber, joinSize, type SizeUnit } from "../size.ts";

/** The page's settings as its fields hold them. */
export interface GlobalValues {
  readonly size: string;
  readonly unit: SizeUnit;
  readonly proxy: boolean;
  readonly naming: string;
  /** Days. */
  readonly trash: string;
  /** Whether openings are logged, and for how many days. */
  readonly activity: boolean;
  readonly activityDays: string;
  readonly visitorTexts: string;
  readonly keyTexts: string;
  readonly totalTexts: string;
  readonly signAll: boolean;
  readonly signExpires: string;
}

/** What the fields need of the form. */
export type GlobalFieldsProps = FormFields<GlobalValues, Readonly<Record<string, string>>>;

/** The settings that the fields stand for. */
export const settingsOf = (values: GlobalValues) => ({
  max_upload_size: joinSize(values.size, values.unit),
  default_use_proxy: String(values.proxy),
  file_naming_strategy: values.naming,
  trash_days: values.trash.trim(),
  activity_log: String(values.activity),
  activity_days: values.activityDays.trim(),
  max_visitor_texts: values.visitorTexts.trim(),
  max_key_texts: values.keyTexts.trim(),
  max_total_texts: values.totalTexts.trim(),
  proxy_sign_all: String(values.signAll),
  proxy_sign_expires: values.signExpires.trim(),
});

/** What the browser can tell is wrong before it asks the server. */
export function problemsIn(values: GlobalValues): Readonly<Record<string, string>> {
  const expires = values.signExpires.trim();
  const isSpan = /^\d{1,15}$/.test(expires) && Number(expires) <= MAX_SIGN_EXPIRES;
  const isSize = isNumber(values.size) && Number(values.size) > 0;
  const days = values.trash.trim();
  const isDays = /^\d{1,4}$/.test(days) && Number(days) <= MAX_TRASH_DAYS;
  const logged = values.activityDays.trim();
  const isLogged = /^\d{1,3}$/.test(logged) && Number(logged) >= 1 && Number(logged) <= MAX_ACTIVITY_DAYS;
  return {
    ...(isLogged ? {} : { activity_days: t("admin.settings.activity.bad", { most: MAX_ACTIVITY_DAYS }) }),
    ...(isDays ? {} : { trash_days: t("admin.settings.trash.bad", { most: MAX_TRASH_DAYS }) }),
    ...(isSize ? {} : { max_upload_size: t("admin.settings.positive") }),
    ...(isNumber(values.visitorTexts) ? {} : { max_visitor_texts: t("admin.settings.number") }),
    ...(isNumber(values.keyTexts) ? {} : { max_key_texts: t("admin.settings.number") }),
    ...(isNumber(values.totalTexts) ? {} : { max_total_texts: t("admin.settings.number") }),
    ...(isSpan ? {} : { proxy_sign_expires: t("admin.settings.whole") }),
  };
}
