import { providerOf } from "#contract/providers";
import { t } from "../i18n/i18n.ts";

/** What people call the provider of a storage. */
export function providerName(provider: string): string {
  const { word } = providerOf(provider);
  return word ? t(`file.provider.${word}`) : provider;
}
