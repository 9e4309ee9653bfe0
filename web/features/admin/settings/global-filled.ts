import { MAX_SIGN_EXPIRES } from "#contract/limits";
import { t } from "../../../i18n/i18n.ts";
import { isNumber, joinSize, type SizeUnit } from "./size.ts";

/** The page's settings as its fields hold them. */
export interface FilledGlobal {
  readonly size: string;
  readonly unit: SizeUnit;
  readonly proxy: boolean;
  readonly naming: string;
  readonly visitorTexts: string;
  readonly keyTexts: string;
  readonly totalTexts: string;
  readonly signAll: boolean;
  readonly signExpires: string;
}

/** What the fields need of the form. */
export interface GlobalFieldsProps {
  readonly filled: FilledGlobal;
  readonly fill: (part: Partial<FilledGlobal>) => void;
  readonly problems: Readonly<Record<string, string>>;
}

/** The settings that the fields stand for. */
export const settingsOf = (filled: FilledGlobal) => ({
  max_upload_size: joinSize(filled.size, filled.unit),
  default_use_proxy: String(filled.proxy),
  file_naming_strategy: filled.naming,
  max_visitor_texts: filled.visitorTexts.trim(),
  max_key_texts: filled.keyTexts.trim(),
  max_total_texts: filled.totalTexts.trim(),
  proxy_sign_all: String(filled.signAll),
  proxy_sign_expires: filled.signExpires.trim(),
});

/** What the browser can tell is wrong before it asks the server. */
export function problemsIn(filled: FilledGlobal): Readonly<Record<string, string>> {
  const expires = filled.signExpires.trim();
  const isSpan = /^\d{1,15}$/.test(expires) && Number(expires) <= MAX_SIGN_EXPIRES;
  const isSize = isNumber(filled.size) && Number(filled.size) > 0;
  return {
    ...(isSize ? {} : { max_upload_size: t("admin.settings.positive") }),
    ...(isNumber(filled.visitorTexts) ? {} : { max_visitor_texts: t("admin.settings.number") }),
    ...(isNumber(filled.keyTexts) ? {} : { max_key_texts: t("admin.settings.number") }),
    ...(isNumber(filled.totalTexts) ? {} : { max_total_texts: t("admin.settings.number") }),
    ...(isSpan ? {} : { proxy_sign_expires: t("admin.settings.whole") }),
  };
}
