import { t } from "../../i18n/i18n.ts";

/** What a recognised text is called: most kinds have the same name in every language. */
export function kindName(kind: string): string {
  if (kind === "Log") return t("reading.view.log");
  return kind === "Variables" ? t("reading.view.variables") : kind;
}
