import { BUILT_IN } from "#contract/storage";
import { t } from "../i18n/i18n.ts";

/** What people call the provider of a storage. */
export function providerName(provider: string): string {
  if (provider === BUILT_IN) return t("file.provider.builtIn");
  return provider === "Other" ? t("file.provider.other") : provider;
}
