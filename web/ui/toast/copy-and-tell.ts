import { t } from "../../i18n/i18n.ts";
import { copyText } from "../../lib/clipboard.ts";
import { toast } from "./toast.ts";

/** Copies a text and says in a toast how that went; answers whether it is on the clipboard. */
export async function copyAndTell(text: string, copied = t("shell.actions.copied")): Promise<boolean> {
  const isCopied = await copyText(text);
  void toast(isCopied ? { tone: "ok", text: copied } : { tone: "error", text: t("shell.actions.copyFailed") });
  return isCopied;
}
