import { failureText } from "../../api/failure.ts";
import { t } from "../../i18n/i18n.ts";
import { toast } from "./toast.ts";

/** Shows a toast of a failure, with a button to try again where that may help. */
export const toastFailure = (error: unknown, retry?: () => void): Promise<void> =>
  toast({
    tone: "error",
    text: failureText(error),
    ...(retry && { action: { label: t("shell.actions.retry"), run: retry } }),
  });
